import { describe, expect, it } from 'vitest';
import { dayTerms } from './day-terms.ts';
import { readTimes } from './read-times.ts';

const NOW = new Date('2026-11-30T12:00:00Z');
const terms = (question: string) => dayTerms(readTimes(question), NOW).map(({ term }) => term);

describe('dayTerms', () => {
  it('are how the day is written', () => {
    expect(terms('What do I have tomorrow?')).toEqual(expect.arrayContaining(['1', 'decemb', 'tuesdai']));
    expect(terms('What is on this weekend?')).toEqual(expect.arrayContaining(['5', '6', 'decemb', 'saturdai', 'sundai']));
  });

  it('are none for a long or an open time', () => {
    expect(terms('What is on next month?')).toEqual([]);
    expect(terms('What happened since 2024?')).toEqual([]);
    expect(terms('What do I have?')).toEqual([]);
  });
});
