import { describe, expect, it } from 'vitest';
import { currentAfter } from './current-after.ts';

describe('a second verb behind "and"', () => {
  it.each([
    ['I live in Lisbon and work at Acme.', ['User live in Lisbon', 'User work at Acme']],
    ['I live in Lisbon and I work at Acme.', ['User live in Lisbon', 'User work at Acme']],
    ['I work at Acme and live in Lisbon.', ['User live in Lisbon', 'User work at Acme']],
    ['I live in Lisbon and now work at Acme.', ['User live in Lisbon', 'User work at Acme']],
    ['I have two kids and work at Acme.', ['User have kids', 'User work at Acme']],
    ['I love music and work at Acme.', ['User love music', 'User work at Acme']],
    ['I live in Lisbon and study at Nova.', ['User live in Lisbon', 'User study at Nova']],
    ['I live in Lisbon and love sailing.', ['User live in Lisbon', 'User love sailing']],
    ['I live in Lisbon and own a kayak.', ['User live in Lisbon', 'User own kayak']],
    ['i live in lisbon and work at acme.', ['User live in Lisbon', 'User work at acme']],
  ])('says something of its own: %s', async (said, facts) => {
    expect(await currentAfter(said)).toEqual(facts);
  });

  it.each([
    ['I enjoy rest and work at home.', ['User enjoy work']],
    ['Acme is fun and work at Globex is dull.', []],
    ['Life and work in Lisbon are good.', []],
  ])('is told from a noun: %s', async (said, facts) => {
    expect(await currentAfter(said)).toEqual(facts);
  });

  it.each([
    ['I live in Lisbon and work at Acme.', 'I work at Globex now.', ['User live in Lisbon', 'User work at Globex']],
    ['I live in Lisbon and work at Acme.', 'I moved to Cascais.', ['User move to Cascais', 'User work at Acme']],
  ])('ends by itself: %s %s', async (first, second, facts) => {
    expect(await currentAfter(first, second)).toEqual(facts);
  });
});
