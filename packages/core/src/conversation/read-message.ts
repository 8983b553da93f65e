import { z } from 'zod';
import type { ChatMessage } from '../domain/chat-message.ts';
import { cleanText } from '../domain/clean-text.ts';
import { describeIssues } from '../domain/describe-issues.ts';
import { metadataSchema } from '../domain/json.ts';
import { ROLES } from '../domain/message.ts';
import { parseTime } from '../domain/time.ts';
import { MemoryError } from '../errors.ts';

const MAX_ID_LENGTH = 1024;
const text = z.string().transform(cleanText);
const id = z.string().min(1).max(MAX_ID_LENGTH).transform(cleanText);
const toolCall = z.strictObject({ id, name: text, arguments: text });
const messageSchema = z.strictObject({
  role: z.enum(ROLES),
  content: text,
  name: z.string().max(MAX_ID_LENGTH).transform(cleanText).exactOptional(),
  at: z
    .string()
    .refine((time) => parseTime(time) !== undefined, 'must be ISO 8601, for example 2024-03-01T09:30:00+01:00')
    .exactOptional(),
  id: id.exactOptional(),
  toolCalls: z.array(toolCall).exactOptional(),
  toolCallId: id.exactOptional(),
  metadata: metadataSchema.exactOptional(),
});

/** @throws INPUT_INVALID naming each wrong field */
export function readChatMessage(value: unknown, what: string): ChatMessage {
  const parsed = messageSchema.safeParse(withoutUndefined(value));
  if (parsed.success) {
    const message: ChatMessage = parsed.data;
    if (message.toolCalls !== undefined && message.role !== 'assistant') throw invalid(`${what}.toolCalls: only an assistant message calls tools`);
    if (message.role === 'tool' && message.toolCallId === undefined) throw invalid(`${what}.toolCallId: a tool message names the call it answers`);
    return message;
  }
  const { issues } = parsed.error;
  const isForeign = issues.some(({ code, path }) => code === 'unrecognized_keys' || path[0] === 'content' || path[0] === 'role');
  const hint = isForeign ? '. fromOpenAi(), fromAiSdk() and fromLangChain() read the messages of other libraries' : '';
  throw invalid(`${describeIssues(issues, what).join('; ')}${hint}`);
}

function withoutUndefined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

function invalid(problem: string): MemoryError {
  return new MemoryError('INPUT_INVALID', `${problem}.`);
}
