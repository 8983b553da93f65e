import type { ChatMemoryStore, ConversationEntry, ConversationId } from '../ports/chat-memory-store.ts';

/** Conversations of one process, gone when it ends. */
export class InMemoryChatStore implements ChatMemoryStore {
  readonly #users = new Map<string, Map<string, ConversationEntry[]>>();

  async get(id: ConversationId): Promise<readonly ConversationEntry[]> {
    return [...(this.#users.get(id.userId)?.get(id.sessionId) ?? [])];
  }

  async update(id: ConversationId, entries: readonly ConversationEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const sessions = this.#users.get(id.userId) ?? new Map<string, ConversationEntry[]>();
    this.#users.set(id.userId, sessions.set(id.sessionId, [...(sessions.get(id.sessionId) ?? []), ...structuredClone(entries)]));
  }

  async rewrite(id: ConversationId, change: (entries: readonly ConversationEntry[]) => readonly ConversationEntry[] | undefined): Promise<void> {
    const entries = change(await this.get(id));
    if (entries === undefined) return;
    await this.delete(id);
    await this.update(id, entries);
  }

  async delete(id: ConversationId): Promise<void> {
    const sessions = this.#users.get(id.userId);
    sessions?.delete(id.sessionId);
    if (sessions?.size === 0) this.#users.delete(id.userId);
  }

  async list(userId: string): Promise<readonly string[]> {
    return [...(this.#users.get(userId)?.keys() ?? [])].sort();
  }
}
