import { SqliteChatStore } from '@tandem-memory/conversation';
import {
  type ChatMemoryStore,
  type Clock,
  createMemory,
  type EmbeddingModel,
  type EntityJudge,
  type Extractor,
  type GenerateRequest,
  type GraphStore,
  type KeywordIndex,
  type Memory,
  type MemoryConfig,
  MemoryError,
  type MemoryOptions,
  modelExtractor,
  type QuestionDecomposer,
  type RerankingModel,
  type Summariser,
  type VectorIndex,
} from '@tandem-memory/core';
import { FixedClock, HashEmbeddingModel, ScriptedLanguageModel, type ScriptedReply, withMembers } from '@tandem-memory/core/testing';
import { EmbeddedGraphStore, EmbeddedLifecycleStore, type Neo4jGraphStore } from '@tandem-memory/graph';
import { TiktokenCounter } from '@tandem-memory/models';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedKeywordIndex, EmbeddedVectorIndex } from '@tandem-memory/vector';
import { freshNeo4jStore } from '../neo4j/fresh-graph-store.ts';
import { neo4jMissing } from '../neo4j/open-neo4j-store.ts';
import { freshQdrantIndex } from '../services/qdrant/fresh-index.ts';
import { qdrantMissing } from '../services/qdrant/provided-qdrant.ts';

export const NOTHING = '{"facts":[],"entities":[],"relations":[]}';

/** For what is true of the file alone. */
export const onServers = !(neo4jMissing && qdrantMissing);

/** A server that has just begun plans each statement for the first time; what comes of a limit that is passed, `test/servers/faults` shows. */
const PATIENT = { recallMs: 60_000, expandMs: 60_000, indexMs: 60_000 };

/** Runs of a property: on servers, where each takes seconds, a quarter shows that they behave as the file does. */
export function propertyRuns(onFile: number): number {
  return onServers ? Math.ceil(onFile / 4) : onFile;
}

interface TestMemoryOptions {
  /** Answers of the language model, in order; the last one repeats. Default: nothing to remember. */
  readonly replies?: readonly ScriptedReply[];
  readonly extractor?: Extractor;
  readonly embedding?: EmbeddingModel;
  readonly path?: string;
  readonly clock?: FixedClock;
  readonly options?: MemoryOptions;
  /** Told of the configuration that the memory is made with. */
  readonly onConfig?: (config: MemoryConfig) => void;
  readonly reranker?: RerankingModel;
  readonly decomposer?: QuestionDecomposer;
  readonly judge?: EntityJudge;
  readonly summariser?: Summariser;
  readonly wrapGraph?: (graph: GraphStore) => GraphStore;
  readonly wrapVectors?: (vectors: VectorIndex) => VectorIndex;
  readonly wrapKeywords?: (keywords: KeywordIndex) => KeywordIndex;
  /** In place of the graph store of the run. */
  readonly graph?: Neo4jGraphStore;
  /** Kept conversations in place of those in the file. */
  readonly conversations?: ChatMemoryStore;
  /** One object in place of both embedded indexes. */
  readonly index?: VectorIndex & KeywordIndex;
  /** The embedded stores whatever the run is about: a second memory at the same time, or one whose file is looked into. */
  readonly embedded?: boolean;
}

interface TestMemory {
  readonly memory: Memory;
  readonly model: ScriptedLanguageModel;
  readonly clock: FixedClock;
  readonly conversations: ChatMemoryStore;
}

const counter = await TiktokenCounter.load();

/**
 * The whole engine with a scripted language model and embeddings without weights. Drivers: the embedded ones; in the vitest projects `neo4j`
 * and `servers` a Neo4j graph, in `qdrant` and `servers` the indexes on Qdrant.
 */
