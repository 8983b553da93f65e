export type { MemoryOptions } from './config.ts';
export { type Chunk, type ChunkOptions, chunkText } from './documents/chunk.ts';
export type { Candidate, Channel, ChannelScore, Hop } from './domain/candidate.ts';
export {
  type ChangeSet,
  type Decision,
  type EpisodeStateChange,
  emptyChangeSet,
  type FactClosure,
  type Mention,
  type OutboxEntry,
  type OutboxItem,
  type RecordKind,
} from './domain/change-set.ts';
export type { Context, ContextItem, OmittedItem, TokenReport } from './domain/context.ts';
export { DEFAULT_ENTITY_TYPE, ENTITY_TYPES, type Entity, type EntityType } from './domain/entity.ts';
export type { Episode, EpisodeKind, EpisodeState, NewEpisode } from './domain/episode.ts';
export {
  type ExtractedEntity,
  type ExtractedFact,
  type ExtractedRelation,
  type Extraction,
  type ModelUsage,
  NO_USAGE,
  type SkippedItem,
} from './domain/extraction.ts';
export type { Fact, FactOrigin } from './domain/fact.ts';
export { deriveId } from './domain/id.ts';
export type { IndexFilter, IndexHit, IndexRecord, WeightedTerm } from './domain/index-record.ts';
export type { JsonValue, Metadata } from './domain/json.ts';
export { type Message, ROLES, type Role } from './domain/message.ts';
export { normalForm } from './domain/normal-form.ts';
export type { Receipt, StoredEpisode } from './domain/receipt.ts';
export type { RetrieveOptions } from './domain/retrieve-options.ts';
export type { Scope } from './domain/scope.ts';
export type { DocumentInput, MessageInput, StoreInput, StoreOptions, Triple } from './domain/store-input.ts';
export type { Subgraph } from './domain/subgraph.ts';
export { analyseText, weighTerms } from './domain/text-analysis.ts';
export { localMinute, parseTime, type Timestamp, timestamp, type ZonedTime } from './domain/time.ts';
export { ERROR_RULES, type ErrorCode, type ErrorKind, MemoryError, type MemoryErrorOptions } from './errors.ts';
export { Backoff, type BackoffOptions } from './extraction/backoff.ts';
export { type ModelExtractorOptions, modelExtractor } from './extraction/model-extractor.ts';
export { createMemory, Memory, type MemoryConfig, type MemoryStats } from './memory.ts';
export {
  type Allocation,
  type AllocationInput,
  allocateBudget,
  BUDGET_PRESETS,
  type BudgetPlan,
  COMPONENTS,
  type Component,
  type ComponentBudget,
} from './packing/allocate.ts';
export { systemClock } from './pipeline/system-clock.ts';
export type { Clock } from './ports/clock.ts';
export type { EmbeddingModel, EmbeddingPurpose } from './ports/embedding-model.ts';
export type { ExtractionInput, Extractor } from './ports/extractor.ts';
export type { CommitReceipt, EntityFilter, EpisodeFilter, ExpandQuery, FactFilter, GraphCounts, GraphStore, Page } from './ports/graph-store.ts';
export type { KeywordHits, KeywordIndex, KeywordQuery } from './ports/keyword-index.ts';
export type { GenerateReply, GenerateRequest, LanguageModel, ModelMessage } from './ports/language-model.ts';
export type { RerankingModel } from './ports/reranking-model.ts';
export type { TokenCounter } from './ports/token-counter.ts';
export type { Tracer } from './ports/tracer.ts';
export type { VectorIndex, VectorQuery, VectorSpace } from './ports/vector-index.ts';
