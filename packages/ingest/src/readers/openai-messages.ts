import { NoteList } from '../note-list.ts';
import { readChatMessage } from './chat-message.ts';
import { isRecord } from './json-value.ts';
import type { ChatMessage, ReadFile } from './read-file.ts';

/** Reads a JSON list of messages, or `{ messages: [...] }`, as OpenAI's API takes them. @returns undefined where the text is neither */
export function readOpenAiMessages(text: string): ReadFile | undefined {
  const list = messageList(text);
  if (list === undefined) return undefined;
  const messages: ChatMessage[] = [];
  const notes = new NoteList();
  for (const [index, item] of list.entries()) {
    const read = readChatMessage(item);
    if ('problem' in read) {
      notes.add(`message ${index + 1} left out: ${read.problem}`);
      continue;
    }
    messages.push(read);
    for (const note of read.notes) notes.add(`message ${index + 1}: ${note}`);
  }
  return messages.length === 0 ? undefined : { documents: [], messages, leftOut: list.length - messages.length, notes: notes.list() };
}

function messageList(text: string): readonly unknown[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const list = isRecord(value) ? value['messages'] : value;
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}
