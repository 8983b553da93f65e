import { type Clock, createMemory, type EmbeddingModel, type Memory, type MemoryOptions, systemClock } from '@tandem-memory/core';
import { EmbeddedGraphStore } from '@tandem-memory/graph';
import { CrossEncoder, MinilmEmbeddingModel, OnnxEmbeddingModel, rulesExtractor, StaticEmbeddingModel, TiktokenCounter } from '@tandem-memory/models';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedKeywordIndex, EmbeddedVectorIndex } from '@tandem-memory/vector';
import { type Ablation, without as lacking } from './ablation.ts';
import { CachedEmbeddingModel } from './cached-embedding-model.ts';
import { RememberedScores } from './remembered-scores.ts';

/** `minilm`, `fast`, or the folder of another local model. */
export type EmbeddingName = string;

export interface BenchMemoryOptions {
  readonly embedding: EmbeddingName;
  /** Database file; in memory where not given. */
  readonly path?: string;
  /** File that keeps vectors from one run to the next. */
  readonly vectorCache?: string;
  readonly options?: MemoryOptions;
  /** Default the machine's. */
  readonly clock?: Clock;
  /** Folder of a cross-encoder. */
  readonly reranker?: string;
  /** What the memory has to do without. */
  readonly without?: readonly Ablation[];
}

/** What `openMemory()` gives without a model, with vectors from a file where one is named. */
export async function openBenchMemory({
  embedding,
  path,
  vectorCache,
  options,
  clock = systemClock,
  reranker: folder,
  without = [],
}: BenchMemoryOptions): Promise<Memory> {
  const model = embeddingModel(embedding);
  const counter = await TiktokenCounter.load('o200k_base');
  const reranker = folder === undefined ? undefined : new CrossEncoder({ folder });
  const database = new SqliteDatabase({ path: path ?? ':memory:' });
  const drivers = {
    graph: new EmbeddedGraphStore({ database, clock }),
    vectors: new EmbeddedVectorIndex({ database }),
    keywords: new EmbeddedKeywordIndex({ database }),
    options: options ?? {},
  };
  return createMemory({
    ...lacking(drivers, without),
    embedding: vectorCache === undefined ? model : new CachedEmbeddingModel(model, vectorCache),
    extractor: rulesExtractor(),
    counter,
    clock,
    ...(reranker === undefined ? {} : { reranker: new RememberedScores(reranker) }),
    resources: [database, ...(reranker === undefined ? [] : [reranker])],
  });
}

function embeddingModel(name: EmbeddingName): EmbeddingModel {
  if (name === 'minilm') return new MinilmEmbeddingModel();
  return name === 'fast' ? new StaticEmbeddingModel() : new OnnxEmbeddingModel({ folder: name });
}
