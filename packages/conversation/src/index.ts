export { JsonlChatStore, type JsonlChatStoreOptions } from './jsonl/jsonl-chat-store.ts';
export { SqliteChatStore, type SqliteChatStoreOptions } from './sqlite/sqlite-chat-store.ts';
