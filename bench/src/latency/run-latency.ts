import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory, type Extractor, type Memory, NO_USAGE } from '@tandem-memory/core';
import { EmbeddedGraphStore, EmbeddedLifecycleStore } from '@tandem-memory/graph';
import { TiktokenCounter } from '@tandem-memory/models';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedKeywordIndex, EmbeddedVectorIndex } from '@tandem-memory/vector';
import { clearServers, nameOf, neo4jStore, qdrantIndex, requireEmpty, type Servers } from '../servers/servers.ts';
import type { ColdStart } from './cold-start.ts';
import { type BenchUser, laterMessage, planUsers, question } from './corpus.ts';
import { type Distribution, distribution } from './distribution.ts';
import { MESSAGES_PER_CALL, storeAll } from './store-all.ts';
import { TopicEmbeddingModel } from './topic-embedding-model.ts';
import { buildVocabulary, type Vocabulary } from './vocabulary.ts';

export interface LatencyOptions {
  readonly memories: number;
  readonly users: number;
  /** Questions of each of two users. */
  readonly queries: number;
  /** False leaves out the second database and the fresh processes. */
  readonly coldStart: boolean;
  /** For the graph, or vectors and keywords, in place of the file. */
  readonly servers: Servers;
  readonly onProgress: (line: string) => void;
}

type StageTimings = Readonly<Record<string, Distribution>>;

export interface LatencyResult {
  readonly retrieve_ms: Distribution;
  readonly retrieve_small_user_ms: Distribution;
  /** One durable, indexed turn with one triple, less the time of its embedding. */
  readonly store_ms: Distribution;
  readonly cold_start_ms: ColdStart | null;
  /** Processor time of the same calls, all threads: what they cost where other programs make them wait. */
  readonly cpu_ms: { readonly retrieve: Distribution; readonly retrieve_small_user: Distribution; readonly store: Distribution };
  readonly bulk_per_s: number;
  /** Of the SQLite file; none where the graph is on a server. */
  readonly bytes_per_memory: number | null;
  /** Of the benchmark's own process, before the cold starts. */
  readonly peak_rss_mb: number;
  readonly stages_ms: StageTimings;
  readonly stages_small_user_ms: StageTimings;
  readonly stored: {
    readonly episodes: number;
    readonly facts: number;
    readonly entities: number;
    readonly biggest_user: number;
    readonly smallest_user: number;
  };
  /** Items of a packed answer and its tokens, on average: proof that the questions find something. */
  readonly answer: { readonly items: number; readonly tokens: number; readonly facts: number };
  readonly settings: Readonly<Record<string, string | number>>;
}

const WARM_UP_QUERIES = 30;
const STORES = 300;
const WARM_UP_STORES = 20;

/**
 * Times the engine on one SQLite file with a synthetic memory of `memories` turns. Vectors are generated, so that nothing but the engine is
 * measured; everything goes through the public `store()` and `retrieve()` with their default options.
 */
