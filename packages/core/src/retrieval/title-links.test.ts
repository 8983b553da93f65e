import { describe, expect, it } from 'vitest';
import type { Recollection } from '../domain/recollection.ts';
import { followTitles, plainTitle } from './title-links.ts';

const AT = '2024-01-01T00:00:00.000Z';

function chunk(id: string, score: number, content: string, title?: string): Recollection {
  return {
    kind: 'episode',
    id,
    score,
    channels: [],
    path: [],
    episode: {
      id,
      userId: 'u',
      kind: 'chunk',
      role: 'user',
      content,
      at: AT,
      utcOffsetMinutes: 0,
      createdAt: AT,
      position: 0,
      metadata: title === undefined ? {} : { title },
      state: 'extracted',
    },
  };
}

function lifted(items: readonly Recollection[], question = ''): string[] {
  const before = new Map(items.map((item) => [item.id, item.score]));
  return followTitles(items, question)
    .filter((item) => item.score > (before.get(item.id) ?? 0))
    .map((item) => item.id);
}

describe('followTitles', () => {
  it('lifts a document that one of the best passages names, as whole words and without what tells namesakes apart', () => {
    expect(
      lifted([
        chunk('a', 1, 'Lilu was the brother of Gallu and of Ana Marks.', 'Lilu'),
        chunk('b', 0.3, 'a demon', 'Gallu (demon)'),
        chunk('c', 0.2, 'a painter', 'Ana Mark Twain'),
        chunk('d', 0.1, 'a place', 'Brothers'),
      ]),
    ).toEqual(['b']);
  });

  it('reads titles of other scripts, and no titles that are hardly a word', () => {
    expect(lifted([chunk('a', 1, '她去年搬到了海牙国际法院附近。'), chunk('b', 0.3, '…', '海牙国际法院'), chunk('c', 0.2, '…', '她')])).toEqual([
      'b',
    ]);
    expect(lifted([chunk('a', 1, '민아는 겨울 축제 준비를 한다'), chunk('b', 0.3, '…', '겨울 축제')])).toEqual(['b']);
  });

  it('leads neither from a document to itself nor to more than two of its chunks', () => {
    expect(lifted([chunk('a', 1, 'About Lilu.', 'Lilu'), chunk('b', 0.5, 'More.', 'Lilu')])).toEqual([]);
    expect(
      lifted([chunk('a', 1, 'See the release notes.'), ...['b', 'c', 'd'].map((id, i) => chunk(id, 0.5 - i / 10, '…', 'Release notes'))]),
    ).toEqual(['b', 'c']);
  });

  it('is led by the best passages only, and leaves untitled turns alone', () => {
    const best = ['a', 'b', 'c', 'd', 'e'].map((id) => chunk(id, 1, 'nothing'));
    expect(lifted([...best, chunk('f', 0.9, 'It was Gallu.'), chunk('g', 0.1, '…', 'Gallu')])).toEqual([]);
    expect(followTitles([], 'Gallu?')).toEqual([]);
  });

  it('leads two steps, and further up, from a document that the question names', () => {
    const chain = [
      chunk('work', 1, 'Blue Harbour was directed by Ana Marks.', 'Blue Harbour'),
      chunk('other', 0.9, 'A film by Otto Lind.', 'Red Harbour'),
      chunk('maker', 0.2, 'Ana Marks was born in Lindby.', 'Ana Marks'),
      chunk('town', 0.1, 'A town on a river.', 'Lindby'),
      chunk('stranger', 0.1, 'A painter.', 'Otto Lind'),
    ];
    expect(lifted(chain, 'Where was the maker of Blue Harbour born?')).toEqual(['maker', 'town', 'stranger']);
    const unnamed = new Map(followTitles(chain, 'Where was the maker born?').map((item) => [item.id, item.score]));
    expect(unnamed.get('maker')).toBeCloseTo(0.45);
    expect(unnamed.get('town')).toBeCloseTo(0.15);
    const scores = new Map(followTitles(chain, 'Who made Blue Harbour?').map((item) => [item.id, item.score]));
    expect([...scores].sort((a, b) => b[1] - a[1]).map(([id]) => id)).toEqual(['work', 'maker', 'town', 'other', 'stranger']);
    expect(scores.get('maker')).toBeGreaterThan(0.9);
    expect(scores.get('maker')).toBeLessThan(1);
  });

  it('puts the nearer before the farther, with two documents that the question names', () => {
    const chains = [
      chunk('first', 1, 'Blue Harbour was directed by Ana Marks.', 'Blue Harbour'),
      chunk('second', 0.8, 'Red Harbour was directed by Otto Lind.', 'Red Harbour'),
      chunk('town', 0.7, 'A town on a river.', 'Lindby'),
      chunk('ana', 0.3, 'Ana Marks was born in Lindby.', 'Ana Marks'),
      chunk('otto', 0.2, 'Otto Lind was born in Lindby.', 'Otto Lind'),
    ];
    const ranked = followTitles(chains, 'Were the makers of Blue Harbour and Red Harbour born in one town?').sort((a, b) => b.score - a.score);
    expect(ranked.map((item) => item.id)).toEqual(['first', 'second', 'ana', 'otto', 'town']);
  });

  it('leads less from a page that names many', () => {
    const names = Array.from({ length: 20 }, (_, index) => `Harbour Number${index}`);
    const list = [chunk('list', 1, `${names.join(', ')}.`, 'All Harbours'), ...names.map((name) => chunk(name, 0.2, 'A harbour.', name))];
    const scores = followTitles(list, 'What is in All Harbours?').map((item) => item.score);
    expect(Math.max(...scores.slice(1))).toBeLessThan(0.35);
    expect(Math.min(...scores.slice(1))).toBeGreaterThan(0.2);
  });

  it('takes no title for named that stands inside a longer one', () => {
    const items = [
      chunk('a', 1, 'Blue Harbour Lights was filmed in 1950.', 'Blue Harbour Lights'),
      chunk('b', 0.5, 'A port.', 'Blue Harbour'),
      chunk('c', 0.4, 'They met in Lights Road and then in Blue Harbour.'),
    ];
    expect(lifted(items.slice(0, 2), 'Who made Blue Harbour Lights?')).toEqual([]);
    expect(lifted(items, 'Who made Blue Harbour Lights?')).toEqual(['b']);
  });

  it('ends where documents name each other in a circle', () => {
    const circle = [chunk('a', 1, 'See Second Page.', 'First Page'), chunk('b', 0.5, 'See First Page.', 'Second Page')];
    const scores = followTitles(circle, 'What is on First Page?').map((item) => item.score);
    expect(scores.every(Number.isFinite)).toBe(true);
    expect(Math.max(...scores)).toBeLessThan(2);
  });

  it('keeps a title that is nothing but brackets', () => {
    expect(plainTitle('(untitled)')).toBe('(untitled)');
    expect(plainTitle('Gallu (demon)')).toBe('Gallu');
  });
});
