export type {
  AssembledPrompt,
  AssembleInput,
  AssembleOptions,
  AssemblyReport,
  AuditReport,
  ConsentOptions,
  ConsentRecord,
  Context,
  ContextItem,
  DecayOptions,
  DecayReceipt,
  DocumentInput,
  ForgetOptions,
  ForgetReceipt,
  ImportReceipt,
  MemoryCheck,
  MemoryStats,
  Message,
  MessageInput,
  PromptDocument,
  PromptMessage,
  Receipt,
  RetrieveOptions,
  StoreInput,
  StoreOptions,
  Triple,
} from '@tandem-memory/core';
export { allocateBudget, BUDGET_PRESETS, type ErrorCode, type Memory, MemoryError, planForWindow } from '@tandem-memory/core';
export type { OpenMemoryConfig } from './config.ts';
export { configFromEnvironment } from './environment.ts';
export { openMemory } from './open-memory.ts';
