import { readChatLines } from './chat-jsonl.ts';
import { readOpenAiMessages } from './openai-messages.ts';
import type { ReadFile } from './read-file.ts';
import { readText } from './text.ts';

const NO_CHAT = 'no part of it is a chat message (each needs a role and a content), so it was read as plain text';

/** Picks the reader: by the file's name, and for stdin (without a name) by what the text looks like. Any other text is a document. */
export function readContent(text: string, name?: string): ReadFile {
  const extension = /\.[^./]+$/.exec(name ?? '')?.[0].toLowerCase();
  if (name === undefined) return readOpenAiMessages(text) ?? chatLinesOfStream(text) ?? readText(text);
  if (extension === '.json') return readOpenAiMessages(text) ?? readText(text, name);
  if (extension === '.jsonl' || extension === '.ndjson') return readChatLines(text) ?? { ...readText(text, name), notes: [NO_CHAT] };
  return readText(text, name);
}

function chatLinesOfStream(text: string): ReadFile | undefined {
  return text.trimStart().startsWith('{') ? readChatLines(text) : undefined;
}
