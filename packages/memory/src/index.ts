export { JsonlChatStore, SqliteChatStore } from '@tandem-memory/conversation';
export type {
  AssembledPrompt,
  AssembleInput,
  AssembleOptions,
  AssemblyReport,
  ChatMemoryStore,
  ChatMessage,
  Context,
  ContextItem,
  DocumentInput,
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
export {
  allocateBudget,
  BUDGET_PRESETS,
  type Conversation,
  type ConversationOptions,
  createConversation,
  type ErrorCode,
  extractiveSummariser,
  fromAiSdk,
  fromLangChain,
  fromOpenAi,
  InMemoryChatStore,
  type LanguageModel,
  type Memory,
  MemoryError,
  modelSummariser,
  planForWindow,
  type TokenCounter,
  toAiSdk,
  toLangChain,
  toOpenAi,
} from '@tandem-memory/core';
export { CharacterCounter, OpenAiLanguageModel, TiktokenCounter } from '@tandem-memory/models';
export { SqliteDatabase } from '@tandem-memory/sqlite';
export { Chat, type ChatTokens, type ChatTurn } from './chat/chat.ts';
export { type ChatOptions, openChat } from './chat/open-chat.ts';
export type { OpenMemoryConfig } from './config.ts';
export { configFromEnvironment } from './environment.ts';
export { openMemory } from './open-memory.ts';
