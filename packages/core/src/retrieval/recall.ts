import type { Entity } from '../domain/entity.ts';
import type { IndexFilter, IndexHit, WeightedTerm } from '../domain/index-record.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { Query } from '../domain/query.ts';
import { isBearable, MemoryError } from '../errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { KeywordHits, KeywordIndex } from '../ports/keyword-index.ts';
import type { VectorIndex } from '../ports/vector-index.ts';
import { byScore } from './fuse.ts';
import { type Misspelt, slipsAmong, startsOf, writtenAsNames } from './misspelt.ts';
import type { TimeSpan } from './time-spans.ts';

/** Cosines of so many hits are exact; a fusion with the words of the question does not see the thousandths of the others. */
const EXACT = 16;
/** Records asked of each channel for each time that the question names. */
const TIMELY = 40;

export interface RecallDependencies {
  readonly graph: GraphStore;
  readonly vectors: VectorIndex;
  readonly keywords: KeywordIndex;
  readonly embedding: EmbeddingModel;
}

export interface Recalled {
  readonly vector: readonly IndexHit[];
  readonly keyword: KeywordHits;
  /** Ids of what was said when the question asks about, as far as it fits best. */
  readonly timely: ReadonlySet<string>;
  /** What names a day to which the question looks ahead, best first. */
  readonly told: readonly IndexHit[];
  /** Entities that the question names, the longest name first. */
  readonly entities: readonly Entity[];
  /** Names in it that no entity has, and that are a slip of one's name. */
  readonly misspelt: readonly Misspelt[];
  /** The embedded question; undefined where it could not be embedded. */
  readonly queryVector: Float32Array | undefined;
}

/** Runs a call to one server within its time limit; after a failure there the next ones fail at once. */
type Limited = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

export interface RecallOptions {
  /** Records asked of each channel. */
  readonly candidates: number;
  /** Of each of these spans some more. */
  readonly spans: readonly TimeSpan[];
  /** How the days are written to which the question looks ahead. */
  readonly dayTerms: readonly WeightedTerm[];
  readonly limited: { readonly vector: Limited; readonly keyword: Limited; readonly graph: Limited };
}

/**
 * Asks all channels at once. A channel that is down or too slow, or whose model refuses, is left out and the others answer; only when none can
 * answer is it an error.
 * @throws the first channel's error when every channel failed, and what is not bearable (wrong input, a defect)
 */
export async function recall(query: Query, dependencies: RecallDependencies, options: RecallOptions): Promise<Recalled> {
  const { userId, terms, filter } = query;
  const { candidates, spans, limited } = options;
  const failures: MemoryError[] = [];
  const orElse = async <T>(work: Promise<T>, fallback: T): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!isBearable(error)) throw error;
      failures.push(error);
      return fallback;
    }
  };
  const vectorSearch = async (signal: AbortSignal) => {
    const [queryVector] = await dependencies.embedding.embed([query.denseText], 'query', signal);
    if (queryVector === undefined) return { queryVector, hits: [], timely: [] };
    const search = (within: IndexFilter, limit: number) =>
      dependencies.vectors.search({ userId, vector: queryVector, filter: within, limit, exact: EXACT }, signal);
    const [hits, ...timely] = await Promise.all([search(filter, candidates), ...spans.map((span) => search(during(filter, span), TIMELY))]);
    return { queryVector, hits, timely: timely.flat() };
  };
  const keywordSearch = async (signal: AbortSignal) => {
    const search = (within: IndexFilter, limit: number, wanted = terms) =>
      dependencies.keywords.search({ userId, terms: wanted, filter: within, limit }, signal);
    const [found, told, ...timely] = await Promise.all([
      search(filter, candidates),
      options.dayTerms.length === 0 ? undefined : search(filter, TIMELY, options.dayTerms),
      ...spans.map((span) => search(during(filter, span), TIMELY)),
    ]);
    return { ...found, told: told?.hits ?? [], timely: timely.flatMap(({ hits }) => hits) };
  };
  const none: Awaited<ReturnType<typeof vectorSearch>> = { queryVector: undefined, hits: [], timely: [] };
  const noKeywords: Awaited<ReturnType<typeof keywordSearch>> = { hits: [], ceiling: 0, told: [], timely: [] };
  const [vector, keyword, named] = await Promise.all([
    orElse(limited.vector(vectorSearch), none),
    orElse(limited.keyword(keywordSearch), noKeywords),
    orElse(
      limited.graph(() => namesIn(query, dependencies.graph)),
      { entities: [], misspelt: [] },
    ),
  ]);
  if (failures.length === 3 && failures[0] !== undefined) throw nothingAnswers(failures[0], failures);
  return {
    vector: withMore(vector.hits, vector.timely),
    keyword: { hits: withMore(keyword.hits, keyword.timely), ceiling: keyword.ceiling },
    timely: new Set([...vector.timely, ...keyword.timely].map(({ id }) => id)),
    told: keyword.told,
    ...named,
    queryVector: vector.queryVector,
  };
}

