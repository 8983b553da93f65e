import type { Entity } from '../domain/entity.ts';
import type { Episode } from '../domain/episode.ts';
import type { Erasure, ErasureResult } from '../domain/erasure.ts';
import type { Fact } from '../domain/fact.ts';
import { MemoryError, unlessDown } from '../errors.ts';
import type { GraphStore, Page } from '../ports/graph-store.ts';
import type { KeywordIndex } from '../ports/keyword-index.ts';
import type { LifecycleStore } from '../ports/lifecycle-store.ts';
import type { VectorIndex } from '../ports/vector-index.ts';
import { type NameTest, namesIn } from './names-in-text.ts';

export interface ForgetDependencies {
  readonly graph: GraphStore;
  readonly vectors: Pick<VectorIndex, 'ids' | 'compact'>;
  readonly keywords: Pick<KeywordIndex, 'ids' | 'compact'>;
  /** Resolves when the indexes have made every step up to `sequence`. */
  readonly relay: { until(sequence: number): Promise<void> };
  readonly lifecycle?: LifecycleStore;
  /** Told of what was erased, for what follows for the rest. */
  readonly settle?: (userId: string, results: readonly ErasureResult[]) => Promise<void>;
  /** Takes what was erased out of the conversations too. Gives the number of messages that are gone. */
  readonly forgetConversations?: (erasure: Erasure, episodes: readonly string[], isNamed: NameTest) => Promise<number>;
}

export interface ForgetPlan {
  readonly erasures: readonly Erasure[];
  /** What has to go besides when these are done. */
  readonly after?: () => Promise<readonly Erasure[]>;
  /** What was asked for and is not there. */
  readonly notFound: readonly string[];
  /** Whether a text holds a name of the entity that is forgotten. */
  readonly isNamed?: NameTest;
}

/** What `forget()` did. All zero where nothing was there: forgetting twice is no error. */
export interface ForgetReceipt {
  readonly erased: {
    readonly episodes: number;
    readonly facts: number;
    readonly entities: number;
    readonly mentions: number;
    /** Names of sessions, sources, agents and threads that nothing bears any more. */
    readonly labels: number;
    /** Index steps that were waiting. */
    readonly outbox: number;
    /** Messages of kept conversations. */
    readonly messages: number;
  };
  /** Facts that stay on other evidence and were told anew from it. */
  readonly rederived: number;
  /** Counted again in every store after the deletion: what of the erased is still there. All zero, unless `degraded` says why not. */
  readonly remaining: {
    readonly episodes: number;
    readonly facts: number;
    readonly entities: number;
    /** Undefined while the index can't be reached. */
    readonly vectors: number | undefined;
    readonly keywords: number | undefined;
  };
  /** Ids and names that were asked for and are not there. */
  readonly notFound: readonly string[];
  /** True when the files behind the store were written anew, so that no deleted byte is left in them. */
  readonly compacted: boolean;
  /** Where bytes of it may still be in the files of a server, and which setting or step takes them out. */
  readonly left: readonly string[];
  readonly degraded: readonly string[];
}

const PAGE_SIZE = 500;

/**
 * Turns a request by ids into what has to go: the records themselves and, for a fact, the turns that state it, since these would be
 * recalled in its place and could be read again.
 */
export async function planByIds(userId: string, ids: readonly string[], keepEvidence: boolean, graph: GraphStore): Promise<ForgetPlan> {
  const wanted = [...new Set(ids)];
  const episodes = new Set((await graph.getEpisodes(userId, wanted)).map((episode) => episode.id));
  const facts = await graph.getFacts(userId, wanted);
  const known = new Set([...episodes, ...facts.map((fact) => fact.id)]);
  const evidence = keepEvidence ? [] : facts.flatMap((fact) => fact.evidence);
  return { erasures: [{ userId, ids: [...new Set([...wanted, ...evidence])] }], notFound: wanted.filter((id) => !known.has(id)) };
}

/**
 * Turns a request by entity into what has to go: the entity, what mentions it and what is about it, and every turn and fact that holds one
 * of its spellings, outside a longer name of another entity, although nothing was read out of it. A name that no entity has may stand in a turn that is on its way: saved and not read
 * yet, or not even saved.
 */
export async function planByEntity(userId: string, entities: readonly Entity[], asked: string, graph: GraphStore): Promise<ForgetPlan> {
  const names = entities.length === 0 ? [asked] : entities.flatMap((entity) => [entity.name, ...entity.aliases]);
  const isNamed = namesIn(names, entities.length === 0 ? [] : await namesOfOthers(userId, entities, graph));
  const named = () => findNamed(userId, isNamed, entities.length === 0, graph);
  const first = await named();
  const entity = { userId, entityIds: entities.map(({ id }) => id), ...(entities.length === 0 ? { name: asked } : {}) };
  return {
    // The entity last: as long as it is there, a run that was killed can be repeated.
    erasures: [...first, entity],
    // What was saved meanwhile; from here on the trace of the entity keeps off what was begun before.
    after: named,
    notFound: entities.length === 0 && first.length === 0 ? [asked] : [],
    ...(entities.length > 0 && { isNamed }),
  };
}

async function namesOfOthers(userId: string, entities: readonly Entity[], graph: GraphStore): Promise<string[]> {
  const own = new Set(entities.map(({ id }) => id));
  const names: string[] = [];
  await eachPage(
    (page) => graph.findEntities({ userId }, page),
    ({ id, name, aliases }: Entity) => void (own.has(id) || names.push(name, ...aliases)),
  );
  return names;
}

