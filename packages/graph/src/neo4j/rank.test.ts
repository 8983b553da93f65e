import { assert, double, integer, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factRank, mentionRank, strength } from './rank.ts';

const sign = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const time = integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
const id = string({ minLength: 1 });

describe('ranks', () => {
  it('sort facts like confidence, then newest, then id', () => {
    const fact = record({ confidence: double({ min: 0, max: 1, noNaN: true }), createdAtMs: time, id });
    assert(
      property(fact, fact, (a, b) => {
        const expected = Math.sign(b.confidence - a.confidence) || Math.sign(b.createdAtMs - a.createdAtMs) || sign(a.id, b.id);
        const [first, second] = [factRank({ ...a, expired: false }), factRank({ ...b, expired: true })];
        expect(sign(strength(first), strength(second))).toBe(expected);
        expect(first < second).toBe(true);
      }),
    );
  });

  it('sort mentions like newest, then the later of a thread, then id', () => {
    const episode = record({ atMs: time, position: integer({ min: 0, max: 1_000_000 }), id });
    assert(
      property(episode, episode, (a, b) => {
        const expected = Math.sign(b.atMs - a.atMs) || Math.sign(b.position - a.position) || sign(a.id, b.id);
        expect(sign(mentionRank(a), mentionRank(b))).toBe(expected);
      }),
      {
        examples: [
          [
            { atMs: -11, position: 0, id: 'a' },
            { atMs: -12, position: 0, id: 'a' },
          ],
        ],
      },
    );
  });

  it('keep neighbouring doubles, zero and minus zero apart or together as numbers do', () => {
    const rank = (confidence: number) => factRank({ confidence, createdAtMs: 0, id: 'a', expired: false });
    expect(rank(0.1 + 0.2) < rank(0.3)).toBe(true);
    expect(rank(-0)).toBe(rank(0));
  });
});
