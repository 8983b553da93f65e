import {
  type Clock,
  type EmbeddingModel,
  type Extractor,
  type GraphStore,
  type MemoryConfig,
  modelExtractor,
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
  const extractor = extractorFor(config.model, clock);
  const reranker = rerankerFor(config, clock);
  // Opened last: what can fail without touching the disk has not failed by then.
  const database = new SqliteDatabase({ path: config.path, ...(config.busyTimeoutMs === undefined ? {} : { busyTimeoutMs: config.busyTimeoutMs }) });
  return {
    graph: graphStore(config.graph, database, clock),
    ...indexes(config.vectors, database),
    lifecycle: new EmbeddedLifecycleStore({ database }),
    embedding,
    extractor,
    ...(reranker === undefined ? {} : { reranker }),
    counter,
    clock,
    ...(config.options === undefined ? {} : { options: config.options }),
    resources: [database, ...(reranker instanceof CrossEncoder ? [reranker] : [])],
  };
}

/** Qdrant is one object for both indexes, so that each record is written once. */
function indexes(vectors: ParsedConfig['vectors'], database: SqliteDatabase): Pick<MemoryConfig, 'vectors' | 'keywords'> {
  if (vectors === undefined) return { vectors: new EmbeddedVectorIndex({ database }), keywords: new EmbeddedKeywordIndex({ database }) };
  const { provider: _, ...options } = vectors;
  const index = new QdrantIndex(options);
  return { vectors: index, keywords: index };
}

function graphStore(graph: ParsedConfig['graph'], database: SqliteDatabase, clock: Clock): GraphStore {
  if (graph === undefined) return new EmbeddedGraphStore({ database, clock });
  const { provider: _, database: name, ...server } = graph;
  return new Neo4jGraphStore({ server, clock, ...(name === undefined ? {} : { database: name }) });
}

async function tokenCounter(tokens: ParsedConfig['tokens']): Promise<TokenCounter> {
  return typeof tokens === 'string' ? TiktokenCounter.load(tokens) : new CharacterCounter(tokens.charactersPerToken);
}

function embeddingModel(embedding: ParsedConfig['embedding'], clock: Clock): EmbeddingModel {
  if (embedding === 'minilm') return new MinilmEmbeddingModel();
  if (embedding === 'fast') return new StaticEmbeddingModel();
  return new OpenAiEmbeddingModel({ ...embedding, clock });
}

function extractorFor(model: ParsedConfig['model'], clock: Clock): Extractor {
  return model === undefined ? rulesExtractor() : modelExtractor(new OpenAiLanguageModel({ ...model, clock }), { clock });
}

function rerankerFor({ reranker, model }: ParsedConfig, clock: Clock): RerankingModel | undefined {
  if (reranker === undefined) return undefined;
  if (reranker !== 'model') return new CrossEncoder({ folder: reranker.folder });
  return model === undefined ? undefined : languageModelReranker(new OpenAiLanguageModel({ ...model, clock }));
}
