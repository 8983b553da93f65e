import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import { readPredicate } from '../domain/predicate.ts';
import type { Resolution } from '../domain/resolution.ts';
import { decide } from './decide.ts';

const NOW = '2030-01-01T00:00:00.000Z';

function edge(predicate: string, objectId: string, day: number, fields: Partial<Fact> = {}): Fact {
  const { slot } = readPredicate(predicate, objectId);
  return {
    id: deriveId('user', predicate, objectId),
    userId: 'u',
    text: `${predicate} ${objectId}`,
    subjectId: 'user',
    predicate,
    objectId,
    ...(slot === undefined ? {} : { slot }),
    entityIds: ['user', objectId],
    evidence: [`turn ${day}`],
    validAt: new Date(Date.UTC(2020, 0, day)).toISOString(),
    createdAt: NOW,
    confidence: 0.5,
    importance: 0.5,
    origin: 'rules',
    saidBy: 'user',
    properties: {},
    ...fields,
  };
}

/** A store in a list: each call decides against all that was decided before. */
class Record {
  readonly facts = new Map<string, Fact>();

  tell(...facts: readonly Fact[]) {
    return this.tellThat(facts, new Map());
  }

  tellThat(facts: readonly Fact[], replaces: Resolution['replaces']) {
    const all = [...this.facts.values()];
    const times = [...all, ...facts]
      .flatMap((fact) => fact.evidence)
      .map((id): [string, string] => [id, new Date(Date.UTC(2020, 0, Number(id.slice(5)))).toISOString()]);
    const resolution: Resolution = {
      episodes: [],
      entities: [],
      facts,
      mentions: [],
      known: new Map(all.map((fact) => [fact.id, fact])),
      related: all,
      saidAt: new Map(times),
      replaces,
      corrections: new Set(),
      merges: [],
      skipped: [],
    };
    const decided = decide(resolution, NOW);
    for (const fact of decided.facts) {
      const known = this.facts.get(fact.id);
      const validAt = [fact.validAt, known?.validAt].filter((time) => time !== undefined).sort()[0];
      this.facts.set(
        fact.id,
        known === undefined
          ? fact
          : { ...known, ...(validAt === undefined ? {} : { validAt }), evidence: [...new Set([...known.evidence, ...fact.evidence])] },
      );
    }
    for (const closure of decided.closures) {
      const fact = this.facts.get(closure.factId);
      if (fact !== undefined && (fact.invalidAt === undefined || fact.invalidAt > closure.invalidAt))
        this.facts.set(fact.id, { ...fact, invalidAt: closure.invalidAt, expiredAt: closure.expiredAt });
    }
    return decided;
  }

  /** Value by day, as the record would answer for it. */
  valueOn(day: number): string[] {
    const at = new Date(Date.UTC(2020, 0, day, 12)).toISOString();
    return [...this.facts.values()]
      .filter((fact) => fact.slot !== undefined && (fact.validAt ?? '') <= at && (fact.invalidAt === undefined || fact.invalidAt > at))
      .map((fact) => fact.objectId ?? '');
  }
}

