import { describe, expect, it } from 'vitest';
import type { ChannelScore } from '../domain/candidate.ts';
import type { Episode } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
import type { Recollection } from '../domain/recollection.ts';
import { analyseQuery } from './analyse-query.ts';
import { rerank } from './rerank.ts';

const NOW = new Date('2024-06-01T00:00:00.000Z');
const LONG_AGO = '2020-01-01T00:00:00.000Z';

function turn(id: string, score: number, fields: Partial<Episode> = {}, channels: readonly ChannelScore[] = []): Recollection {
  const episode: Episode = {
    id,
    userId: 'u',
    kind: 'message',
    role: 'user',
    content: `text of ${id}`,
    at: LONG_AGO,
    utcOffsetMinutes: 0,
    createdAt: LONG_AGO,
    position: 0,
    metadata: {},
    state: 'extracted',
    ...fields,
  };
  return { kind: 'episode', id, score, channels, path: [], episode };
}

function statement(id: string, score: number, fields: Partial<Fact> = {}): Recollection {
  const fact: Fact = {
    id,
    userId: 'u',
    text: `text of ${id}`,
    entityIds: [],
    evidence: [],
    createdAt: LONG_AGO,
    confidence: 1,
    importance: 0.5,
    origin: 'model',
    saidBy: 'user',
    properties: {},
    ...fields,
  };
  return { kind: 'fact', id, score, channels: [], path: [], fact };
}

function order(recollections: readonly Recollection[], text = 'what?', speakers: readonly string[] = [], anchored = false): string[] {
  return rerank({ query: analyseQuery({ userId: 'u', text, filter: {}, speakers }), recollections, now: NOW, anchored }).map((item) => item.id);
}

