import { type Extractor, type Fact, type Memory, NO_USAGE } from '@tandem-memory/core';
import { FixedClock } from '@tandem-memory/core/testing';
import { rulesExtractor } from '@tandem-memory/models';
import { round } from '../recall.ts';
import { openSmallMemory } from '../small-memory.ts';
import { type Life, writeLife } from './life.ts';

export interface LifeOptions {
  readonly turns: number;
  readonly changes: number;
  readonly extraction: 'scripted' | 'rules';
  readonly onProgress?: (line: string) => void;
}

export interface LifeResult {
  /** Topics whose one current fact is the right one, in percent. */
  readonly current_right: number;
  /** Topics whose history tells every value in its order, in percent. */
  readonly history_complete: number;
  /** Statements that only add up and are all still current, in percent. */
  readonly lasting_kept: number;
  readonly topics: number;
  readonly turns: number;
  readonly changes: number;
  readonly extraction: string;
  readonly store_ms_per_turn: number;
}

const USER = { userId: 'life' };
const BATCH = 100;

/** Stores a synthetic life turn by turn and compares what is current, and what the history tells, with what was written into it. */
export async function runLife(options: LifeOptions): Promise<LifeResult> {
  const life = writeLife(options.turns, options.changes);
  const clock = new FixedClock('2030-01-01T00:00:00.000Z');
  await using memory = openSmallMemory(options.extraction === 'rules' ? rulesExtractor() : scripted(life), clock);
  const start = performance.now();
  for (let from = 0; from < life.turns.length; from += BATCH) {
    for (const turn of life.turns.slice(from, from + BATCH)) {
      await memory.store([{ role: 'user', content: turn.text, at: turn.at }], { ...USER, waitForIndex: false });
      clock.advance(1000);
    }
    options.onProgress?.(`stored ${Math.min(from + BATCH, life.turns.length)} of ${life.turns.length} turns`);
  }
  const storeMs = (performance.now() - start) / life.turns.length;
  return {
    ...(await compare(memory, life)),
    turns: life.turns.length,
    changes: options.changes,
    extraction: options.extraction,
    store_ms_per_turn: round(storeMs),
  };
}

/** What a model that makes no mistake would read out of each turn. */
function scripted(life: Life): Extractor {
  const states = new Map(life.turns.map((turn) => [turn.text, turn.states]));
  return {
    id: 'scripted',
    local: true,
    async extract({ episodes }) {
      const relations = episodes.flatMap((episode, index) =>
        (states.get(episode.content) ?? []).map((change) => ({ ...change, text: episode.content, episode: index })),
      );
      return { origin: 'model', entities: [], relations, facts: [], skipped: [], usage: NO_USAGE };
    },
  };
}

async function compare(memory: Memory, life: Life): Promise<Pick<LifeResult, 'current_right' | 'history_complete' | 'lasting_kept' | 'topics'>> {
  const entities = await readAll((after) => memory.entities(USER, { limit: 500, ...after }));
  const facts = await readAll<Fact>((after) => memory.facts(USER, { limit: 500, ...after }));
  const idOf = new Map(entities.flatMap((entity) => [entity.name, ...entity.aliases].map((name) => [name, entity.id] as const)));
  const nameOf = (id: string | undefined) => entities.find((entity) => entity.id === id)?.name;
  let [right, complete] = [0, 0];
  for (const values of life.topics.values()) {
    const [first, last] = [values[0], values.at(-1)];
    if (first === undefined || last === undefined) continue;
    const predicates = new Set(values.map((value) => value.predicate));
    const own = facts.filter((fact) => fact.subjectId === idOf.get(first.subject) && predicates.has(fact.predicate ?? ''));
    const current = own.filter((fact) => fact.invalidAt === undefined);
    if (current.length === 1 && nameOf(current[0]?.objectId) === last.object) right++;
    const told = own[0] === undefined ? [] : await memory.history(own[0].id, USER);
    const objects = new Map(own.map((fact) => [fact.id, nameOf(fact.objectId)]));
    const order = told
      .filter((entry) => entry.action === 'added' && objects.has(entry.id))
      .sort((a, b) => ((a.validAt ?? '') < (b.validAt ?? '') ? -1 : 1))
      .map((entry) => objects.get(entry.id));
    if (JSON.stringify(order) === JSON.stringify(values.map((value) => value.object))) complete++;
  }
  const lasting = new Set(life.lasting.map((change) => change.object));
  const kept = [...lasting].filter((object) =>
    facts.some((fact) => fact.predicate === 'love' && fact.invalidAt === undefined && nameOf(fact.objectId) === object),
  ).length;
  const percent = (count: number, of: number) => round((100 * count) / Math.max(1, of));
  return {
    current_right: percent(right, life.topics.size),
    history_complete: percent(complete, life.topics.size),
    lasting_kept: percent(kept, lasting.size),
    topics: life.topics.size,
  };
}

async function readAll<T extends { readonly id: string }>(read: (after: { readonly after?: string }) => Promise<T[]>): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const last = items.at(-1);
    const page = await read(last === undefined ? {} : { after: last.id });
    items.push(...page);
    if (page.length === 0) return items;
  }
}
