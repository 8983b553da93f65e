import type { ChatMessage } from '../domain/chat-message.ts';
import { deriveId } from '../domain/id.ts';
import type { MessageInput } from '../domain/store-input.ts';
import type { Summariser } from '../ports/summariser.ts';
import type { LongTermMemory } from './conversation-options.ts';

export interface ArchiveInput {
  readonly scope: { readonly userId: string; readonly sessionId: string; readonly agentId?: string };
  readonly epoch: string;
  /** Position of the first message. */
  readonly from: number;
  readonly messages: readonly ChatMessage[];
  readonly what: 'summary' | 'turns' | 'both';
}

export interface ArchiveDependencies {
  readonly memory: LongTermMemory;
  readonly summariser: Summariser;
  readonly summaryTokens: number;
}

/**
 * Stores messages in the long-term memory. Ids are derived from the log and the position: done twice, or by two writers, it is done once.
 * @returns episodes of raw turns, by position
 * @throws errors of the memory and of the summariser
 */
export async function archiveMessages(
  input: ArchiveInput,
  { memory, summariser, summaryTokens }: ArchiveDependencies,
  signal?: AbortSignal,
): Promise<readonly (readonly [number, string])[]> {
  const spoken = input.messages
    .map((message, index) => ({ message, position: input.from + index }))
    .filter(({ message }) => (message.role === 'user' || message.role === 'assistant') && message.content.trim() !== '');
  if (spoken.length === 0) return [];
  const options = { ...input.scope, ...(signal === undefined ? {} : { signal }) };

  const episodes: (readonly [number, string])[] = [];
  if (input.what !== 'summary') {
    const turns = spoken.map(({ message, position }): MessageInput => turn(message, deriveId('conversation turn', input.epoch, position)));
    const receipt = await memory.store(turns, options);
    // Equal in number unless the memory passed one over; then no place is known for sure.
    if (receipt.episodes.length === spoken.length) {
      for (const [index, { position }] of spoken.entries()) episodes.push([position, receipt.episodes[index]?.id ?? '']);
    }
  }
  if (input.what !== 'turns') {
    const text = await summariser.summarise({ messages: spoken.map(({ message }) => message), maxTokens: summaryTokens }, signal);
    const [first, last] = [spoken[0]?.message.at, spoken.at(-1)?.message.at];
    await memory.store(
      {
        role: 'assistant',
        content: text,
        id: deriveId('conversation summary', input.epoch, input.from, input.from + input.messages.length),
        ...(last === undefined ? {} : { at: last }),
        metadata: {
          type: 'conversation-summary',
          by: summariser.id,
          messageCount: spoken.length,
          ...(first === undefined ? {} : { from: first }),
          ...(last === undefined ? {} : { to: last }),
        },
      },
      // Facts come from what was said, not from what a summary makes of it.
      { ...options, infer: false },
    );
  }
  return episodes;
}

function turn(message: ChatMessage, id: string): MessageInput {
  return {
    role: message.role,
    content: message.content,
    id,
    ...(message.name === undefined ? {} : { name: message.name }),
    ...(message.at === undefined ? {} : { at: message.at }),
    metadata: { ...message.metadata, type: 'conversation-turn' },
  };
}
