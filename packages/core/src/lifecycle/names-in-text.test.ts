import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from '../domain/fold-text.ts';
import { namesIn } from './names-in-text.ts';

describe('a name', () => {
  it('of any signs is found in a text that holds it', () => {
    assert(
      property(string({ unit: 'grapheme' }), (name) => {
        expect(namesIn([name])(`I saw ${name} there.`)).toBe(/[\p{L}\p{N}]/u.test(foldText(name)));
      }),
    );
  });

  it.each([
    ['Mary-Ann', 'then MARY-ANN came', true],
    ['HB-2031-07', 'permit HB-2031-07.', true],
    ['HB-2031-07', 'permit HB-2031-071.', false],
    ['C++', 'I like C++.', true],
    ['a.b', 'axb', false],
    ['Ann', 'Anna came', false],
    ['Elm Workshop', 'the elm\n workshop', true],
    ['김민수', '김민수는 갔다', true],
    ['สมชาย', 'ผมพบสมชายที่นั่น', true],
    ['José', 'Jose came', true],
    ['أحمد', 'جاء احمد.', true],
    ['रम', 'रमा आई', false],
    ['रमा', 'रमा आई', true],
    ['ـ', 'anything', false],
    ['-', 'a - b', false],
  ])('%s in %j: %s', (name, text, found) => {
    expect(namesIn([name])(text)).toBe(found);
  });

  it.each([
    ['Ann Kim came', false],
    ['ann  KIM came', false],
    ['Ann came', true],
    ['Ann and Ann Kim came', true],
    ['Ann Kim and Ann Lee came', true],
    ['Mary Ann Miller came', true],
    ['Ann Kimball came', true],
    ['Ann Kim Lee came', false],
  ])('of another one that holds it does not count in %j: %s', (text, found) => {
    expect(namesIn(['Ann Lee', 'Ann'], ['Ann Kim', 'Ann Kim Lee', 'Bo', 'ANN', '安'])(text)).toBe(found);
  });
});
