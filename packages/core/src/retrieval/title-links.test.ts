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

function lifted(items: readonly Recollection[]): string[] {
  const before = new Map(items.map((item) => [item.id, item.score]));
  return followTitles(items)
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
    expect(followTitles([])).toEqual([]);
  });

  it('keeps a title that is nothing but brackets', () => {
    expect(plainTitle('(untitled)')).toBe('(untitled)');
    expect(plainTitle('Gallu (demon)')).toBe('Gallu');
  });
});
