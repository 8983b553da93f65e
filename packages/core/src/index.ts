export type { MemoryOptions } from './config.ts';
export {
  type CompactReport,
  type Conversation,
  type ConversationReport,
  createConversation,
  type RecallOptions,
} from './conversation/conversation.ts';
export type { ArchiveOptions, ConversationOptions, LongTermMemory, SummaryOptions } from './conversation/conversation-options.ts';
export { type AiSdkMessage, type AiSdkOutputMessage, fromAiSdk, toAiSdk } from './conversation/converters/ai-sdk.ts';
export { fromLangChain, type LangChainMessage, type LangChainOutputMessage, toLangChain } from './conversation/converters/langchain.ts';
export { toModelMessages } from './conversation/converters/model-messages.ts';
export { fromOpenAi, type OpenAiChatMessage, type OpenAiOutputMessage, toOpenAi } from './conversation/converters/openai.ts';
export { extractiveSummariser } from './conversation/extractive-summariser.ts';
export { InMemoryChatStore } from './conversation/in-memory-chat-store.ts';
export { messageTokens } from './conversation/message-tokens.ts';
export { type ModelSummariserOptions, modelSummariser } from './conversation/model-summariser.ts';
export { readConversationEntries, readConversationEntry } from './conversation/read-entry.ts';
export { type LeaveReason, selectWindow, type WindowInput, type WindowOptions, type WindowView } from './conversation/window.ts';
export { type Chunk, type ChunkOptions, chunkText } from './documents/chunk.ts';
export type { Candidate, Channel, ChannelScore, Hop, ScoreParts } from './domain/candidate.ts';
export {
  type ChangeSet,
  type Decision,
  type EntitySplit,
  type EntityTransfer,
  type EpisodeRevision,
  type EpisodeStateChange,
  emptyChangeSet,
  type FactClosure,
  type FactPlacement,
  type FactReopening,
  type FactRevision,
  type Mention,
  type OutboxEntry,
  type OutboxItem,
} from './domain/change-set.ts';
export type { ChatMessage, ToolCall } from './domain/chat-message.ts';
export type { Context, ContextItem, OmittedItem, TokenReport } from './domain/context.ts';
export { describeIssues } from './domain/describe-issues.ts';
export { DEFAULT_ENTITY_TYPE, ENTITY_TYPES, type Entity, type EntityType } from './domain/entity.ts';
export type { Episode, EpisodeKind, EpisodeState, NewEpisode, Outdated } from './domain/episode.ts';
export {
  type Compaction,
  type Erasure,
  type ErasureLog,
  type ErasureOptions,
  type ErasureResult,
  type ErasureTrace,
  erasureTrace,
  NOTHING_ERASED,
  traceUser,
} from './domain/erasure.ts';
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
export type { HistoryEntry } from './domain/history.ts';
export { deriveId } from './domain/id.ts';
export type { IndexFilter, IndexHit, IndexRecord, RecordContent, WeightedTerm } from './domain/index-record.ts';
export type { JsonValue, Metadata } from './domain/json.ts';
export { type Message, ROLES, type Role } from './domain/message.ts';
export { hasMetadata, type MetadataFilter, piecesOfMetadata } from './domain/metadata-filter.ts';
export { normalForm } from './domain/normal-form.ts';
export { type PredicateReading, readPredicate } from './domain/predicate.ts';
export type { PromptMessage } from './domain/prompt-message.ts';
export type { JoinedNames, Receipt, StoredEpisode } from './domain/receipt.ts';
export type { RecordKind } from './domain/record-kind.ts';
export type { RetrieveOptions } from './domain/retrieve-options.ts';
export type { Scope } from './domain/scope.ts';
export type { DocumentInput, DocumentSection, MessageInput, StoreInput, StoreOptions, StoreProgress, Triple } from './domain/store-input.ts';
export type { Subgraph } from './domain/subgraph.ts';
export { analyseText, weighTerms } from './domain/text-analysis.ts';
export { localMinute, parseTime, type Timestamp, timestamp, type ZonedTime } from './domain/time.ts';
export { type LoggedUpdate, type ToldUpdate, UPDATE_ACTIONS, type Update, type UpdateAction } from './domain/update-log.ts';
export { ERROR_RULES, type ErrorCode, type ErrorKind, MemoryError, type MemoryErrorOptions } from './errors.ts';
export { Backoff, type BackoffOptions } from './extraction/backoff.ts';
export { modelDecomposer } from './extraction/model-decomposer.ts';
export { modelEntityJudge } from './extraction/model-entity-judge.ts';
export { type ModelExtractorOptions, modelExtractor } from './extraction/model-extractor.ts';
export type { AuditFinding, AuditReport } from './lifecycle/audit.ts';
export type { ForgetReceipt } from './lifecycle/forget.ts';
export type { ImportReceipt } from './lifecycle/import.ts';
export type { NearPair } from './lifecycle/near-duplicates.ts';
export { createMemory, Memory } from './memory.ts';
export type { IndexDrift, OutboxCheck, UserCheck } from './outbox/check.ts';
export type { ReindexProgress } from './outbox/reindex.ts';
export type { RefusedRecord } from './outbox/relay.ts';
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
export {
  type AssembleDependencies,
  type AssembledPrompt,
  type AssembleInput,
  type AssemblyReport,
  assembleContext,
  type ComponentReport,
  type History,
  type PromptSource,
} from './packing/assemble.ts';
export type { PromptDocument } from './packing/fit-documents.ts';
export type { CutMessage } from './packing/fit-history.ts';
export { type Preset, planForWindow } from './packing/window-plan.ts';
export type { AssembleOptions } from './pipeline/assemble.ts';
export type { ForgetOptions } from './pipeline/forget.ts';
export type { ConsentOptions, DecayOptions, DecayReceipt } from './pipeline/lifecycle.ts';
export type { MemoryConfig, MemoryStats } from './pipeline/memory-config.ts';
export type { EntityMerge, MergeProposal, UndoneMerge } from './pipeline/merges.ts';
export type { ReextractOptions, ReextractReceipt } from './pipeline/reextract.ts';
export type { RelayHealth } from './pipeline/relay-loop.ts';
export { systemClock } from './pipeline/system-clock.ts';
export type { MemoryUpdate, UpdateReceipt } from './pipeline/update.ts';
export type { MemoryCheck, MemoryRepair, ReindexResult } from './pipeline/upkeep.ts';
export type { ChatMemoryStore, ConversationEntry, ConversationId } from './ports/chat-memory-store.ts';
export type { Clock } from './ports/clock.ts';
export type { EmbeddingModel, EmbeddingPurpose } from './ports/embedding-model.ts';
export type { EntityJudge } from './ports/entity-judge.ts';
export type { ExtractionInput, Extractor } from './ports/extractor.ts';
export type {
  CommitReceipt,
  EntityFilter,
  EpisodeFilter,
  ExpandQuery,
  FactFilter,
  GraphCounts,
  GraphStore,
  Page,
  UpdateFilter,
} from './ports/graph-store.ts';
export type { KeywordHits, KeywordIndex, KeywordQuery } from './ports/keyword-index.ts';
export type { GenerateReply, GenerateRequest, LanguageModel, ModelMessage } from './ports/language-model.ts';
export type { ConsentRecord, LifecycleStore, LifeMark } from './ports/lifecycle-store.ts';
export type { QuestionDecomposer } from './ports/question-decomposer.ts';
export type { RerankingModel } from './ports/reranking-model.ts';
export type { Summariser, SummaryInput } from './ports/summariser.ts';
export type { TokenCounter } from './ports/token-counter.ts';
export type { Tracer } from './ports/tracer.ts';
export type { IndexRebuild, VectorIndex, VectorQuery, VectorSpace } from './ports/vector-index.ts';
export type { TypedName } from './resolution/entity-type.ts';
export { MATCH_STEPS, type MatchStep, matchNames } from './resolution/match-name.ts';
