import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveId } from './id.ts';

describe('deriveId', () => {
  const parts = fc.array(fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }), { maxLength: 5 });

  it('is a UUID of version 8, the same for the same parts', () => {
    fc.assert(
      fc.property(parts, (list) => {
        expect(deriveId(...list)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(deriveId(...list)).toBe(deriveId(...list));
      }),
    );
  });

  it('differs for every two different lists', () => {
    fc.assert(
      fc.property(
        parts,
        parts,
        (a, b) => (deriveId(...a) === deriveId(...b)) === (JSON.stringify(a.map((x) => x ?? null)) === JSON.stringify(b.map((x) => x ?? null))),
      ),
    );
  });

  it.each([
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
    [['a', ''], ['a']],
    [
      ['', 'a'],
      ['a', ''],
    ],
    [
      ['a', undefined],
      ['a', ''],
    ],
    [
      ['a', undefined, 'b'],
      ['a', 'b', undefined],
    ],
    [['a1:b'], ['a', 'b']],
    [['1:a1:b'], ['1:a', '1:b']],
    [['-:'], [undefined]],
    [['한국'], ['한', '국']],
  ])('does not mistake %j for %j', (a, b) => {
    expect(deriveId(...a)).not.toBe(deriveId(...b));
  });
});
