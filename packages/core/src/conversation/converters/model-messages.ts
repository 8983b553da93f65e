import type { ChatMessage } from '../../domain/chat-message.ts';
import type { ModelMessage } from '../../ports/language-model.ts';

/**
 * For a `LanguageModel`, which calls no tools: tool exchanges are left out but for what the assistant said. Neighbours of one role become one
 * message, since the chat templates of some local models refuse two in a row.
 */
export function toModelMessages(messages: readonly ChatMessage[]): ModelMessage[] {
  const result: ModelMessage[] = [];
  for (const { role, content } of messages) {
    if (role === 'tool' || content === '') continue;
    const last = result.at(-1);
    if (last?.role === role) result[result.length - 1] = { role, content: `${last.content}\n\n${content}` };
    else result.push({ role, content });
  }
  return result;
}
