import type { ChatMessage } from '../domain/chat-message.ts';
import { ROLES } from '../domain/message.ts';
import { MemoryError } from '../errors.ts';
import type { ConversationEntry } from '../ports/chat-memory-store.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * An entry as a store reads it back from text. Checked by hand: a conversation of thousands of entries is read at every step, and a schema
 * library took most of that time.
 * @param where names the record in the error, never its text
 * @throws CORRUPT_RECORD
 */
export function readConversationEntry(text: string, where: string): ConversationEntry {
  const [entry] = readConversationEntries(text, where);
  if (entry !== undefined) return entry;
  throw corrupt(where);
}

/** The same for a text that may hold several entries as a list. */
export function readConversationEntries(text: string, where: string): readonly ConversationEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw corrupt(where);
  }
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.every(isEntry)) return values;
  throw corrupt(where);
}

function isEntry(value: unknown): value is ConversationEntry {
  if (!isObject(value)) return false;
  switch (value['type']) {
    case 'message':
      return isMessage(value['message']);
    case 'start':
      return isText(value['epoch']);
    case 'summary':
      return isText(value['epoch']) && isPosition(value['covers']) && isText(value['text']) && isText(value['by']);
    case 'archived':
      return isText(value['epoch']) && isPosition(value['upTo']) && Array.isArray(value['episodes']) && value['episodes'].every(isEpisode);
    default:
      return false;
  }
}

function isMessage(value: unknown): value is ChatMessage {
  if (!isObject(value) || !isText(value['content']) || !(ROLES as readonly unknown[]).includes(value['role'])) return false;
  const calls = value['toolCalls'];
  return (
    ['name', 'at', 'id', 'toolCallId'].every((field) => value[field] === undefined || isText(value[field])) &&
    (value['metadata'] === undefined || isObject(value['metadata'])) &&
    (calls === undefined || (Array.isArray(calls) && calls.every(isCall)))
  );
}

function isCall(value: unknown): boolean {
  return isObject(value) && isText(value['id']) && isText(value['name']) && isText(value['arguments']);
}

function isEpisode(value: unknown): boolean {
  return Array.isArray(value) && isPosition(value[0]) && isText(value[1]);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function corrupt(where: string): MemoryError {
  return new MemoryError('CORRUPT_RECORD', `${where} is no entry of a conversation. Restore it from a copy, or delete the conversation.`);
}
