import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTimes } from './read-times.ts';
import { pastFit, plannedFit, readTold } from './told-days.ts';

/** A Monday. */
const TODAY = '2026-11-30';
const planned = (question: string, text: string, written: string) => plannedFit(readTold(text), written, readTimes(question), TODAY);
const past = (question: string, text: string, written: string) => pastFit(readTold(text), written, readTimes(question), TODAY);

describe('plannedFit', () => {
  it.each<[string, string, string, number]>([
    ['What do I have tomorrow?', 'Climbing tomorrow evening', '2026-11-30', 1],
    ['What do I have tomorrow?', 'Tomorrow I meet Ben', '2026-11-29', -0.5],
    ['What do I have tomorrow?', 'Tax advisor Tuesday at 10', '2026-11-28', 1],
    ['What do I have tomorrow?', 'Tax advisor Tuesday at 10', '2026-11-20', -0.5],
    ['What do I have tomorrow?', 'The rent is due on the 1st', '2026-11-10', 1],
    ['What do I have tomorrow?', 'Fees apply after 12/01', '2026-09-10', 1],
    ['What do I have tomorrow?', 'Oslo this week', '2026-11-30', 0.5],
    ['What do I have tomorrow?', 'I like tea', '2026-11-30', 0],
    ['What do I have tomorrow?', 'The budget of 2026 is done', '2026-11-30', 0],
    ['What do I have today?', 'I must call the bank', '2026-11-30', 0.5],
    ['What do I have today?', 'I must call the bank', '2026-11-29', 0],
    ['What is on Friday?', 'Car service Dec 4', '2026-11-10', 1],
    ['What is on Friday?', 'Cinema on Friday', '2026-11-27', -0.5],
    ['What is on this week?', 'Lunch tomorrow', '2026-11-29', 1],
    ['What is on this month?', 'Lunch on the 12th', '2026-11-10', -0.5],
    ['What is on next week?', 'Oslo in two weeks', '2026-11-27', 1],
    ['What is on in December?', 'Mum visits on December 12', '2026-11-10', 1],
    ['내일 뭐 있지?', '모레 건강검진이야', '2026-11-29', 1],
    ['明天有什么事？', '两周后的今天搬家', '2026-11-17', 1],
  ])('%s %s (%s): %d', (question, text, written, fit) => {
    expect(planned(question, text, written)).toBe(fit);
  });
});

describe('pastFit', () => {
  it.each<[string, string, string, number]>([
    ['What happened on November 15?', 'Yesterday we were in A&E', '2026-11-16', 1],
    ['What happened on November 15?', 'Yesterday we were in A&E', '2026-11-18', 0],
    ['What went wrong on Thursday?', 'On Thursday my laptop died', '2026-11-28', 1],
    ['What happened on November 15?', 'Last week was hard', '2026-11-17', 0.5],
    ['What happened on November 15?', 'I like tea', '2026-11-16', 0],
  ])('%s %s (%s): %d', (question, text, written, fit) => {
    expect(past(question, text, written)).toBe(fit);
  });
});

it('takes any text, and stays between -.5 and 1', () => {
  const pieces = fc.array(
    fc.constantFrom('tomorrow', 'Friday', 'on the 31st', '12/31', 'in 3 weeks', 'next month', 'Feb 29', 'since', '2026', '내일', '30号'),
  );
  fc.assert(
    fc.property(pieces, fc.array(fc.constantFrom('tomorrow', 'on Friday', 'before March 3', 'this month', 'on the 31st')), (words, asked) => {
      const times = readTimes(asked.join(' '));
      if (times.length === 0) return;
      for (const measure of [plannedFit, pastFit]) {
        const value = measure(readTold(words.join(' ')), '2026-01-31', times, TODAY);
        expect(value).toBeGreaterThanOrEqual(-0.5);
        expect(value).toBeLessThanOrEqual(1);
      }
    }),
  );
});
