export type {
  Context,
  ContextItem,
  DocumentInput,
  EntityMerge,
  HistoryEntry,
  LoggedUpdate,
  MemoryUpdate,
  MergeProposal,
  Message,
  MessageInput,
  Receipt,
  RetrieveOptions,
  StoreInput,
  StoreOptions,
  Triple,
  UndoneMerge,
  UpdateReceipt,
} from '@tandem-memory/core';
export { allocateBudget, BUDGET_PRESETS, type ErrorCode, type Memory, MemoryError } from '@tandem-memory/core';
export type { OpenMemoryConfig } from './config.ts';
export { configFromEnvironment } from './environment.ts';
export { openMemory } from './open-memory.ts';
