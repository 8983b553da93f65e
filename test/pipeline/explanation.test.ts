import { describe, expect, it } from 'vitest';
import { NOTHING, openTestMemory, reply } from './open-test-memory.ts';

const sum = (parts: Readonly<Record<string, number>>) => Object.values(parts).reduce((total, part) => total + part, 0);

async function openHarbour() {
  const { memory } = openTestMemory({
    replies: [
      reply(
        ['Marit leads security at Ostra Line'],
        [
          ['Marit', 'person'],
          ['Ostra Line', 'organization'],
        ],
        [['Marit', 'leads security at', 'Ostra Line']],
      ),
      NOTHING,
    ],
  });
  await memory.store([{ role: 'user', name: 'Ana', content: 'Marit leads security at Ostra Line.', at: '2024-03-01T09:00:00Z' }], {
    userId: 'u',
    sessionId: 's',
  });
  await memory.store(
    [
      { role: 'user', name: 'Bo', content: 'Ostra Line wants another protocol before May.', at: '2024-03-02T09:00:00Z' },
      { role: 'user', name: 'Ana', content: 'Well, the ferry to Varnes leaves from pier three on Mondays.', at: '2024-03-05T09:00:00Z' },
      { role: 'user', name: 'Ana', content: 'The ferry to Varnes leaves from pier three on Mondays!', at: '2024-03-04T09:00:00Z' },
      { role: 'user', name: 'Ana', content: 'The ferry to Varnes never leaves from pier three on Mondays.', at: '2024-03-03T09:00:00Z' },
    ],
    { userId: 'u', sessionId: 's' },
  );
  return memory;
}

describe('an explanation', () => {
  it('gives parts that sum up to the score, and channels with ranks, of every item', async () => {
    const memory = await openHarbour();
    for (const question of ['Who leads security at Ostra Line?', 'What did Ana say on 5 March 2024?', 'Varnes']) {
      const { items } = await memory.retrieve(question, { userId: 'u' });
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) {
        expect(sum(item.parts)).toBeCloseTo(item.score, 9);
        for (const channel of item.channels) expect(channel.rank).toBeGreaterThanOrEqual(1);
      }
    }
  });

  it('survives JSON: nothing in a result is lost or infinite', async () => {
    const memory = await openHarbour();
    const context = await memory.retrieve('Who leads security at Ostra Line?', { userId: 'u', budget: 60 });
    expect(JSON.parse(JSON.stringify(context))).toEqual(context);
    expect(context.omitted.length).toBeGreaterThan(0);
    for (const item of context.omitted) {
      expect(item.preview.length).toBeGreaterThan(0);
      expect(['budget', 'duplicate']).toContain(item.reason);
    }
  });
});

describe('near-duplicates', () => {
  it('are folded, with both turns as evidence; a negation is none', async () => {
    const memory = await openHarbour();
    const { items, omitted } = await memory.retrieve('Where does the ferry to Varnes leave from?', { userId: 'u', kinds: ['episode'] });
    const ferries = items.filter((item) => item.text.includes('pier three'));
    expect(ferries).toHaveLength(2);
    expect(ferries.map((item) => item.evidence.length).sort()).toEqual([1, 2]);
    const folded = omitted.filter((item) => item.reason === 'duplicate');
    expect(folded).toHaveLength(1);
    expect(items.map((item) => item.id)).toContain(folded[0]?.duplicateOf);
    const all = await memory.retrieve('Where does the ferry to Varnes leave from?', { userId: 'u', kinds: ['episode'], foldNearDuplicates: false });
    expect(all.items.filter((item) => item.text.includes('pier three'))).toHaveLength(3);
  });
});

describe('the order', () => {
  it('by time puts the oldest first, of the same memories', async () => {
    const memory = await openHarbour();
    const options = { userId: 'u', kinds: ['episode' as const], topK: 3 };
    const [relevant, timely] = [
      await memory.retrieve('ferry to Varnes', options),
      await memory.retrieve('ferry to Varnes', { ...options, order: 'time' }),
    ];
    expect(timely.items.map((item) => item.localTime)).toEqual(relevant.items.map((item) => item.localTime).sort());
    expect(timely.items.map((item) => item.citation)).toEqual(timely.items.map((_, index) => index + 1));
    expect(timely.text.indexOf('[1]')).toBeLessThan(timely.text.indexOf('[2]'));
  });
});

describe('answerability', () => {
  it('tells a question about what was said from one about what was not, whatever the budget', async () => {
    const memory = await openHarbour();
    const sure = async (question: string, budget = 2000) => (await memory.retrieve(question, { userId: 'u', budget })).answerability;
    const [known, unknown] = [await sure('Who leads security at Ostra Line?'), await sure('How do you cook rice in Mongolia?')];
    expect(known).toBeGreaterThan(unknown);
    expect(await sure('Who leads security at Ostra Line?', 0)).toBe(known);
    expect((await memory.retrieve('Who?', { userId: 'nobody' })).answerability).toBe(0);
  });
});

describe('options of packing', () => {
  it.each([[{ order: 'newest' }], [{ diversity: 2 }], [{ diversity: Number.NaN }], [{ shorten: 'yes' }], [{ foldNearDuplicates: 1 }]])(
    'refuse %j',
    async (wrong) => {
      const { memory } = openTestMemory();
      await expect(memory.retrieve('x', { userId: 'u', ...(wrong as object) })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    },
  );
});
