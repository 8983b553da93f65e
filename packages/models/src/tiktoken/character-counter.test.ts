import { describe, expect, it } from 'vitest';
import { CharacterCounter } from './character-counter.ts';

describe('CharacterCounter', () => {
  it('divides the length by the rate and rounds up', () => {
    const counter = new CharacterCounter(1.5);
    expect(counter.count('')).toBe(0);
    expect(counter.count('가')).toBe(1);
    expect(counter.count('안녕하세요')).toBe(4);
    expect(counter.id).toBe('characters/1.5');
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a rate of %s', (rate) => {
    expect(() => new CharacterCounter(rate)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
});