describe('rerank', () => {
  it('keeps the order of the match where nothing else is known, ties by id', () => {
    expect(order([turn('b', 0.2), turn('c', 0.9), turn('a', 0.2)])).toEqual(['c', 'a', 'b']);
    expect(order([])).toEqual([]);
  });

  it('lifts the words of whoever is asked for, and of the user where it is only about him, less', () => {
    const items = [turn('mine', 0.5), turn('yours', 0.5, { role: 'assistant' }), turn('better', 0.6, { role: 'assistant' })];
    expect(order(items, 'Which trip did I tell you about?')).toEqual(['mine', 'better', 'yours']);
    expect(order(items, 'What did you recommend?')).toEqual(['better', 'yours', 'mine']);
    expect(order(items, 'Where do I live?')).toEqual(['mine', 'better', 'yours']);
    expect(order(items, 'Where does Bob live?')).toEqual(['better', 'mine', 'yours']);
    expect(order([turn('note', 0.5, { kind: 'text' }), turn('better', 0.6, { role: 'assistant' })], 'Where do I live?')).toEqual(['note', 'better']);
    const best = [turn('mine', 0.5), turn('yours', 0.7, { role: 'assistant' })];
    expect(order(best, 'Where do I live?')).toEqual(['yours', 'mine']);
    expect(order(best, 'Where did I tell you that I live?')).toEqual(['mine', 'yours']);
  });

  it("does not mark a fact down for being the assistant's where the assistant is asked for", () => {
    const items = [statement('mine', 0.5), statement('yours', 0.55, { saidBy: 'assistant' })];
    expect(order(items, 'what?')).toEqual(['mine', 'yours']);
    expect(order(items, 'What did you suggest?')).toEqual(['yours', 'mine']);
  });

  it('lifts no document for the words of a user', () => {
    const items = [turn('manual', 0.55, { kind: 'chunk' }), turn('mine', 0.5)];
    expect(order(items, 'Where is my pump?')).toEqual(['mine', 'manual']);
    expect(order([turn('manual', 0.55, { kind: 'chunk' }), turn('yours', 0.5, { role: 'assistant' })], 'Where is my pump?')).toEqual([
      'manual',
      'yours',
    ]);
  });

  it('lifts turns near a good match of the same thread, not others', () => {
    const items = [
      turn('far', 0.3, { threadId: 't', position: 20 }),
      turn('other', 0.3, { threadId: 'u', position: 2 }),
      turn('near', 0.3, { threadId: 't', position: 5 }),
      turn('best', 1, { threadId: 't', position: 1 }),
    ];
    expect(order(items)).toEqual(['best', 'near', 'far', 'other']);
  });

  it('counts what stands just before and after', () => {
    const fitting: Recollection = { ...turn('c', 0.01, { threadId: 't', position: 5 }), parts: { cosine: 0.9 } };
    expect(order([turn('a', 0.3), turn('b', 0.3, { threadId: 't', position: 4 }), fitting])[0]).toBe('b');
  });

  it('takes any thread names apart', () => {
    expect(order([turn('a', 0.3, { threadId: 't\n1', position: 1 }), turn('b', 1, { threadId: 't', position: 1 })])).toEqual(['b', 'a']);
  });

  it('lifts the speakers that are asked about, not one who is spoken to', () => {
    const names = ['Ana', 'Bob', 'Cleo'];
    const items = [turn('a', 0.5, { speaker: 'Bob' }), turn('b', 0.45, { speaker: 'Ana' }), turn('c', 0.55, { speaker: 'Cleo' })];
    expect(order(items, 'What did Ana say?', names)).toEqual(['b', 'c', 'a']);
    expect(order(items, 'What did Ana say to Bob?', names)).toEqual(['b', 'c', 'a']);
    expect(order(items, 'What did Bob say to Ana?', names)).toEqual(['a', 'c', 'b']);
    expect(order(items, 'Where did Ana and Bob meet?', names)).toEqual(['a', 'b', 'c']);
  });

  it('lifts what one answers the other by what the other said, where the question is about both', () => {
    const asked: Recollection = { ...turn('c', 0.5, { threadId: 't', position: 1, speaker: 'Bob' }), parts: { cosine: 0.5 } };
    const items = [asked, turn('b', 0.2, { threadId: 't', position: 2, speaker: 'Ana' }), turn('a', 0.35, { speaker: 'Ana' })];
    expect(order(items, 'What does Ana think of the adoption?', ['Ana', 'Bob'])[0]).toBe('a');
    expect(order(items, "What does Ana think of Bob's adoption?", ['Ana', 'Bob'])[0]).toBe('b');
    expect(order(items, 'What did Ana hear from Bob?', ['Ana', 'Bob'])).toEqual(['c', 'b', 'a']);
    expect(order(items, 'What do Ana and Bob think?', ['Ana', 'Bob'])).toEqual(['c', 'a', 'b']);
  });

  it('lifts what was said at the time that is asked about, by the calendar of its author', () => {
    const items = [turn('a', 0.5), turn('b', 0.4, { at: '2023-04-30T16:00:00.000Z', utcOffsetMinutes: 540 })];
    expect(order(items, 'What happened in May 2023?')).toEqual(['b', 'a']);
    expect(order(items, 'What happened in April?')).toEqual(['b', 'a']);
    expect(order(items, 'What happened in May 2022?')).toEqual(['a', 'b']);
  });

  it('can leave time out of account, or all but the match, to show what they are worth', () => {
    const items = [turn('a', 0.5), turn('b', 0.4, { at: '2024-05-10T00:00:00.000Z', speaker: 'Ana' })];
    const query = analyseQuery({ userId: 'u', text: 'What did Ana say in May 2024?', filter: {}, speakers: ['Ana'] });
    const first = (without: readonly ('time' | 'rerank')[]) => rerank({ query, recollections: items, now: NOW, without: [...without] })[0];
    expect(first([])?.parts).toMatchObject({ date: expect.any(Number), speaker: expect.any(Number) });
    expect(first(['time'])).toMatchObject({ id: 'b', parts: { speaker: expect.any(Number) } });
    expect(first(['time'])?.parts).not.toHaveProperty('date');
    expect(first(['rerank'])).toEqual(items[0]);
  });

  it('lets questions sink', () => {
    expect(order([turn('a', 0.5, { content: 'Do you like it?' }), turn('b', 0.5, { content: 'I like it.' })])).toEqual(['b', 'a']);
    expect(order([turn('a', 0.5, { content: '좋아？ ' }), turn('b', 0.5, { content: '좋아.' })])).toEqual(['b', 'a']);
  });

  it('puts the question itself, asked before, below what says anything', () => {
    const asked = turn('asked', 1.2, { content: 'where does ana live ?' });
    expect(order([asked, turn('answer', 0.4)], 'Where does Ana live?')).toEqual(['answer', 'asked']);
    expect(order([asked, turn('answer', 0.4)], 'Where does Ana work?')).toEqual(['asked', 'answer']);
  });

  it('prefers facts that hold to facts that have ended', () => {
    expect(
      order([
        statement('a', 0.6, { invalidAt: '2024-05-01T00:00:00.000Z' }),
        statement('b', 0.6, { expiredAt: '2024-05-01T00:00:00.000Z' }),
        statement('c', 0.5),
        statement('d', 0.5, { invalidAt: '2025-01-01T00:00:00.000Z' }),
      ]),
    ).toEqual(['c', 'd', 'a', 'b']);
  });

  it('prefers the important and the newer among equals', () => {
    expect(order([statement('a', 0.5), statement('b', 0.5, { importance: 0.9 })])).toEqual(['b', 'a']);
    expect(order([turn('a', 0.5), turn('b', 0.5, { at: '2024-05-31T00:00:00.000Z' })])).toEqual(['b', 'a']);
  });

  it('gives no advantage to what lies in the future', () => {
    const scores = rerank({
      query: analyseQuery({ userId: 'u', text: 'x', filter: {}, speakers: [] }),
      recollections: [turn('a', 0, { at: '2030-01-01T00:00:00.000Z' }), turn('b', 0, { at: NOW.toISOString() })],
      now: NOW,
    });
    expect(scores[0]?.score).toBe(scores[1]?.score);
  });

  it('does not depend on the order it is given, and leaves its input alone', () => {
    const items = Object.freeze([
      turn('a', 0.4, { threadId: 't', position: 1 }),
      turn('b', 0.4, { threadId: 't', position: 2 }),
      statement('f', 0.4),
      turn('c', 0.9, { threadId: 't', position: 3 }),
    ]);
    expect(order([...items].reverse())).toEqual(order(items));
    expect(items.map((item) => item.score)).toEqual([0.4, 0.4, 0.4, 0.9]);
  });

  const visited = (score: number): ChannelScore[] => [{ channel: 'graph', rank: 1, score }];

  it('lets names lift a passage up to the five best, not into them, where the question names more than speakers', () => {
    const best = ['a', 'b', 'c', 'd', 'e'].map((id) => turn(id, 0.9));
    const items = [...best, turn('f', 0.5), turn('g', 0.48, {}, visited(1)), turn('h', 0.49, {}, visited(0.01))];
    expect(order(items, 'what?', [], true).slice(5)).toEqual(['g', 'f', 'h']);
    expect(order(items).slice(5)).toEqual(['f', 'h', 'g']);
    expect(order([turn('a', 0.5), turn('b', 0.4, {}, visited(1))], 'what?', [], true)).toEqual(['a', 'b']);
  });

  it('follows the walk where facts join the passages, and keeps those that fit the words best just below the head', () => {
    const walked = Array.from({ length: 8 }, (_, index) => turn(`walked-${index}`, 0.2, {}, visited(0.9 ** index)));
    const ranked = rerank({
      query: analyseQuery({ userId: 'u', text: 'what?', filter: {}, speakers: [] }),
      recollections: [turn('a', 0.9), turn('b', 0.8), turn('c', 0.7), turn('d', 0.65), turn('e', 0.6), ...walked],
      now: NOW,
      density: 1,
    });
    const ids = ranked.map((item) => item.id);
    expect(ids.slice(0, 5)).toEqual(['walked-0', 'walked-1', 'walked-2', 'walked-3', 'walked-4']);
    expect(ids.slice(5, 10)).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']));
    expect(ids.at(-1)).toBe('e');
    for (const item of ranked) expect(item.score).toBeLessThanOrEqual(0.9 * 1.5 + 0.02);
  });

  it('leaves on top the passage that fits the words at least twice as well as the next, whatever the walk says', () => {
    const walked = Array.from({ length: 8 }, (_, index) => turn(`walked-${index}`, 0.2, {}, visited(0.9 ** index)));
    const first = (...texts: readonly Recollection[]) => {
      const query = analyseQuery({ userId: 'u', text: 'what?', filter: {}, speakers: [] });
      return rerank({ query, recollections: [...texts, ...walked], now: NOW, density: 1 })[0]?.id;
    };
    expect(first(turn('clear', 0.9), turn('second', 0.44))).toBe('clear');
    expect(first(turn('clear', 0.9), turn('second', 0.46))).toBe('walked-0');
    expect(first(turn('clear', 0.9), statement('fact', 0.8, { evidence: ['clear'] }))).toBe('clear');
  });

  it('takes a fact for as good as its passage where facts join the passages', () => {
    const items = [turn('p', 0.2), turn('q', 0.6), statement('of-p', 0.7, { evidence: ['p'] }), statement('of-q', 0.65, { evidence: ['q'] })];
    const facts = (density: number) =>
      rerank({ query: analyseQuery({ userId: 'u', text: 'what?', filter: {}, speakers: [] }), recollections: items, now: NOW, density })
        .filter((item) => item.kind === 'fact')
        .map((item) => item.id);
    expect(facts(0)).toEqual(['of-p', 'of-q']);
    expect(facts(1)).toEqual(['of-q', 'of-p']);
  });

  it('puts the fact that fits better than its passage right before it, one of each passage', () => {
    const items = [
      turn('p', 0.6, {}, visited(0.9)),
      turn('q', 0.5),
      statement('best', 0.8, { evidence: ['p'] }),
      statement('good', 0.7, { evidence: ['p'] }),
      statement('weak', 0.3, { evidence: ['q'] }),
    ];
    const query = analyseQuery({ userId: 'u', text: 'what?', filter: {}, speakers: [] });
    const ids = rerank({ query, recollections: items, now: NOW, density: 1 }).map((item) => item.id);
    expect(ids.slice(0, 2)).toEqual(['best', 'p']);
    expect(ids.indexOf('good')).toBeGreaterThan(ids.indexOf('p'));
    expect(ids.indexOf('weak')).toBeGreaterThan(ids.indexOf('q'));
  });

  it('leaves facts their own scores where no passages were asked for', () => {
    const query = analyseQuery({ userId: 'u', text: 'what?', filter: {}, speakers: [] });
    const [first] = rerank({ query, recollections: [statement('f', 0.8, { evidence: ['p'] })], now: NOW, density: 1 });
    expect(first?.score).toBeGreaterThan(0.1);
    expect(first?.id).toBe('f');
  });
});