export async function runLatency(options: LatencyOptions): Promise<LatencyResult> {
  const valid = Number.isInteger(options.users) && options.users >= 1 && Number.isInteger(options.memories) && options.memories >= 4 * options.users;
  if (!valid) throw new RangeError('--users must be a whole number of 1 or more, --memories at least four times as many.');
  const vocabulary = buildVocabulary();
  const users = planUsers(options.memories, options.users);
  const [biggest, smallest] = [users[0], users.at(-1)];
  if (biggest === undefined || smallest === undefined) throw new RangeError('There is no user.');
  const folder = mkdtempSync(join(tmpdir(), 'tandem-latency-'));
  const { servers } = options;
  const collectionPrefix = `tandem-bench-${randomUUID()}`;
  await requireEmpty(servers);
  try {
    const path = join(folder, 'memory.db');
    const embedding = new TopicEmbeddingModel(vocabulary);
    const memory = await open(path, embedding, servers, collectionPrefix);
    const bulkSeconds = await storeAll(memory, users, vocabulary, embedding, options.onProgress);
    const large = await measureRetrieve(memory, biggest, vocabulary, options);
    const small = await measureRetrieve(memory, smallest, vocabulary, options);
    const stored = await measureStore(memory, users, vocabulary, embedding, options.onProgress);
    const { episodes, facts, entities } = await memory.stats();
    await memory.close();
    const peakRss = process.resourceUsage().maxRSS / 1024;
    const coldStart = options.coldStart
      ? await (await import('./cold-start.ts')).measureColdStart(folder, users, vocabulary, options.onProgress)
      : null;
    return {
      retrieve_ms: distribution(large.elapsed),
      retrieve_small_user_ms: distribution(small.elapsed),
      store_ms: distribution(stored.elapsed),
      cold_start_ms: coldStart,
      cpu_ms: { retrieve: distribution(large.cpu), retrieve_small_user: distribution(small.cpu), store: distribution(stored.cpu) },
      bulk_per_s: Math.round(options.memories / bulkSeconds),
      bytes_per_memory: servers.graph === undefined ? Math.round(statSync(path).size / episodes) : null,
      peak_rss_mb: Math.round(peakRss),
      stages_ms: large.stages,
      stages_small_user_ms: small.stages,
      stored: { episodes, facts, entities, biggest_user: biggest.memories, smallest_user: smallest.memories },
      answer: large.answer,
      settings: {
        memories: options.memories,
        users: options.users,
        queries: options.queries,
        stores: STORES,
        messages_per_bulk_call: MESSAGES_PER_CALL,
        load_average: loadavg()
          .map((load) => load.toFixed(1))
          .join(' '),
        embedding: `${embedding.modelId}, ${embedding.dimensions} dimensions, generated; its time is subtracted from store and bulk`,
        backend: nameOf(servers),
        extraction: 'none: 0 to 2 triples a turn from the caller',
        retrieve: 'defaults: budget 2000, hops 2; warm cache',
        cold_start: options.coldStart
          ? 'a second file of the same memories by --embedding fast; 5 processes `tandem query --json` each, median, file in the page cache'
          : 'left out',
      },
    };
  } finally {
    await clearServers(servers, collectionPrefix);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function open(path: string, embedding: TopicEmbeddingModel, { graph, vector }: Servers, collectionPrefix: string): Promise<Memory> {
  const database = new SqliteDatabase({ path });
  const neo4j = graph === undefined ? undefined : neo4jStore(graph);
  const qdrant = vector === undefined ? undefined : qdrantIndex(vector, collectionPrefix);
  return createMemory({
    graph: neo4j ?? new EmbeddedGraphStore({ database }),
    lifecycle: neo4j?.lifecycle ?? new EmbeddedLifecycleStore({ database }),
    vectors: qdrant ?? new EmbeddedVectorIndex({ database }),
    keywords: qdrant ?? new EmbeddedKeywordIndex({ database }),
    embedding,
    extractor: noExtractor,
    counter: await TiktokenCounter.load(),
    resources: [database],
  });
}

/** Never asked: every turn of the benchmark brings its triples. */
const noExtractor: Extractor = {
  id: 'none',
  local: true,
  extract: async () => ({ origin: 'caller', entities: [], relations: [], facts: [], skipped: [], usage: NO_USAGE }),
};

async function measureRetrieve(memory: Memory, user: BenchUser, vocabulary: Vocabulary, { queries, onProgress }: LatencyOptions) {
  onProgress(`retrieve: ${queries} questions of ${user.id} (${user.memories} memories)`);
  for (let number = 0; number < WARM_UP_QUERIES; number++) await memory.retrieve(question(user, queries + number, vocabulary), { userId: user.id });
  const elapsed: number[] = [];
  const cpu: number[] = [];
  const stages: Record<string, number[]> = {};
  const answer = { items: 0, tokens: 0, facts: 0 };
  for (let number = 0; number < queries; number++) {
    const text = question(user, number, vocabulary);
    const timer = startTimer();
    const context = await memory.retrieve(text, { userId: user.id });
    const time = timer();
    elapsed.push(time.elapsedMs);
    cpu.push(time.cpuMs);
    for (const [stage, stageMs] of Object.entries(context.timings)) {
      const times = stages[stage];
      if (times === undefined) stages[stage] = [stageMs];
      else times.push(stageMs);
    }
    answer.items += context.items.length / queries;
    answer.tokens += context.tokens.used / queries;
    answer.facts += context.items.filter((item) => item.kind === 'fact').length / queries;
  }
  return {
    elapsed,
    cpu,
    stages: Object.fromEntries(Object.entries(stages).map(([stage, times]) => [stage, distribution(times)])),
    answer: { items: Math.round(answer.items), tokens: Math.round(answer.tokens), facts: Math.round(answer.facts) },
  };
}

/** Single turns, one call each, to the users in proportion to their size. */
async function measureStore(
  memory: Memory,
  users: readonly BenchUser[],
  vocabulary: Vocabulary,
  embedding: TopicEmbeddingModel,
  onProgress: (line: string) => void,
): Promise<{ readonly elapsed: number[]; readonly cpu: number[] }> {
  onProgress(`store: ${STORES} single turns`);
  const turns = users.reduce((sum, user) => sum + user.memories, 0);
  const elapsed: number[] = [];
  const cpu: number[] = [];
  for (let number = 0; number < WARM_UP_STORES + STORES; number++) {
    const user = userAt(users, ((number * 0.618034) % 1) * turns);
    const turn = laterMessage(user, number, vocabulary);
    const embeddingBefore = embedding.elapsedMs;
    const timer = startTimer();
    const receipt = await memory.store(turn, { userId: user.id, sessionId: `late-${number % 3}` });
    const time = timer();
    const embeddingMs = embedding.elapsedMs - embeddingBefore;
    if (!receipt.indexed) throw new Error(`A turn was stored but not indexed: ${receipt.degraded.join('; ')}`);
    if (number < WARM_UP_STORES) continue;
    elapsed.push(time.elapsedMs - embeddingMs);
    cpu.push(time.cpuMs - embeddingMs);
  }
  return { elapsed, cpu };
}

function startTimer(): () => { readonly elapsedMs: number; readonly cpuMs: number } {
  const start = performance.now();
  const cpuStart = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpuStart);
    return { elapsedMs: performance.now() - start, cpuMs: (user + system) / 1000 };
  };
}

/** The user who holds the memory of that number, all memories counted user by user. */
function userAt(users: readonly BenchUser[], memory: number): BenchUser {
  let passed = 0;
  for (const user of users) {
    passed += user.memories;
    if (memory < passed) return user;
  }
  throw new RangeError(`There is no memory ${memory}.`);
}
