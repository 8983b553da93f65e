import { describe, expect, it } from 'vitest';
import { conversations, laterMessage, planUsers, question } from './corpus.ts';
import { distribution } from './distribution.ts';
import { TopicEmbeddingModel } from './topic-embedding-model.ts';
import { buildVocabulary } from './vocabulary.ts';

const vocabulary = buildVocabulary();

describe('the synthetic corpus', () => {
  it.each([
    [1000, 1],
    [1000, 10],
    [20_000, 100],
  ])('shares %i memories out among %i users, the biggest with 30 %%', (memories, count) => {
    const users = planUsers(memories, count);
    expect(users).toHaveLength(count);
    expect(users.reduce((sum, user) => sum + user.memories, 0)).toBe(memories);
    expect(users[0]?.memories).toBe(count === 1 ? memories : memories * 0.3);
    expect(Math.min(...users.map((user) => user.memories))).toBeGreaterThan(0);
  });

  it('is the same every time, as many turns as planned, with 0 to 2 triples each', () => {
    const [user] = planUsers(250, 1);
    if (user === undefined) throw new Error('no user');
    const turns = [...conversations(user, vocabulary)].flat();
    expect(turns).toHaveLength(250);
    expect([...conversations(user, vocabulary)].flat()).toEqual(turns);
    expect(new Set(turns.map((turn) => turn.triples?.length))).toEqual(new Set([0, 1, 2]));
    expect(new Set(turns.map((turn) => turn.content)).size).toBe(250);
    expect(laterMessage(user, 7, vocabulary)).toEqual(laterMessage(user, 7, vocabulary));
    expect(question(user, 0, vocabulary)).not.toBe(question(user, 1, vocabulary));
  });

  it('has vectors of which those of one topic lie close', async () => {
    const model = new TopicEmbeddingModel(vocabulary);
    const topic = (number: number, from: number) => (vocabulary.topics[number] ?? []).slice(from, from + 5).join(' ');
    const [a, b, c] = await model.embed([topic(3, 0), topic(3, 5), topic(4, 0)]);
    const cosine = (x?: Float32Array, y?: Float32Array) => x?.reduce((sum, value, i) => sum + value * (y?.[i] ?? 0), 0) ?? 0;
    expect(cosine(a, a)).toBeCloseTo(1, 5);
    expect(cosine(a, b)).toBeGreaterThan(cosine(a, c) + 0.2);
  });
});

describe('distribution', () => {
  it('gives values that were measured', () => {
    expect(distribution([5, 1, 4, 2, 3])).toEqual({ p50: 3, p95: 5 });
    expect(distribution([7])).toEqual({ p50: 7, p95: 7 });
  });
});
