import type { Memory } from '@tandem-memory/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { say } from './joins.ts';
import { onServers, openTestMemory } from './open-test-memory.ts';

const USER = { userId: 'u' };
const NAMES = ['Ann', 'Bea', 'Cleo', 'Dora'] as const;

type Told = readonly [string, string, string];
const name = fc.constantFrom(...NAMES);
const joins = fc.tuple(name, fc.constant('same as'), name).filter(([first, , second]) => first !== second);
const homes = fc.tuple(name, fc.constant('lives in'), fc.constantFrom('Lindby', 'Corran', 'Arden'));
// Not of one another: what is told of one thing twice over is no edge.
const tastes = fc.tuple(name, fc.constant('likes'), fc.constantFrom('tea', 'rice'));
const turns: fc.Arbitrary<Told[]> = fc.uniqueArray(fc.oneof(joins, homes, tastes), {
  minLength: 3,
  maxLength: 9,
  selector: (told) => told.join(' '),
});

/** Each turn at a moment of its own; undefined is a moment at which nothing is said. */
async function tellAll(told: readonly (Told | undefined)[]): Promise<{ memory: Memory; ids: (string | undefined)[] }> {
  const { memory, clock } = openTestMemory();
  const ids: (string | undefined)[] = [];
  for (const triple of told) {
    ids.push(triple === undefined ? undefined : await say(memory, triple));
    clock.advance(1000);
  }
  return { memory, ids };
}

/** Which names are one, and what holds of them. */
async function meaningOf(memory: Memory): Promise<string[]> {
  const called = new Map((await memory.entities(USER)).map(({ id, name: own, aliases }) => [id, [own, ...aliases].sort().join('=')]));
  const facts = await memory.facts({ ...USER, currentOnly: true });
  const held = facts.map(({ subjectId = '', predicate, objectId = '' }) => `${called.get(subjectId)} ${predicate} ${called.get(objectId)}`);
  return [...called.values(), ...new Set(held)].sort();
}

describe('any turns that tell of names, joins of them and what holds', () => {
  // Each run is two memories of up to nine turns: on a server half a minute.
  it.skipIf(onServers)('of which some are deleted leave what the others alone tell', async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.infiniteStream(fc.boolean()), async (told, choices) => {
        const left = told.map((triple) => (choices.next().value === true ? undefined : triple));
        const { memory, ids } = await tellAll(told);
        for (const [index, id = ''] of ids.entries()) if (left[index] === undefined) await memory.delete(id, USER);
        const { memory: others } = await tellAll(left);
        expect(await meaningOf(memory)).toEqual(await meaningOf(others));
        expect((await memory.merges(USER)).length).toBe((await others.merges(USER)).length);
        await memory.close();
        await others.close();
      }),
      { numRuns: 40 },
    );
  });
});
