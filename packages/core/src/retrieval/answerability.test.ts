import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Recollection } from '../domain/recollection.ts';
import { analyseQuery } from './analyse-query.ts';
import { answerability } from './answerability.ts';

const AT = '2024-01-01T00:00:00.000Z';

function turn(id: string, speaker: string, content: string, cosine: number, keywords: number): Recollection {
  const episode = { id, userId: 'u', kind: 'message', role: 'user', speaker, content, at: AT, utcOffsetMinutes: 0, createdAt: AT } as const;
  return {
    kind: 'episode',
    id,
    score: cosine + keywords,
    channels: [],
    parts: { cosine, keywords },
    path: [],
    episode: { ...episode, position: 0, metadata: {}, state: 'extracted' },
  };
}

const MEMORY = [
  turn('a', 'Melanie', 'I painted a sunset over the lake last year', 0.7, 0.6),
  turn('b', 'Melanie', 'Painting is how I relax', 0.5, 0.2),
  turn('c', 'Caroline', 'Your sunset is beautiful', 0.5, 0.2),
  turn('d', 'Caroline', 'I went to the support group', 0.2, 0),
];
const sure = (question: string, memory: readonly Recollection[] = MEMORY) =>
  answerability(
    analyseQuery({ userId: 'u', text: question, filter: {}, speakers: ['Melanie', 'Caroline'] }),
    memory,
    new Date('2024-03-01T12:00:00Z'),
  );

describe('answerability', () => {
  it("is higher where the named speaker's own words match than where somebody else's do", () => {
    const [right, wrong] = [sure('When did Melanie paint a sunset over the lake?'), sure('When did Caroline paint a sunset over the lake?')];
    expect(right).toBeGreaterThan(0.5);
    expect(wrong).toBeLessThan(0.35);
  });

  it('is higher for a question whose words are there than for one whose are not', () => {
    const weak = MEMORY.map((item) => ({ ...item, parts: { cosine: 0.15, keywords: 0 } }));
    expect(sure('Who painted the sunset?')).toBeGreaterThan(0.5);
    expect(sure('What is the capital of Mongolia?', weak)).toBeLessThan(0.15);
  });

  it('is 0 for an empty memory, and for a speaker without a word', () => {
    expect(sure('Who painted the sunset?', [])).toBe(0);
    expect(sure('What did Melanie paint?', [turn('a', 'Caroline', 'I paint', 0.9, 0.9)])).toBe(0);
  });

  it('is between 0 and 1 and the same in any order of the records', () => {
    const record = fc.tuple(
      fc.constantFrom('Melanie', 'Caroline'),
      fc.string(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 2, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 40 }), fc.constantFrom('Who?', 'What did Melanie paint?', '茶在哪里'), (list, question) => {
        const items = list.map(([speaker, text, cosine, keywords], i) => turn(String(i), speaker, text, cosine, keywords));
        const value = sure(question, items);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(sure(question, [...items].reverse())).toBeCloseTo(value, 10);
      }),
    );
  });
});
