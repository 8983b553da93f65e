import assert from 'node:assert/strict';
import { type ChangeSet, emptyChangeSet } from '../domain/change-set.ts';
import type { Entity } from '../domain/entity.ts';
import type { NewEpisode } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import { normalForm } from '../domain/normal-form.ts';
import { type ErrorCode, MemoryError } from '../errors.ts';
import type { GraphStore, Page } from '../ports/graph-store.ts';
import type { DriverFactory, TestRunner } from './runner.ts';

export const ALICE = 'alice';
export const BOB = 'bob';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const MINUTE_MS = 60_000;

/** The `n`th minute of 2026, with odd milliseconds: a store that rounds times fails. */
export function minute(n: number): string {
  return new Date(START + n * MINUTE_MS + 7).toISOString();
}

/** Defines one case with a fresh store of its own. */
export type Case = (name: string, body: (store: GraphStore) => Promise<void>) => void;

export function storeCases({ it }: TestRunner, factory: DriverFactory<GraphStore>): Case {
  return (name, body) =>
    it(name, async () => {
      const store = await factory.create();
      try {
        await body(store);
      } finally {
        await factory.destroy(store);
      }
    });
}

export function episode(userId: string, name: string, fields: Partial<NewEpisode> = {}): NewEpisode {
  return {
    id: deriveId('episode', userId, name),
    userId,
    kind: 'message',
    role: 'user',
    content: `What ${name} says.`,
    at: minute(0),
    utcOffsetMinutes: 0,
    createdAt: minute(0),
    metadata: {},
    state: 'extracted',
    ...fields,
  };
}

export function entity(userId: string, name: string, fields: Partial<Entity> = {}): Entity {
  return { id: deriveId('entity', userId, name), userId, name, key: normalForm(name), aliases: [], type: 'person', createdAt: minute(0), ...fields };
}

/** `A -> B` by name, with the text `A -> B`. */
export function edge(userId: string, from: string, to: string, fields: Partial<Fact> = {}): Fact {
  const subjectId = deriveId('entity', userId, from);
  const objectId = deriveId('entity', userId, to);
  return {
    id: deriveId('fact', userId, from, to),
    userId,
    text: `${from} -> ${to}`,
    subjectId,
    predicate: 'leads to',
    objectId,
    entityIds: [...new Set([subjectId, objectId])],
    evidence: [],
    createdAt: minute(0),
    confidence: 0.5,
    importance: 0.5,
    origin: 'model',
    saidBy: 'user',
    properties: {},
    ...fields,
  };
}

export function changes(userId: string, parts: Partial<ChangeSet>): ChangeSet {
  return { ...emptyChangeSet(userId), ...parts };
}

/** The entities that the facts name, as `edge` names them. */
export function endsOf(userId: string, facts: readonly Fact[]): Entity[] {
  return [...new Set(facts.flatMap((fact) => fact.text.split(' -> ')))].map((name) => entity(userId, name));
}

export async function commitEdges(store: GraphStore, userId: string, facts: readonly Fact[]): Promise<void> {
  await store.commit(changes(userId, { entities: endsOf(userId, facts), facts }));
}

/** Reads page after page until an empty one. */
export async function allPages<T extends string | { readonly id: string }>(pageSize: number, read: (page: Page) => Promise<T[]>): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const last: string | { readonly id: string } | undefined = items.at(-1);
    const after = typeof last === 'object' ? last.id : last;
    const page = await read({ limit: pageSize, ...(after === undefined ? {} : { after }) });
    assert.ok(page.length <= pageSize, 'a page is longer than its limit');
    if (page.length === 0) return items;
    items.push(...page);
  }
}

export function ids(records: readonly { readonly id: string }[]): string[] {
  return records.map((record) => record.id);
}

export async function rejects(code: ErrorCode, call: () => Promise<unknown>): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(MemoryError.isInstance(error), `expected a MemoryError, got ${String(error)}`);
    assert.equal(error.code, code);
    return true;
  });
}
