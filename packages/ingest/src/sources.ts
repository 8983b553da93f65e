import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { deriveId, type StoreOptions } from '@tandem-memory/core';
import type { Input } from './find-files.ts';
import type { IngestOptions, IngestTarget } from './ingest-options.ts';

const PAGE = 1000;

/**
 * What was ingested before. Names are relative to the working folder, so each episode carries a mark of the folder, agent and session that it
 * was ingested for (`metadata.origin`): a `notes.md` of another project is never taken for one that is gone.
 */
export class Sources {
  readonly #memory: IngestTarget;
  readonly #options: IngestOptions;
  readonly #known: ReadonlySet<string>;
  readonly #origin: string;

  private constructor(memory: IngestTarget, options: IngestOptions, known: ReadonlySet<string>) {
    const { cwd, userId, agentId, sessionId } = options;
    this.#memory = memory;
    this.#options = options;
    this.#known = known;
    this.#origin = deriveId('origin', realpathSync(resolve(cwd ?? '.')), userId, agentId, sessionId);
  }

  static async of(memory: IngestTarget, options: IngestOptions): Promise<Sources> {
    const known: string[] = [];
    for (;;) {
      const after = known.at(-1);
      const page = await memory.sources({ userId: options.userId }, { limit: PAGE, ...(after === undefined ? {} : { after }) });
      known.push(...page);
      if (page.length < PAGE) return new Sources(memory, options, new Set(known));
    }
  }

  storeOptions(sourceId: string): StoreOptions & { readonly sourceId: string } {
    const { userId, agentId, sessionId, metadata, at, infer, signal } = this.#options;
    return {
      userId,
      sourceId,
      metadata: { ...metadata, origin: this.#origin },
      ...(agentId === undefined ? {} : { agentId }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(at === undefined ? {} : { at }),
      ...(infer === undefined ? {} : { infer }),
      ...(signal === undefined ? {} : { signal }),
    };
  }

  /** @returns how many went */
  async removeAll(sourceId: string): Promise<number> {
    return this.removeRest(sourceId, new Set());
  }

  /** Removes what was stored of a source before, but for these. @returns how many went */
  async removeRest(sourceId: string, kept: ReadonlySet<string>): Promise<number> {
    if (!this.#known.has(sourceId)) return 0;
    const { userId } = this.#options;
    const stale: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await this.#memory.episodes({ userId, sourceId }, { limit: PAGE, ...(after === undefined ? {} : { after }) });
      for (const { id, metadata } of page) if (metadata['origin'] === this.#origin && !kept.has(id)) stale.push(id);
      if (page.length < PAGE) break;
      after = page.at(-1)?.id;
    }
    if (stale.length > 0) await this.#memory.forget({ userId, ids: stale, compact: false });
    return stale.length;
  }

  /** Removes what was stored of files that the folders among the inputs no longer have. */
  async removeVanished(found: readonly Input[], folders: readonly string[]): Promise<{ readonly sourceId: string; readonly removed: number }[]> {
    const there = new Set(found.map((input) => input.name));
    const gone = [...this.#known].filter((name) => !there.has(name) && folders.some((folder) => isInside(name, folder)));
    const result: { sourceId: string; removed: number }[] = [];
    for (const sourceId of gone) {
      const removed = await this.removeAll(sourceId);
      if (removed > 0) result.push({ sourceId, removed });
    }
    return result;
  }
}

/** A folder by its name relative to the working folder; `.` is that itself. */
function isInside(name: string, folder: string): boolean {
  return folder === '.' ? !name.startsWith('../') && !name.startsWith('stdin:') : name.startsWith(`${folder}/`);
}
