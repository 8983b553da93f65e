import { z } from 'zod';
import type { ChatMessage } from '../domain/chat-message.ts';
import { ROLES } from '../domain/message.ts';
import { parseTime } from '../domain/time.ts';
import { MemoryError } from '../errors.ts';
import type { ConversationEntry } from '../ports/chat-memory-store.ts';

const MAX_ID_LENGTH = 1024;
const id = z.string().min(1).max(MAX_ID_LENGTH);
const toolCall = z.strictObject({ id, name: z.string(), arguments: z.string() });
const messageSchema = z.strictObject({
  role: z.enum(ROLES),
  content: z.string(),
  name: z.string().max(MAX_ID_LENGTH).exactOptional(),
  at: z
    .string()
    .refine((text) => parseTime(text) !== undefined, 'must be ISO 8601, for example 2024-03-01T09:30:00+01:00')
    .exactOptional(),
  id: id.exactOptional(),
  toolCalls: z.array(toolCall).exactOptional(),
  toolCallId: id.exactOptional(),
  metadata: z.record(z.string(), z.json()).exactOptional(),
});
const position = z.int().min(0);
const entrySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start'), epoch: z.string() }),
  z.strictObject({ type: z.literal('message'), message: messageSchema }),
  z.strictObject({ type: z.literal('summary'), epoch: z.string(), covers: position, text: z.string(), by: z.string() }),
  z.strictObject({ type: z.literal('archived'), epoch: z.string(), upTo: position, episodes: z.array(z.tuple([position, z.string()])) }),
]);

/** @throws INPUT_INVALID naming each wrong field */
export function readChatMessage(value: unknown, what: string): ChatMessage {
  const parsed = messageSchema.safeParse(value);
  if (parsed.success) {
    const message: ChatMessage = parsed.data;
    if (message.toolCalls !== undefined && message.role !== 'assistant') throw invalid(`${what}.toolCalls: only an assistant message calls tools`);
    if (message.role === 'tool' && message.toolCallId === undefined) throw invalid(`${what}.toolCallId: a tool message names the call it answers`);
    return message;
  }
  throw invalid(parsed.error.issues.map((issue) => `${[what, ...issue.path].join('.')}: ${issue.message}`).join('; '));
}

/**
 * An entry as a store reads it back from text.
 * @param where names the record in the error, never its text
 * @throws CORRUPT_RECORD
 */
export function readConversationEntry(text: string, where: string): ConversationEntry {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const parsed = entrySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new MemoryError('CORRUPT_RECORD', `${where} is no entry of a conversation. Restore it from a copy, or delete the conversation.`);
}

function invalid(problem: string): MemoryError {
  return new MemoryError('INPUT_INVALID', `${problem}.`);
}
