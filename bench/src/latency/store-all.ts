import type { Memory, MessageInput } from '@tandem-memory/core';
import { type BenchUser, conversations } from './corpus.ts';
import type { Vocabulary } from './vocabulary.ts';

export const MESSAGES_PER_CALL = 500;
const PROGRESS_EVERY = 10_000;

/**
 * Brings everything in through the public `store()`, up to `MESSAGES_PER_CALL` turns a call.
 * @param embedding its `elapsedMs` is subtracted; none subtracts nothing
 * @returns seconds until all was durable and indexed, without the making of the texts
 */
export async function storeAll(
  memory: Memory,
  users: readonly BenchUser[],
  vocabulary: Vocabulary,
  embedding: { readonly elapsedMs: number } | undefined,
  onProgress: (line: string) => void,
): Promise<number> {
  const total = users.reduce((sum, user) => sum + user.memories, 0);
  let milliseconds = 0;
  let stored = 0;
  const embeddingBefore = embedding?.elapsedMs ?? 0;
  const store = async (user: BenchUser, messages: readonly MessageInput[]) => {
    const start = performance.now();
    await memory.store(messages, { userId: user.id, sessionId: `session-${stored}` });
    milliseconds += performance.now() - start;
    if (Math.floor((stored + messages.length) / PROGRESS_EVERY) > Math.floor(stored / PROGRESS_EVERY))
      onProgress(`bulk: ${stored + messages.length} of ${total}`);
    stored += messages.length;
  };
  for (const user of users) {
    let waiting: MessageInput[] = [];
    for (const messages of conversations(user, vocabulary)) {
      waiting.push(...messages);
      if (waiting.length < MESSAGES_PER_CALL) continue;
      await store(user, waiting);
      waiting = [];
    }
    if (waiting.length > 0) await store(user, waiting);
  }
  return (milliseconds - ((embedding?.elapsedMs ?? 0) - embeddingBefore)) / 1000;
}