function during(filter: IndexFilter, { since, until }: TimeSpan): IndexFilter {
  const from = [filter.since, since]
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
  const end = [filter.until, until].filter((time) => time !== undefined).sort()[0];
  return { ...filter, ...(from === undefined ? {} : { since: from }), ...(end === undefined ? {} : { until: end }) };
}

/** Best first. */
function withMore(hits: readonly IndexHit[], more: readonly IndexHit[]): readonly IndexHit[] {
  if (more.length === 0) return hits;
  const all = new Map([...hits, ...more].map((hit) => [hit.id, hit]));
  return [...all.values()].sort(byScore);
}

/** With the code of the first failure, and what each of them said. */
function nothingAnswers(first: MemoryError, failures: readonly MemoryError[]): MemoryError {
  const reasons = [...new Set(failures.map((failure) => failure.message))].join(' ');
  return new MemoryError(first.code, `Nothing can answer: the graph and both indexes are unavailable. ${reasons}`, { cause: first });
}

const MOST_NAMED = 64;
const MOST_SIMILAR = 100;

async function namesIn(query: Query, graph: GraphStore): Promise<Pick<Recalled, 'entities' | 'misspelt'>> {
  if (query.nameKeys.length === 0) return { entities: [], misspelt: [] };
  const found = await graph.findEntities({ userId: query.userId, keys: query.nameKeys }, { limit: MOST_NAMED });
  return { entities: namedEntities(query, found), misspelt: await misspeltNames(query, found, graph) };
}

function namedEntities(query: Query, found: readonly Entity[]): Entity[] {
  const longestFirst = found.toSorted((a, b) => b.key.length - a.key.length || (a.id < b.id ? -1 : 1));
  // Each question begins with a capital: "Team" is no name there, unless it is known for a person's, a place's, ...
  const first = normalForm(query.text.trim().split(/\s+/)[0] ?? '');
  const isChance = (entity: Entity) => entity.type === 'other' && entity.key === first && found.length > 1;
  // Who asks for "New York" asks neither for York nor for what is new.
  return longestFirst.filter(
    (entity) => !isChance(entity) && !longestFirst.some((longer) => longer.key.length > entity.key.length && holds(longer.key, entity.key)),
  );
}

/** Asks the store only where the question holds a word that is written like a name and that no known name holds. */
async function misspeltNames(query: Query, found: readonly Entity[], graph: GraphStore): Promise<Misspelt[]> {
  const known = [...found.flatMap((entity) => [entity.key, ...entity.aliases.map(normalForm)]), ...query.speakers.map(normalForm)];
  const unknown = writtenAsNames(query.nameKeys, query.text).filter((key) => !known.some((name) => holds(name, key)));
  const prefixes = startsOf(unknown);
  if (prefixes.length === 0) return [];
  return slipsAmong(unknown, await graph.findEntities({ userId: query.userId, prefixes }, { limit: MOST_SIMILAR }));
}

function holds(longer: string, key: string): boolean {
  return ` ${longer} `.includes(` ${key} `);
}
