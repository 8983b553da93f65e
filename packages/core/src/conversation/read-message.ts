import { z } from 'zod';
import type { ChatMessage } from '../domain/chat-message.ts';
import { ROLES } from '../domain/message.ts';
import { parseTime } from '../domain/time.ts';
import { MemoryError } from '../errors.ts';

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

function invalid(problem: string): MemoryError {
  return new MemoryError('INPUT_INVALID', `${problem}.`);
}
