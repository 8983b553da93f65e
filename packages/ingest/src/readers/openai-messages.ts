import { NoteList } from '../note-list.ts';
import { readChatMessage } from './chat-message.ts';
import { isRecord } from './json-value.ts';
import type { ChatMessage, ReadFile } from './read-file.ts';

/** Reads a list of messages, or `{ messages: [...] }`, as OpenAI's API takes them. @returns undefined where the value is neither */
export function readOpenAiMessages(value: unknown): ReadFile | undefined {
  const list = isRecord(value) ? value['messages'] : value;
  if (!Array.isArray(list)) return undefined;
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
