import { SqliteChatStore } from '@tandem-memory/conversation';
import {
  type Clock,
  type EmbeddingModel,
  type MemoryConfig,
  modelDecomposer,
  modelEntityJudge,
  modelExtractor,
  modelSummariser,
  type RerankingModel,
  systemClock,
  type TokenCounter,
} from '@tandem-memory/core';
import { EmbeddedGraphStore, EmbeddedLifecycleStore, Neo4jGraphStore } from '@tandem-memory/graph';
import {
  CharacterCounter,
  CrossEncoder,
  languageModelReranker,
  MinilmEmbeddingModel,
  OnnxEmbeddingModel,
  OpenAiEmbeddingModel,
  OpenAiLanguageModel,
  rulesExtractor,
  StaticEmbeddingModel,
  TiktokenCounter,
} from '@tandem-memory/models';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedKeywordIndex, EmbeddedVectorIndex, QdrantIndex } from '@tandem-memory/vector';
import type { ParsedConfig } from './config.ts';

/** The only place that turns names in a configuration into driver objects. */
export async function compose(config: ParsedConfig, clock: Clock = systemClock): Promise<MemoryConfig> {
  const counter = await tokenCounter(config.tokens);
  const embedding = embeddingModel(config.embedding, clock);
  const model = config.model === undefined ? undefined : new OpenAiLanguageModel({ ...config.model, clock });
  const extractor = model === undefined ? rulesExtractor() : modelExtractor(model, { clock });
  const reranker = rerankerFor(config.reranker, model);
  // Opened last: what can fail without touching the disk has not failed by then.
  const kept = stores(config, clock);
  return {
    ...kept,
    resources: [...(kept.resources ?? []), ...(reranker instanceof CrossEncoder ? [reranker] : [])],
    embedding,
    extractor,
    // Asked only where the rules find several that a name could be.
    ...(model === undefined ? {} : { judge: modelEntityJudge(model) }),
    ...(model === undefined ? {} : { decomposer: modelDecomposer(model) }),
    ...(reranker === undefined ? {} : { reranker }),
    counter,
    ...(model === undefined ? {} : { summariser: modelSummariser(model, { counter }) }),
    clock,
    ...(config.options === undefined ? {} : { options: config.options }),
  };
}

type Stores = Pick<MemoryConfig, 'graph' | 'lifecycle' | 'conversations' | 'vectors' | 'keywords' | 'resources'>;

/** With a server for the graph and one for the indexes there is nothing to keep in a file, and none is made. */
function stores(config: ParsedConfig, clock: Clock): Stores {
  const onNeo4j = config.graph === undefined ? undefined : neo4jStores(config.graph, clock);
  const onQdrant = config.vectors === undefined ? undefined : qdrantIndexes(config.vectors);
  if (onNeo4j !== undefined && onQdrant !== undefined) return { ...onNeo4j, ...onQdrant };
  const database = new SqliteDatabase({ path: config.path, ...(config.busyTimeoutMs === undefined ? {} : { busyTimeoutMs: config.busyTimeoutMs }) });
  try {
    return {
      ...(onNeo4j ?? embeddedStores(database, clock)),
      ...(onQdrant ?? { vectors: new EmbeddedVectorIndex({ database }), keywords: new EmbeddedKeywordIndex({ database }) }),
      resources: [database],
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function embeddedStores(database: SqliteDatabase, clock: Clock) {
  return {
    graph: new EmbeddedGraphStore({ database, clock }),
    lifecycle: new EmbeddedLifecycleStore({ database }),
    conversations: new SqliteChatStore({ database }),
  };
}

function neo4jStores({ provider: _, database, timeoutMs, ...server }: NonNullable<ParsedConfig['graph']>, clock: Clock) {
  const graph = new Neo4jGraphStore({
    server,
    clock,
    ...(database === undefined ? {} : { database }),
    ...(timeoutMs === undefined ? {} : { transactionTimeoutMs: timeoutMs }),
  });
  return { graph, lifecycle: graph.lifecycle, conversations: graph.conversations };
}

/** Qdrant is one object for both indexes, so that each record is written once. */
function qdrantIndexes({ provider: _, ...options }: NonNullable<ParsedConfig['vectors']>) {
  const index = new QdrantIndex(options);
  return { vectors: index, keywords: index };
}

async function tokenCounter(tokens: ParsedConfig['tokens']): Promise<TokenCounter> {
  return typeof tokens === 'string' ? TiktokenCounter.load(tokens) : new CharacterCounter(tokens.charactersPerToken);
}

function embeddingModel(embedding: ParsedConfig['embedding'], clock: Clock): EmbeddingModel {
  if (embedding === 'minilm') return new MinilmEmbeddingModel();
  if (embedding === 'fast') return new StaticEmbeddingModel();
  if (embedding.provider === 'onnx') return new OnnxEmbeddingModel(embedding);
  return new OpenAiEmbeddingModel({ ...embedding, clock });
}

function rerankerFor(reranker: ParsedConfig['reranker'], model: OpenAiLanguageModel | undefined): RerankingModel | undefined {
  if (reranker === undefined) return undefined;
  if (reranker !== 'model') return new CrossEncoder({ folder: reranker.folder });
  return model === undefined ? undefined : languageModelReranker(model);
}
