import { describe, expect, it } from 'vitest';
import { openTestMemory, reply } from '../pipeline/open-test-memory.ts';
import { factsOf, tell } from '../pipeline/tell.ts';
import { currentAfter } from './current-after.ts';

const HOME = 'User live in Lindby';

describe('a move that is none of a home ends no home', () => {
  it.each([
    'We moved to Postgres.',
    'We moved to Kubernetes last week.',
    'I moved to Linux.',
    'I moved from Windows to Linux.',
    'We moved to PostgreSQL 17.',
    'I moved to Neovim and I love it.',
    'We moved from GitHub to GitLab.',
    'I live in Slack these days.',
  ])('by the name of a product: %s', async (text) => {
    expect(await currentAfter('I live in Lindby.', text)).toContain(HOME);
  });

  it.each([
    ['We use Zorbel.', 'We moved to Zorbel.'],
    ['Our service depends on Zorbel.', 'We switched to Zorbel.', 'We moved to Zorbel.'],
    ['Zorbel is a new database.', 'I moved to Zorbel.'],
    ['I moved to Zorbel. Zorbel is a great tool.'],
    ['I work at Acme.', 'I moved to Acme.'],
    ['Rosa joined Harbour Labs.', 'I moved to Harbour Labs.'],
  ])('by what the memory knows of it: %s %s', async (...said) => {
    expect(await currentAfter('I live in Lindby.', ...said)).toContain(HOME);
  });

  it('by the type that a model gives', async () => {
    const replies = [
      reply(
        [],
        [
          ['Lia', 'person'],
          ['Lindby', 'place'],
        ],
        [['Lia', 'lives in', 'Lindby']],
      ),
      reply(
        [],
        [
          ['Lia', 'person'],
          ['Zorbel', 'database'],
        ],
        [['Lia', 'moved to', 'Zorbel']],
      ),
    ];
    const { memory } = openTestMemory({ replies });
    await tell(memory, [
      ['2024-01-05', 'I live in Lindby.'],
      ['2024-02-05', 'I moved to Zorbel.'],
    ]);
    expect((await factsOf(memory)).current).toEqual(['Lia lives in Lindby', 'Lia moved to Zorbel']);
  });
});

describe('a move ends the home', () => {
  it.each([
    ['I moved to Corran.', 'User move to Corran'],
    ['We moved to McLean.', 'User move to McLean'],
    ['I moved to Jordan.', 'User move to Jordan'],
  ])('%s', async (text, home) => {
    const current = await currentAfter('I live in Lindby.', text);
    expect(current).toContain(home);
    expect(current).not.toContain(HOME);
  });

  it('also to a town with the name of a friend', async () => {
    expect(await currentAfter('I live in Lindby.', 'My friend Sydney likes tea.', 'I moved to Sydney.')).not.toContain(HOME);
  });
});

describe('where one works is no employer', () => {
  it.each([
    ['네이버에서 일해.', '나는 서울에 살아.', '나는 서울에서 일해.', 'User work at 네이버'],
    ['我在腾讯工作。', '我住在杭州。', '我在杭州工作。', 'User work at 腾讯'],
    ['我在腾讯工作。', '我住在绍兴。', '我在绍兴工作。', 'User work at 腾讯'],
  ])('%s %s %s', async (first, second, third, job) => {
    expect(await currentAfter(first, second, third)).toContain(job);
  });
});
