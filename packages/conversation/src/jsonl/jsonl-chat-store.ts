import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ChatMemoryStore,
  type ConversationEntry,
  type ConversationId,
  deriveId,
  MemoryError,
  readConversationEntries,
} from '@tandem-memory/core';
import { isMissing, translateFileError } from './file-error.ts';

export interface JsonlChatStoreOptions {
  /** Made where it is missing. Each conversation is a file in it. */
  readonly folder: string;
}

/** Ends a line that was cut short by a crash, so that the next one starts afresh. No JSON ends like this. */
const TORN = ' ~torn\n';
const NEW_LINE = 10;
const HEAD_START = '{"conversation":1,"userId":';

/**
 * Conversations as files, an entry a line, readable and greppable. Each update is one append in the operating system, which keeps the lines of
 * several writers whole (on a local disk; network file systems promise less). File names are hashes: an id may be any text.
 */
export class JsonlChatStore implements ChatMemoryStore {
  readonly #folder: string;

  constructor(options: JsonlChatStoreOptions) {
    if (options.folder.trim() === '') throw new MemoryError('CONFIG_INVALID', 'The option `folder` is empty. Name a folder for the conversations.');
    this.#folder = options.folder;
  }

  async get(id: ConversationId): Promise<readonly ConversationEntry[]> {
    const path = this.#path(id);
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return '';
      throw translateFileError(error, path);
    });
    const entries: ConversationEntry[] = [];
    // What follows the last line break is an update that was never acknowledged, or is under way.
    for (const [index, line] of text.split('\n').slice(0, -1).entries()) {
      if (line.startsWith(HEAD_START) || line.endsWith(TORN.trimEnd())) continue;
      entries.push(...readConversationEntries(line, `Line ${index + 1} of ${path}`));
    }
    return entries;
  }

  async update(id: ConversationId, entries: readonly ConversationEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const path = this.#path(id);
    try {
      await mkdir(this.#userFolder(id.userId), { recursive: true });
      await using file = await open(path, 'a+');
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      const torn = size > 0 && last[0] !== NEW_LINE ? TORN : '';
      // The file name does not tell whose conversation it is. Two writers that make the file may both say so.
      const head = size === 0 || torn !== '' ? headOf(id) : '';
      // One line for all: an update counts as a whole or not at all.
      const line = Buffer.from(`${torn}${head}${JSON.stringify(entries.length === 1 ? entries[0] : entries)}\n`);
      const { bytesWritten } = await file.write(line);
      if (bytesWritten < line.length) {
        throw new MemoryError('STORAGE_FAILED', `${path} took only a part of what was written; the disk may be full. Nothing of this write counts.`);
      }
      await file.datasync();
    } catch (error) {
      throw translateFileError(error, path);
    }
  }

  /** Another process that appends in the very moment in which the new file takes the place of the old one loses what it appends. */
  async rewrite(id: ConversationId, change: (entries: readonly ConversationEntry[]) => readonly ConversationEntry[] | undefined): Promise<void> {
    const path = this.#path(id);
    try {
      for (;;) {
        const size = await sizeOf(path);
        const entries = change(await this.get(id));
        if (entries === undefined) return;
        if (entries.length === 0) return await this.delete(id);
        const draft = `${path}.new`;
        await writeFile(draft, `${headOf(id)}${JSON.stringify(entries)}\n`, { flush: true });
        if ((await sizeOf(path)) === size) return await rename(draft, path);
        await rm(draft, { force: true });
      }
    } catch (error) {
      throw translateFileError(error, path);
    }
  }

  async delete(id: ConversationId): Promise<void> {
    const path = this.#path(id);
    await rm(path, { force: true }).catch((error: unknown) => {
      throw translateFileError(error, path);
    });
  }

  async list(userId: string): Promise<readonly string[]> {
    const folder = this.#userFolder(userId);
    const names = await readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw translateFileError(error, folder);
    });
    const heads = await Promise.all(names.filter((name) => name.endsWith('.jsonl')).map((name) => readHead(join(folder, name))));
    return heads.flatMap((head) => (head?.userId === userId ? head.sessionId : [])).sort();
  }

  #userFolder(userId: string): string {
    return join(this.#folder, deriveId('user', userId));
  }

  #path(id: ConversationId): string {
    return join(this.#userFolder(id.userId), `${deriveId('session', id.sessionId)}.jsonl`);
  }
}

function headOf({ userId, sessionId }: ConversationId): string {
  return `${HEAD_START}${JSON.stringify(userId)},"sessionId":${JSON.stringify(sessionId)}}\n`;
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

async function readHead(path: string): Promise<ConversationId | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const line = text.split('\n').find((candidate) => candidate.startsWith(HEAD_START) && candidate.endsWith('}'));
  if (line === undefined) return undefined;
  const { userId, sessionId } = JSON.parse(line) as ConversationId;
  return { userId, sessionId };
}