async function findNamed(userId: string, isNamed: NameTest, onTheWayOnly: boolean, graph: GraphStore): Promise<Erasure[]> {
  const ids: string[] = [];
  await eachPage(
    (page) => graph.findEpisodes({ userId, ...(onTheWayOnly && { state: 'pending' as const }) }, page),
    (episode: Episode) => {
      if (isNamed(episode.content) || (episode.speaker !== undefined && isNamed(episode.speaker))) ids.push(episode.id);
    },
  );
  if (!onTheWayOnly)
    await eachPage(
      (page) => graph.findFacts({ userId }, page),
      (fact: Fact) => {
        if (isNamed(fact.text)) ids.push(fact.id);
      },
    );
  return ids.length === 0 ? [] : [{ userId, ids }];
}

export async function eachPage<T extends { readonly id: string }>(read: (page: Page) => Promise<T[]>, visit: (item: T) => void): Promise<void> {
  for (let after: string | undefined; ; ) {
    const items = await read({ limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) });
    for (const item of items) visit(item);
    after = items.at(-1)?.id;
    if (after === undefined || items.length < PAGE_SIZE) return;
  }
}

/**
 * Deletes, waits until the indexes have followed, and counts in every store what is left.
 * @throws the errors of the graph store. An index that is down is reported: its steps wait in the outbox, with ids only and no text.
 */
export async function forget(asked: ForgetPlan, following: number, compact: boolean, dependencies: ForgetDependencies): Promise<ForgetReceipt> {
  const { graph, relay } = dependencies;
  const results: ErasureResult[] = [];
  const erase = async (erasures: readonly Erasure[]) => {
    for (const erasure of erasures) results.push(await graph.erase(erasure, { following, leaveTrace: true }));
  };
  await erase(asked.erasures);
  const besides = (await asked.after?.()) ?? [];
  await erase(besides);
  const [owner] = asked.erasures;
  if (owner !== undefined) await dependencies.settle?.(owner.userId, results);
  const plan = { ...asked, erasures: [...asked.erasures, ...besides] };
  let messages = 0;
  for (const [index, { userId, ...narrowed }] of plan.erasures.entries()) {
    const gone = results[index];
    const whole = Object.keys(narrowed).length === 0;
    await dependencies.lifecycle?.forget(userId, whole ? undefined : [...(gone?.episodes ?? []), ...(gone?.facts ?? [])]);
    messages += (await dependencies.forgetConversations?.({ userId, ...narrowed }, gone?.episodes ?? [], plan.isNamed ?? (() => false))) ?? 0;
  }
  const degraded: string[] = [];
  const attempt = async (what: string, work: () => Promise<boolean>): Promise<boolean> => {
    try {
      return await work();
    } catch (error) {
      if (!MemoryError.isInstance(error) || error.kind === 'config') throw error;
      degraded.push(`${what}: ${error.code}: ${error.message}`);
      return false;
    }
  };
  const sequences = results.flatMap((result) => result.outbox.map((entry) => entry.sequence));
  if (sequences.length > 0)
    await attempt('deleted, but not yet from the index', async () => {
      await relay.until(sequences.reduce((a, b) => Math.max(a, b)));
      return true;
    });
  const remaining = await countRemaining(plan, results, dependencies);
  // Also where nothing was found: an earlier run may have been killed before it came here.
  const left: string[] = [];
  let compacted = compact && plan.erasures.length > 0;
  if (compacted) {
    for (const store of new Set<Partial<Pick<GraphStore, 'compact'>>>([dependencies.vectors, dependencies.keywords, graph])) {
      const complete = await attempt('deleted, but copies may be left in the file', async () => {
        const compaction = await store.compact?.();
        left.push(...(compaction?.left ?? []));
        return compaction?.complete !== false;
      });
      compacted &&= complete;
    }
  }
  const sum = (size: (result: ErasureResult) => number) => results.reduce((total, result) => total + size(result), 0);
  return {
    erased: {
      episodes: sum((result) => result.episodes.length),
      facts: sum((result) => result.facts.length),
      entities: sum((result) => result.entities.length),
      mentions: sum((result) => result.mentions),
      labels: sum((result) => result.labels),
      outbox: sum((result) => result.outboxEntries),
      messages,
    },
    rederived: sum((result) => result.rederived),
    remaining,
    notFound: plan.notFound,
    compacted,
    left,
    degraded,
  };
}

async function countRemaining(
  plan: ForgetPlan,
  results: readonly ErasureResult[],
  { graph, vectors, keywords }: ForgetDependencies,
): Promise<ForgetReceipt['remaining']> {
  const userId = plan.erasures[0]?.userId;
  if (userId === undefined) return { episodes: 0, facts: 0, entities: 0, vectors: 0, keywords: 0 };
  const gone = new Set(results.flatMap((result) => [...result.episodes, ...result.facts]));
  return {
    episodes: (
      await graph.getEpisodes(
        userId,
        results.flatMap((result) => result.episodes),
      )
    ).length,
    facts: (
      await graph.getFacts(
        userId,
        results.flatMap((result) => result.facts),
      )
    ).length,
    entities: (
      await graph.getEntities(
        userId,
        results.flatMap((result) => result.entities),
      )
    ).length,
    vectors: await unlessDown(countIn(vectors, userId, gone)),
    keywords: await unlessDown(countIn(keywords, userId, gone)),
  };
}

async function countIn(index: Pick<VectorIndex, 'ids'>, userId: string, wanted: ReadonlySet<string>): Promise<number> {
  if (wanted.size === 0) return 0;
  let count = 0;
  for (let after: string | undefined; ; ) {
    const ids = await index.ids(userId, PAGE_SIZE, after);
    for (const id of ids) if (wanted.has(id)) count++;
    after = ids.at(-1);
    if (after === undefined || ids.length < PAGE_SIZE) return count;
  }
}
