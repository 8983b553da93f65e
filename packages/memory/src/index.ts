export type { Context, ContextItem, Message, MessageInput, DocumentInput, Receipt, RetrieveOptions, StoreInput, StoreOptions, Triple } from '@tandem-memory/core';
export type { EntityMerge, HistoryEntry, LoggedUpdate, MemoryUpdate, MergeProposal, UndoneMerge, UpdateReceipt } from '@tandem-memory/core';
export { allocateBudget, BUDGET_PRESETS, type ErrorCode, type Memory, MemoryError } from '@tandem-memory/core';
export type { OpenMemoryConfig } from './config.ts';
export { configFromEnvironment } from './environment.ts';
export { openMemory } from './open-memory.ts';
