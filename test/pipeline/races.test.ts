import type { ForgetOptions } from '@tandem-memory/core';
import { HashEmbeddingModel } from '@tandem-memory/core/testing';
import { array, assert, asyncProperty, constantFrom, integer, oneof, record, type Scheduler, scheduler } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neo4jMissing } from '../neo4j/open-neo4j-store.ts';
import { openTestMemory, reply, shownMessages } from './open-test-memory.ts';

const userId = 'u';
const PEOPLE = ['Ann', 'Bo'] as const;
const SESSIONS = ['s', 't'] as const;

interface Said {
  readonly do: 'store';
  readonly person: (typeof PEOPLE)[number];
  readonly sessionId: (typeof SESSIONS)[number];
  readonly n: number;
}
type Step = Said | { readonly do: 'forget'; readonly what: Omit<ForgetOptions, 'userId'> } | { readonly do: 'wait' };

const step = oneof(
  {
    weight: 5,
    arbitrary: record({
      do: constantFrom('store' as const),
      person: constantFrom(...PEOPLE),
      sessionId: constantFrom(...SESSIONS),
      n: integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: record({
      do: constantFrom('forget' as const),
      what: constantFrom({}, { sessionId: 's' }, { entity: 'Ann' }, { before: '2026-06-16' }),
    }),
  },
  { weight: 1, arbitrary: record({ do: constantFrom('wait' as const) }) },
);

const textOf = ({ person, n }: Said) => `${person} saw comet ${n}.`;

function isHit(what: Omit<ForgetOptions, 'userId'>, said: Said): boolean {
  if (what.sessionId !== undefined) return said.sessionId === what.sessionId;
  return what.entity === undefined || said.person === what.entity;
}

/** Whatever a model or an embedding answers comes when the scheduler says so. */
function open(late: Scheduler) {
  class LateEmbedding extends HashEmbeddingModel {
    override async embed(texts: readonly string[]): Promise<Float32Array[]> {
      await late.schedule(Promise.resolve(), 'embedding');
      return super.embed(texts);
    }
  }
  return openTestMemory({
    embedding: new LateEmbedding(),
    replies: [
      (request) => {
        const texts = shownMessages(request).map(({ text }) => text);
        const people = PEOPLE.filter((person) => texts.some((text) => text.startsWith(person)));
        const answer = reply(
          texts,
          people.map((person) => [person, 'person']),
          people.map((person) => [person, 'saw', 'comet']),
        );
        return late.schedule(Promise.resolve(answer), 'model');
      },
    ],
  });
}

describe('stores and forgets in any order', () => {
  it('a forget takes what was begun before it, nothing that was begun after it ended, and no half of anything', async () => {
    await assert(
      asyncProperty(array(step, { minLength: 2, maxLength: 7 }), scheduler(), async (steps: Step[], late) => {
        const { memory } = open(late);
        await late.waitFor(memory.flush());
        const underWay: Promise<unknown>[] = [];
        // What has to be there, what may not, and what either is right for: it was begun while a forget was under way.
        const fates = new Map<string, 'there' | 'gone' | 'either'>();
        const open_: Omit<ForgetOptions, 'userId'>[] = [];
        for (const each of steps) {
          if (each.do === 'wait') {
            await late.waitFor(Promise.all(underWay));
            open_.length = 0;
          } else if (each.do === 'store') {
            fates.set(`${textOf(each)}@${each.sessionId}`, open_.some((what) => isHit(what, each)) ? 'either' : 'there');
            underWay.push(memory.store(textOf(each), { userId, sessionId: each.sessionId }));
          } else {
            for (const key of fates.keys()) {
              const [text = '', sessionId = ''] = key.split('@');
              const said = { do: 'store', person: text.startsWith('Ann') ? 'Ann' : 'Bo', sessionId: sessionId as 's' | 't', n: 0 } as const;
              if (isHit(each.what, said)) fates.set(key, 'gone');
            }
            open_.push(each.what);
            underWay.push(memory.forget({ userId, ...each.what, compact: false }));
          }
        }
        await late.waitFor(Promise.all(underWay));
        await late.waitFor(memory.flush());
        const episodes = await memory.episodes({ userId });
        const there = new Set(episodes.map(({ content, sessionId }) => `${content}@${sessionId}`));
        for (const [key, fate] of fates) if (fate !== 'either') expect([key, there.has(key)]).toEqual([key, fate === 'there']);
        const ids = new Set(episodes.map(({ id }) => id));
        const facts = await memory.facts({ userId });
        for (const fact of facts) expect(fact.evidence.filter((id) => !ids.has(id))).toEqual([]);
        const named = new Set(facts.flatMap((fact) => fact.entityIds));
        for (const entity of await memory.entities({ userId })) expect([entity.name, named.has(entity.id)]).toEqual([entity.name, true]);
        expect(episodes.every(({ state }) => state === 'extracted')).toBe(true);
        expect(await memory.check()).toMatchObject({ missing: 0, orphaned: 0 });
        expect((await memory.stats(userId)).outbox).toBe(0);
        await memory.close();
      }),
      { numRuns: neo4jMissing ? 40 : 5, endOnFailure: true },
    );
  }, 240_000);
});
