import { NoteList } from '../note-list.ts';
import { readChatMessage } from './chat-message.ts';
import type { ChatMessage, ReadFile } from './read-file.ts';

/** Reads a chat file with one JSON object a line. @returns undefined where no line is a message: then it is no chat file */
export function readChatLines(text: string): ReadFile | undefined {
  const messages: ChatMessage[] = [];
  const notes = new NoteList();
  let leftOut = 0;
  for (const { line, number } of lines(text)) {
    const read = readLine(line);
    if ('problem' in read) {
      leftOut++;
      notes.add(`line ${number} left out: ${read.problem}`);
      continue;
    }
    messages.push(read);
    for (const note of read.notes) notes.add(`line ${number}: ${note}`);
  }
  return messages.length === 0 ? undefined : { documents: [], messages, leftOut, notes: notes.list() };
}

function readLine(line: string): ReturnType<typeof readChatMessage> {
  try {
    return readChatMessage(JSON.parse(line));
  } catch {
    return { problem: 'not JSON' };
  }
}

function* lines(text: string): Generator<{ readonly line: string; readonly number: number }> {
  let number = 0;
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = text.indexOf('\n', from) + 1 || text.length;
    const line = text.slice(from, to).trim();
    number++;
    if (line !== '') yield { line, number };
  }
}
