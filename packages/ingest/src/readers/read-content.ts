import { readChatLines } from './chat-jsonl.ts';
import { isCode, isPlain, readCode } from './code.ts';
import { readCsv } from './csv.ts';
import { readChatExport } from './exports.ts';
import { readHtml } from './html.ts';
import { parseJson } from './json-value.ts';
import { readOpenAiMessages } from './openai-messages.ts';
import { asDocument, field, fileNameOf, type ReadFile, type Refusal } from './read-file.ts';
import { readText } from './text.ts';

const NO_CHAT = 'no part of it is a chat message (each needs a role and a content), so it was read as plain text';
const HTML = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype\s+html|html)\b/i;

/** Picks the reader of a text: by the file's name, and where that says nothing by what the text looks like. Any other text is a document. */
export async function readContent(text: string, name?: string): Promise<ReadFile | Refusal> {
  const extension = /\.([^./]+)$/.exec(name ?? '')?.[1]?.toLowerCase();
  if (name === undefined) return readJson(text) ?? chatLinesOfStream(text) ?? (HTML.test(text) ? readHtml(text) : readText(text));
  if (extension === 'json') return readJson(text) ?? readPlain(text, name);
  if (extension === 'jsonl' || extension === 'ndjson') return readChatLines(text) ?? { ...readPlain(text, name), notes: [NO_CHAT] };
  if (extension === 'csv' || extension === 'tsv' || extension === 'tab') return readCsv(text, name);
  if (extension === 'html' || extension === 'htm' || extension === 'xhtml' || HTML.test(text.slice(0, 4096))) return readHtml(text, name);
  if (extension !== undefined && isCode(extension)) return readCode(text, name, extension);
  if (extension !== undefined && isPlain(extension)) return readPlain(text, name);
  return readText(text, name);
}

/** The chats that a JSON file may hold. */
export function readJson(text: string): ReadFile | undefined {
  const value = parseJson(text);
  return value === undefined ? undefined : (readChatExport(value) ?? readOpenAiMessages(value));
}

/** Text of a tool: a # in it is no heading. */
function readPlain(text: string, name: string): ReadFile {
  return asDocument({ text: [{ text }], ...field('title', fileNameOf(name)) });
}

function chatLinesOfStream(text: string): ReadFile | undefined {
  return text.trimStart().startsWith('{') ? readChatLines(text) : undefined;
}
