import { type EntityJudge, modelEntityJudge } from '@tandem-memory/core';
import { ScriptedLanguageModel, type ScriptedReply } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { openTestMemory, reply } from './open-test-memory.ts';

const USER = { userId: 'u' };
const FIRST = ['Alexander', 'Benjamin', 'Christopher', 'Dominique', 'Elizabeth', 'Frederick'];
const PEOPLE = FIRST.flatMap((first) => ['Stone', 'Rivers', 'Woods'].map((last) => [`${first} ${last}`, 'person'] as const));
const REPLIES = [
  reply([], PEOPLE),
  reply(
    FIRST.map((first) => `${first} is nice`),
    FIRST.map((first) => [first, 'person'] as const),
  ),
];

/** A memory that knows three people of each first name, and is about to hear of the first names alone. */
async function manyNames(judge: EntityJudge) {
  const opened = openTestMemory({ replies: REPLIES, judge, options: { deadlines: { recallMs: 20 } } });
  await opened.memory.store('The list of the people.', USER);
  return opened;
}

function scripted(answer: ScriptedReply) {
  const model = new ScriptedLanguageModel([answer]);
  return { model, judge: modelEntityJudge(model) };
}

describe('a judge of names', () => {
  it('is asked a few times a store, and each time is counted', async () => {
    const { model, judge } = scripted({ text: '{"same":false}', inputTokens: 10, outputTokens: 2 });
    const { memory } = await manyNames(judge);
    const receipt = await memory.store('They are nice.', USER);
    expect(receipt.facts).toHaveLength(6);
    expect(model.requests.length).toBeGreaterThan(0);
    expect(model.requests.length).toBeLessThanOrEqual(6);
    const calls = model.requests.length;
    expect(receipt.usage).toEqual({ calls: 1 + calls, inputTokens: 10 * calls, outputTokens: 2 * calls });
    // No name takes all of them.
    expect(new Set(model.requests.map(({ messages }) => JSON.parse(messages[1]?.content ?? '').first.name)).size).toBeGreaterThan(1);
  });

  it('that joins two names is believed', async () => {
    const { judge } = scripted('{"same":true}');
    const { memory } = await manyNames(judge);
    const { merges } = await memory.store('They are nice.', USER);
    expect(merges).toContainEqual(expect.objectContaining({ spelling: 'Alexander', step: 'model' }));
  });

  it('that never answers is waited for once', async () => {
    const { model, judge } = scripted(() => new Promise<never>(() => undefined));
    const { memory } = await manyNames(judge);
    expect((await memory.store('They are nice.', USER)).facts).toHaveLength(6);
    expect(model.requests).toHaveLength(1);
  });

  it('ends with the caller’s signal', async () => {
    const asked = Promise.withResolvers<AbortSignal | undefined>();
    const judge: EntityJudge = {
      isSame: (_met, _known, call) => {
        asked.resolve(call?.signal);
        return new Promise<never>(() => undefined);
      },
    };
    const { memory } = openTestMemory({ replies: REPLIES, judge });
    await memory.store('The list of the people.', USER);
    const controller = new AbortController();
    const storing = memory.store('They are nice.', { ...USER, signal: controller.signal });
    const signal = await asked.promise;
    controller.abort();
    await expect(storing).rejects.toMatchObject({ code: 'ABORTED' });
    expect(signal?.aborted).toBe(true);
  });
});