export function openTestMemory(options: TestMemoryOptions = {}): TestMemory {
  const clock = options.clock ?? new FixedClock('2026-06-15T12:00:00.000Z');
  const model = new ScriptedLanguageModel(options.replies ?? [NOTHING]);
  const path = options.path === ':memory:' ? undefined : options.path;
  const database = new SqliteDatabase({ path: path ?? ':memory:' });
  const embedding = options.embedding ?? new HashEmbeddingModel();
  const neo4j = options.graph ?? (options.embedded === true ? undefined : freshNeo4jStore(path, clock));
  const graph = neo4j ?? new EmbeddedGraphStore({ database, clock: clock as Pick<Clock, 'now'> });
  const qdrant = options.index ?? (options.embedded === true ? undefined : freshQdrantIndex(path, embedding));
  const vectors = qdrant ?? new EmbeddedVectorIndex({ database });
  const keywords = qdrant ?? new EmbeddedKeywordIndex({ database });
  const conversations = options.conversations ?? neo4j?.conversations ?? new SqliteChatStore({ database });
  const config: MemoryConfig = {
    graph: options.wrapGraph?.(graph) ?? graph,
    vectors: options.wrapVectors?.(vectors) ?? vectors,
    keywords: options.wrapKeywords?.(keywords) ?? keywords,
    lifecycle: neo4j?.lifecycle ?? new EmbeddedLifecycleStore({ database }),
    conversations,
    embedding,
    extractor: options.extractor ?? modelExtractor(model, { clock }),
    counter,
    clock,
    resources: [database],
    ...(options.reranker === undefined ? {} : { reranker: options.reranker }),
    ...(options.judge === undefined ? {} : { judge: options.judge }),
    ...(options.decomposer === undefined ? {} : { decomposer: options.decomposer }),
    ...(options.summariser === undefined ? {} : { summariser: options.summariser }),
    options: { ...options.options, deadlines: { ...(onServers ? PATIENT : {}), ...options.options?.deadlines } },
  };
  options.onConfig?.(config);
  const memory = createMemory(config);
  return { memory, model, clock, conversations };
}

/** The same store, with one method of its own. */
export function replaceMethod<Name extends keyof GraphStore>(graph: GraphStore, name: Name, method: GraphStore[Name]): GraphStore {
  return withMembers(graph, { [name]: method });
}

/** An embedding model that fails while it is told to. */
export class FailingEmbeddingModel extends HashEmbeddingModel {
  failure: MemoryError | undefined;

  override async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.failure !== undefined) throw this.failure;
    return super.embed(texts);
  }
}

/** Gives every text the same vector, so that only keywords can rank. */
export class ConstantEmbeddingModel extends HashEmbeddingModel {
  override async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.embedded += texts.length;
    return texts.map(() => Float32Array.from({ length: this.dimensions }, (_, i) => (i === 0 ? 1 : 0)));
  }
}

/** A reply as the engine asks for it. */
export function reply(
  facts: readonly string[],
  entities: readonly (readonly [name: string, type: string])[] = [],
  relations: readonly (readonly [string, string, string])[] = [],
): string {
  return JSON.stringify({
    facts,
    entities: entities.map(([name, type]) => ({ name, type })),
    relations: relations.map(([subject, predicate, object]) => ({ subject, predicate, object })),
  });
}

interface ShownMessage {
  readonly number: number;
  readonly role: string;
  /** Day as the prompt gives it, or undefined where it gives none. */
  readonly day: string | undefined;
  readonly weekday: string | undefined;
  readonly text: string;
}

/** The messages that a prompt asks to read, as a model that goes by the prompt alone would see them. */
export function shownMessages(request: GenerateRequest): ShownMessage[] {
  const prompt = request.messages.map((message) => message.content).join('\n');
  return [...prompt.matchAll(/^<<(\w+) message=(\d+) (.*)>>\n([\s\S]*?)\n<<\1 end=\2>>$/gm)].map(([, , number, head = '', text = '']) => ({
    number: Number(number),
    role: /role=(\w+)/.exec(head)?.[1] ?? '',
    day: /said="(\S+)/.exec(head)?.[1],
    weekday: /said="\S+ (\w+)/.exec(head)?.[1],
    text,
  }));
}

export async function failureOf(work: Promise<unknown>): Promise<MemoryError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (MemoryError.isInstance(error)) return error;
  throw error;
}