describe('decide', () => {
  it('gives one value for every day, the last one told of before it, in whatever order the days are told', () => {
    const told = fc.uniqueArray(fc.record({ day: fc.integer({ min: 1, max: 28 }), place: fc.constantFrom('Lindby', 'Corran', 'Bergen', 'Porto') }), {
      selector: (item) => item.day,
      minLength: 1,
      maxLength: 10,
    });
    fc.assert(
      fc.property(told, fc.constantFrom('live in', 'moved to', 'lives_in'), (statements, predicate) => {
        const record = new Record();
        for (const { day, place } of statements) record.tell(edge(predicate, place, day));
        const ordered = [...statements].sort((a, b) => a.day - b.day);
        for (let day = 1; day <= 28; day++) {
          const expected = ordered.filter((item) => item.day <= day).at(-1)?.place;
          const values = record.valueOn(day);
          expect(values.length).toBeLessThanOrEqual(1);
          if (values[0] !== undefined) expect(values[0]).toBe(expected);
        }
        expect(record.valueOn(28)).toEqual([ordered.at(-1)?.place]);
      }),
    );
  });

  describe('a move that is told after its day', () => {
    const move = (day: number, told: number) => [
      edge('moved from', 'Lindby', day, { evidence: [`turn ${told}`] }),
      edge('moved to', 'Corran', day, { evidence: [`turn ${told}`] }),
    ];

    it('ends what was said before it was told, though that was said after the day', () => {
      const record = new Record();
      record.tell(edge('live in', 'Lindby', 7));
      record.tell(...move(3, 8));
      expect(record.valueOn(8)).toEqual(['Corran']);
      expect(record.valueOn(28)).toEqual(['Corran']);
    });

    it('gives way to what is said after it was told: somebody came back', () => {
      for (const order of ['told first', 'told last']) {
        const record = new Record();
        if (order === 'told first') record.tell(edge('live in', 'Lindby', 9));
        record.tell(...move(3, 8));
        if (order === 'told last') record.tell(edge('live in', 'Lindby', 9));
        expect(record.valueOn(8), order).toEqual(['Corran']);
        expect(record.valueOn(28), order).toEqual(['Lindby']);
      }
    });

    it('ends what a model says it replaces, whatever the words', () => {
      const record = new Record();
      const old = edge('sleeps at', 'Lindby', 7);
      record.tell(old);
      const fresh = edge('is based in', 'Corran', 3, { evidence: ['turn 8'] });
      const { closures } = record.tellThat([fresh], new Map([[fresh.id, [old]]]));
      expect(closures.map((closure) => closure.factId)).toEqual([old.id]);
    });

    it('ends itself where what a model says it replaces began later', () => {
      const record = new Record();
      const [known, late] = [edge('sleeps at', 'Corran', 7), edge('is based in', 'Lindby', 3)];
      record.tell(known);
      const { closures, decisions } = record.tellThat([late], new Map([[late.id, [known]]]));
      expect(closures).toEqual([]);
      expect(record.facts.get(late.id)?.invalidAt).toBe(known.validAt);
      expect(decisions.map(({ action, reason }) => [action, reason])).toEqual([
        ['add', 'not known before'],
        ['invalidate', 'what it replaces was known to hold later'],
      ]);
    });

    it('does not touch what it does not name', () => {
      const record = new Record();
      record.tell(edge('live in', 'Bergen', 7));
      record.tell(...move(3, 8));
      expect(record.valueOn(28)).toEqual(['Bergen']);
    });
  });

  it('gives the same for one batch as for one after the other', () => {
    const said = [
      edge('live in', 'Lindby', 1),
      edge('move to', 'Corran', 5),
      edge('move to', 'Lindby', 9),
      edge('love', 'jazz', 2),
      edge('hate', 'jazz', 6),
      edge('love', 'jazz', 8),
    ];
    const [one, each] = [new Record(), new Record()];
    one.tell(...said);
    for (const fact of said) each.tell(fact);
    const lines = (record: Record) =>
      [...record.facts.values()].map((fact) => `${fact.predicate} ${fact.objectId} ${fact.validAt} ${fact.invalidAt}`).sort();
    expect(lines(one)).toEqual(lines(each));
    expect(
      [...one.facts.values()]
        .filter((fact) => fact.invalidAt === undefined)
        .map((fact) => fact.text)
        .sort(),
    ).toEqual(['love jazz', 'move to Lindby']);
  });

  it('never ends what may hold together', () => {
    const multi = fc.uniqueArray(fc.tuple(fc.constantFrom('speak', 'own', 'love', 'know', 'visit'), fc.constantFrom('a', 'b', 'c', 'd')), {
      selector: (item) => item.join(),
      maxLength: 12,
    });
    fc.assert(
      fc.property(multi, (items) => {
        const record = new Record();
        for (const [index, [predicate, object]] of items.entries()) record.tell(edge(predicate, object, index + 1));
        expect([...record.facts.values()].filter((fact) => fact.invalidAt !== undefined)).toEqual([]);
      }),
    );
  });

  it('says what it did: each decision names a fact that is there, with a reason', () => {
    const record = new Record();
    record.tell(edge('live in', 'Lindby', 1));
    const { decisions, updates } = record.tell(edge('move to', 'Corran', 2));
    expect(decisions.map(({ action, reason }) => [action, reason])).toEqual([
      ['add', 'not known before'],
      ['invalidate', 'place: a later value took its place'],
    ]);
    expect(updates).toMatchObject([{ action: 'invalidate', actor: 'rules', episodeId: 'turn 2', reason: 'place: a later value took its place' }]);
    expect(record.tell(edge('move to', 'Corran', 2)).decisions.map(({ action }) => action)).toEqual(['merge']);
    for (const decision of decisions) expect(record.facts.has(decision.factId)).toBe(true);
  });

  it('keeps a stretch that was over when it was told from ending what held', () => {
    const record = new Record();
    record.tell(edge('live in', 'Lindby', 1));
    record.tell(edge('live in', 'Oslo', 5, { invalidAt: '2020-01-10T00:00:00.000Z' }));
    expect(record.valueOn(20)).toEqual(['Lindby']);
  });
});
