export type {
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
  Message,
  MessageInput,
  Receipt,
  RetrieveOptions,
  StoreInput,
  StoreOptions,
  Triple,
} from '@tandem-memory/core';
export { allocateBudget, BUDGET_PRESETS, type ErrorCode, type Memory, MemoryError } from '@tandem-memory/core';
export type { OpenMemoryConfig } from './config.ts';
export { configFromEnvironment } from './environment.ts';
export { openMemory } from './open-memory.ts';
