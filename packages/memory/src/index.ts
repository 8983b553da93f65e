export type {
  AssembledPrompt,
  AssembleInput,
  AssembleOptions,
  AssemblyReport,
  Context,
  ContextItem,
  DocumentInput,
  EntityMerge,
  HistoryEntry,
  LoggedUpdate,
  MemoryCheck,
  MemoryStats,
  MemoryUpdate,
  MergeProposal,
  Message,
  MessageInput,
  PromptDocument,
  PromptMessage,
  Receipt,
  RetrieveOptions,
  StoreInput,
  StoreOptions,
  Triple,
  UndoneMerge,
  UpdateReceipt,
} from '@tandem-memory/core';
export { allocateBudget, BUDGET_PRESETS, type ErrorCode, type Memory, MemoryError, planForWindow } from '@tandem-memory/core';
export type { OpenMemoryConfig } from './config.ts';
export { configFromEnvironment } from './environment.ts';
export { openMemory } from './open-memory.ts';
