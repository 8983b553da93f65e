import type { EngineOptions } from '../config.ts';
import type { Context } from '../domain/context.ts';
import type { RetrieveOptions } from '../domain/retrieve-options.ts';
import { asksTheSame } from '../packing/same-question.ts';
import type { Clock } from '../ports/clock.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { analyseQuery } from '../retrieval/analyse-query.ts';
import { isBlank } from './read-input.ts';
import { systemClock } from './system-clock.ts';

export interface CacheStats {
  readonly entries: number;
  readonly hits: number;
  readonly misses: number;
  /** Share of the questions that were answered from it, 0 to 1; 0 where none was asked. */
  readonly hitRate: number;
}

interface Entry {
  readonly userId: string;
  readonly options: string;
  readonly question: string;
  readonly vector: Float32Array;
  /** Ids of the entities, names of the speakers and times that the question names. */
  readonly named: string;
  readonly context: Context;
}

/**
 * Answers of `retrieve` by the meaning of the question. A question gets the answer of an earlier one only in the same scope and with the same
 * options, where their similarity reaches the threshold and a guard agrees: same entities, speakers, numbers, negations, question word, things. Each write
 * that touches a user empties that user's part; nothing that was degraded is kept.
 */
export class SemanticCache {
  readonly #options: NonNullable<EngineOptions['cache']>;
  readonly #embedding: EmbeddingModel;
  readonly #graph: GraphStore;
  readonly #clock: Clock;
  #entries: Entry[] = [];
  /** Counts writes, so that an answer computed while one happened is not kept. */
  #writes = 0;
  #hits = 0;
  #misses = 0;

  constructor(
    options: NonNullable<EngineOptions['cache']>,
    dependencies: { readonly embedding: EmbeddingModel; readonly graph: GraphStore; readonly clock?: Clock },
  ) {
    this.#options = options;
    this.#embedding = dependencies.embedding;
    this.#graph = dependencies.graph;
    this.#clock = dependencies.clock ?? systemClock;
  }

  get stats(): CacheStats {
    const asked = this.#hits + this.#misses;
    return { entries: this.#entries.length, hits: this.#hits, misses: this.#misses, hitRate: asked === 0 ? 0 : this.#hits / asked };
  }

  async through(question: string, { signal, ...options }: RetrieveOptions, answer: () => Promise<Context>): Promise<Context> {
    const start = performance.now();
    const key = keyOf(options);
    const unusable = key === undefined || typeof question !== 'string' || isBlank(question);
    const meaning = unusable ? undefined : await this.#meaning(question, options.userId, signal);
    // What can't be looked up is asked; retrieve() has its own way with what is down or wrong.
    if (key === undefined || meaning === undefined) return answer();
    const known = this.#best({ question, options: key, ...meaning });
    if (known !== undefined) {
      this.#hits++;
      // Used last is dropped last.
      this.#entries = [...this.#entries.filter((entry) => entry !== known), known];
      return { ...known.context, query: question, cachedFrom: known.question, timings: { cache: performance.now() - start } };
    }
    this.#misses++;
    const writes = this.#writes;
    const context = await answer();
    if (context.degraded.length === 0 && writes === this.#writes) {
      this.#entries.push({ userId: options.userId, options: key, question, ...meaning, context });
      if (this.#entries.length > this.#options.entries) this.#entries.shift();
    }
    return context;
  }

  /** @param userId whose memory changed; all where that is not known */
  forget(userId?: string): void {
    this.#writes++;
    this.#entries = userId === undefined ? [] : this.#entries.filter((entry) => entry.userId !== userId);
  }

  async #meaning(question: string, userId: string, signal: AbortSignal | undefined): Promise<Pick<Entry, 'vector' | 'named'> | undefined> {
    try {
      const [vector] = await this.#embedding.embed([question], 'query', signal);
      const { nameKeys, speakers, times } = analyseQuery({ userId, text: question, filter: {}, speakers: await this.#graph.speakers(userId) });
      const entities = nameKeys.length === 0 ? [] : await this.#graph.findEntities({ userId, keys: nameKeys }, { limit: 64 });
      // "Yesterday" is another day tomorrow, in some zone at any hour.
      const hour = times.length === 0 ? '' : this.#clock.now().toISOString().slice(0, 13);
      const named = JSON.stringify([entities.map((entity) => entity.id).sort(), [...speakers].sort(), times, hour]);
      return vector === undefined ? undefined : { vector, named };
    } catch {
      return undefined;
    }
  }

  #best(asked: Omit<Entry, 'userId' | 'context'>): Entry | undefined {
    let best: Entry | undefined;
    let similarity = this.#options.similarity;
    for (const entry of this.#entries) {
      if (entry.options !== asked.options || entry.named !== asked.named) continue;
      const cosine = dot(asked.vector, entry.vector);
      // A millionth for rounding: a similarity of 1 can be asked for.
      if (cosine < similarity - 1e-6 || !asksTheSame(asked.question, entry.question)) continue;
      best = entry;
      similarity = cosine;
    }
    return best;
  }
}

/** Undefined where they are no options that retrieve() would take. */
function keyOf(options: object): string | undefined {
  try {
    return JSON.stringify(options, (_, value: unknown) => (value === Number.POSITIVE_INFINITY ? 'Infinity' : value));
  } catch {
    return undefined;
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

const READS: ReadonlySet<string> = new Set([
  ...['open', 'close', 'getEpisodes', 'getFacts', 'getEntities', 'findEpisodes', 'findFacts', 'findEntities'],
  ...['neighbours', 'latest', 'speakers', 'sources', 'mentions', 'expand', 'erasures', 'readUpdates', 'users', 'counts'],
]);

/**
 * The same store, which tells the cache of every write: a commit of its user, and an outbox entry that the indexes took of the user whose it
 * was. Whatever else is no known read empties the whole cache, so that a method of tomorrow can't leave it stale.
 */
export function tellOfWrites(graph: GraphStore, cache: SemanticCache): GraphStore {
  const owners = new Map<number, string>();
  const told: Pick<GraphStore, 'commit' | 'readOutbox' | 'acknowledge'> = {
    async commit(changes, signal) {
      try {
        const receipt = await graph.commit(changes, signal);
        for (const entry of receipt.outbox) owners.set(entry.sequence, entry.userId);
        return receipt;
      } finally {
        cache.forget(changes.userId);
      }
    },
    async readOutbox(limit) {
      const entries = await graph.readOutbox(limit);
      for (const entry of entries) owners.set(entry.sequence, entry.userId);
      return entries;
    },
    async acknowledge(sequences) {
      try {
        await graph.acknowledge(sequences);
      } finally {
        for (const sequence of sequences) {
          cache.forget(owners.get(sequence));
          owners.delete(sequence);
        }
      }
    },
  };
  return new Proxy(graph, {
    get(target, key) {
      if (key === 'commit' || key === 'readOutbox' || key === 'acknowledge') return told[key];
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      if (READS.has(String(key))) return member.bind(target);
      return (...values: readonly unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, values);
        if (result instanceof Promise) return result.finally(() => cache.forget());
        cache.forget();
        return result;
      };
    },
  });
}
