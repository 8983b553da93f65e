import { type MessageInput, parseTime, type Role } from '@tandem-memory/core';
import { isRecord, withoutDeepFields } from './json-value.ts';
import type { ChatMessage } from './read-file.ts';

/** Names under which chat files write the same thing. All other fields are kept as metadata. */
const CONTENT_FIELDS = ['content', 'text'];
const NAME_FIELDS = ['name', 'speaker', 'author'];
const TIME_FIELDS = ['at', 'timestamp', 'time', 'date', 'created_at', 'createdAt', 'ts'];
const SESSION_FIELDS = ['session', 'session_id', 'sessionId', 'conversation_id', 'conversationId', 'thread', 'thread_id'];
const SOURCE_ID_FIELDS = ['message_id', 'messageId', 'dia_id'];

const ROLE_NAMES: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['bot', 'assistant'],
  ['model', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** Limits of `store()`, so that one line never sinks the call for the others. */
const MAX_ID_LENGTH = 1024;
const MAX_CONTENT_LENGTH = 8 * 1024 * 1024;
/** Larger numbers are milliseconds: as seconds they would lie behind the year 5000. */
const MAX_EPOCH_SECONDS = 1e11;

export interface ReadMessage extends ChatMessage {
  readonly notes: readonly string[];
}

/** Reads one message of a chat file, whatever its fields are called; or says what is wrong with it. */
export function readChatMessage(value: unknown): ReadMessage | { readonly problem: string } {
  if (!isRecord(value)) return { problem: 'not an object' };
  const used = new Set(['role', 'id', 'metadata']);
  const take = <T>(names: readonly string[], read: (field: unknown) => T | undefined): T | undefined => {
    for (const name of names) {
      const found = Object.hasOwn(value, name) ? read(value[name]) : undefined;
      if (found === undefined) continue;
      used.add(name);
      return found;
    }
    return undefined;
  };
  const content = take(CONTENT_FIELDS, readContent);
  const name = take(NAME_FIELDS, readText);
  const role = value['role'] === undefined && name !== undefined ? 'user' : ROLE_NAMES.get(String(value['role']).trim().toLowerCase());
  if (value['role'] === undefined && role === undefined) return { problem: 'no role' };
  if (role === undefined) return { problem: `its role is not one of ${[...ROLE_NAMES.keys()].join(', ')}` };
  if (content === undefined) return { problem: 'no content' };
  if (content.text.length > MAX_CONTENT_LENGTH) return { problem: `its content is longer than ${MAX_CONTENT_LENGTH} characters` };

  const at = take(TIME_FIELDS, readTime);
  const sessionId = take(SESSION_FIELDS, readText);
  const sourceMessageId = take(SOURCE_ID_FIELDS, readText);
  const id = readText(value['id']);
  if ([name, sessionId, id].some((text) => text !== undefined && text.length > MAX_ID_LENGTH)) {
    return { problem: `its name, session or id is longer than ${MAX_ID_LENGTH} characters` };
  }
  const metadata = {
    ...(isRecord(value['metadata']) ? withoutDeepFields(value['metadata']) : {}),
    ...withoutDeepFields(Object.fromEntries(Object.entries(value).filter(([field]) => !used.has(field)))),
    ...(sourceMessageId === undefined ? {} : { sourceMessageId }),
  };
  const message: MessageInput = {
    role,
    content: content.text,
    ...(name === undefined ? {} : { name }),
    ...(at === undefined ? {} : { at }),
    ...(id === undefined ? {} : { id }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
  const timeField = TIME_FIELDS.find((field) => value[field] !== undefined && value[field] !== null);
  const notes = [
    ...(at === undefined && timeField !== undefined ? [`its ${timeField} is no ISO 8601 time and no Unix time`] : []),
    ...(content.otherParts > 0 ? ['parts that are not text were left out'] : []),
  ];
  return { message, notes, ...(sessionId === undefined ? {} : { sessionId }) };
}

/** A text, or the text parts of OpenAI's content lists; null (a turn that only calls a tool) is an empty text. */
function readContent(field: unknown): { readonly text: string; readonly otherParts: number } | undefined {
  if (field === null) return { text: '', otherParts: 0 };
  if (typeof field === 'string') return { text: field, otherParts: 0 };
  if (!Array.isArray(field)) return undefined;
  const texts = field.flatMap((part: unknown) => {
    if (typeof part === 'string') return [part];
    return isRecord(part) && typeof part['text'] === 'string' ? [part['text']] : [];
  });
  return { text: texts.join('\n'), otherParts: field.length - texts.length };
}

function readText(field: unknown): string | undefined {
  if (typeof field !== 'string' && typeof field !== 'number') return undefined;
  return String(field).trim() === '' ? undefined : String(field);
}

function readTime(field: unknown): string | undefined {
  if (typeof field === 'string' && !/^\d+(\.\d+)?$/.test(field.trim())) return parseTime(field) === undefined ? undefined : field;
  const epoch = typeof field === 'number' || typeof field === 'string' ? Number(field) : Number.NaN;
  const date = new Date(epoch > MAX_EPOCH_SECONDS ? epoch : epoch * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
