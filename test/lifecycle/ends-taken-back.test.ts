import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';

const userId = 'u';
const HOME = 'Lia lives in Lindby.';
const MOVE = 'Lia moved to Corran.';
const NEXT = 'Lia moved to Bergen.';

type Opened = ReturnType<typeof openTestMemory>;

async function homes({ memory }: Opened): Promise<string[]> {
  const facts = await memory.facts({ userId });
  return facts
    .filter(({ slot }) => slot === 'place')
    .map(({ text, invalidAt }) => `${text} ${invalidAt?.slice(0, 10) ?? 'holds'}`)
    .sort();
}

async function outdated({ memory }: Opened): Promise<(string | undefined)[]> {
  const turns = await memory.episodes({ userId });
  return turns.filter(({ content }) => content === HOME).map((turn) => turn.outdated?.since.slice(0, 10));
}

const say = ({ memory }: Opened, content: string, at: string, more: { readonly expiresAt?: string } = {}) =>
  memory.store([{ role: 'user', content, at }], { userId, sessionId: 's', ...more });

const ways: readonly (readonly [string, (opened: Opened) => Promise<void>, (opened: Opened) => Promise<unknown>])[] = [
  [
    'a document that no longer says it',
    async ({ memory }) => {
      await memory.store({ text: MOVE, sourceId: 'lia.md', at: '2024-02-05' }, { userId });
    },
    ({ memory }) => memory.store({ text: 'Lia likes tea.', sourceId: 'lia.md', at: '2024-04-05' }, { userId }),
  ],
  [
    'a turn whose time is over',
    async (opened) => {
      await say(opened, MOVE, '2024-02-05', { expiresAt: '2026-07-01' });
    },
    ({ memory, clock }) => {
      clock.advance(60 * 86_400_000);
      return memory.decay({ userId, threshold: 0.0001 });
    },
  ],
  [
    'a turn that was in the archive for long enough',
    async (opened) => {
      await say(opened, MOVE, '2024-02-05');
    },
    async ({ memory, clock }) => {
      clock.advance(60 * 86_400_000);
      const kept = (await memory.episodes({ userId })).filter(({ content }) => content !== MOVE).map(({ id }) => id);
      await memory.decay({ userId, halfLifeDays: 1 });
      await memory.restore({ userId, ids: kept });
      clock.advance(31 * 86_400_000);
      return memory.decay({ userId, halfLifeDays: 10_000, deleteAfterDays: 30 });
    },
  ],
];

describe('what told of an end goes, and the end with it', () => {
  it.each(ways)('%s', async (_, tell, remove) => {
    const opened = openTestMemory({ extractor: rulesExtractor() });
    await say(opened, HOME, '2024-01-05');
    await tell(opened);
    expect(await homes(opened)).toEqual([`${HOME} 2024-02-05`, `${MOVE} holds`]);
    expect(await outdated(opened)).toEqual(['2024-02-05']);
    await remove(opened);
    expect(await homes(opened)).toEqual([`${HOME} holds`]);
    expect(await outdated(opened)).toEqual([undefined]);
  });

  it.each(ways)('but for what ended it besides: %s', async (_, tell, remove) => {
    const opened = openTestMemory({ extractor: rulesExtractor() });
    await say(opened, HOME, '2024-01-05');
    await tell(opened);
    await say(opened, NEXT, '2024-03-05');
    await remove(opened);
    expect(await homes(opened)).toEqual([`${HOME} 2024-03-05`, `${NEXT} holds`]);
    expect(await outdated(opened)).toEqual(['2024-03-05']);
  });

  it('what is in the archive is still known: who moved does not live there again because the move has faded', async () => {
    const opened = openTestMemory({ extractor: rulesExtractor() });
    await say(opened, HOME, '2024-01-05');
    await say(opened, MOVE, '2024-02-05');
    opened.clock.advance(60 * 86_400_000);
    await opened.memory.decay({ userId, halfLifeDays: 1 });
    expect(await homes(opened)).toEqual([`${HOME} 2024-02-05`, `${MOVE} holds`]);
  });
});
