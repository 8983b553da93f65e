import { describe, expect, it } from 'vitest';
import { openTestMemory, reply } from './open-test-memory.ts';

describe('calls at the same moment', () => {
  const JAM = reply(['Vic likes quince jam'], [['quince jam', 'object']]);

  it('of one user with one text make one memory', async () => {
    const both = Promise.withResolvers<void>();
    let asked = 0;
    const hold = async () => {
      if (++asked === 2) both.resolve();
      await both.promise;
      return JAM;
    };
    const { memory } = openTestMemory({ replies: [hold] });
    const receipts = await Promise.all([
      memory.store('I like quince jam', { userId: 'u-vic' }),
      memory.store('I like quince jam', { userId: 'u-vic' }),
    ]);
    expect(receipts.every((receipt) => receipt.indexed)).toBe(true);
    expect(await memory.stats('u-vic')).toMatchObject({ episodes: 1, entities: 1, facts: 1, vectors: 2, outbox: 0 });
  });

  it('of one user with two texts state one fact with the evidence of both', async () => {
    const both = Promise.withResolvers<void>();
    let asked = 0;
    const hold = async () => {
      if (++asked === 2) both.resolve();
      await both.promise;
      return JAM;
    };
    const { memory } = openTestMemory({ replies: [hold] });
    await Promise.all([memory.store('Quince jam is great', { userId: 'u-vic' }), memory.store('I like quince jam', { userId: 'u-vic' })]);
    expect(await memory.entities({ userId: 'u-vic' })).toHaveLength(1);
    const facts = await memory.facts({ userId: 'u-vic' });
    expect(facts).toHaveLength(1);
    expect(facts[0]?.evidence).toHaveLength(2);
  });

  it("of two users do not wait for each other's model", async () => {
    const wesDone = Promise.withResolvers<void>();
    const { memory } = openTestMemory({
      replies: [
        async (request) => {
          if (JSON.stringify(request).includes('Vic here')) await wesDone.promise;
          return JAM;
        },
      ],
    });
    const vic = memory.store('Vic here: I like quince jam', { userId: 'u-vic' });
    await memory.store('Wes here: I like quince jam', { userId: 'u-wes' });
    expect(await memory.stats('u-wes')).toMatchObject({ episodes: 1, facts: 1 });
    wesDone.resolve();
    await vic;
    expect(await memory.stats('u-vic')).toMatchObject({ episodes: 1, facts: 1 });
  });

  it('that fail release what they held', async () => {
    const { memory } = openTestMemory({ replies: [new Error('a defect'), JAM] });
    await expect(memory.store('first', { userId: 'u' })).rejects.toThrow('a defect');
    expect((await memory.store('second', { userId: 'u' })).episodes).toMatchObject([{ state: 'extracted' }]);
    expect((await memory.store('first', { userId: 'u' })).episodes).toMatchObject([{ state: 'extracted', created: false }]);
  });

  it('in a crowd all end, with everything indexed', async () => {
    const { memory } = openTestMemory();
    const receipts = await Promise.all(
      Array.from({ length: 40 }, (_, i) => memory.store(`note ${i} of tea`, { userId: `u${i % 4}`, sessionId: 's' })),
    );
    expect(receipts.every((receipt) => receipt.indexed && receipt.degraded.length === 0)).toBe(true);
    expect(await memory.stats()).toMatchObject({ episodes: 40, vectors: 40, keywords: 40, outbox: 0, users: 4 });
    const positions = (await memory.episodes({ userId: 'u0' })).map((episode) => episode.position).sort((a, b) => a - b);
    expect(positions).toEqual(Array.from({ length: 10 }, (_, i) => i));
  });
});
