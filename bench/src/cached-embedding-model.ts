import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { EmbeddingModel, EmbeddingPurpose } from '@tandem-memory/core';

/** Keeps vectors on disk by model and text, so that a benchmark run again pays for the engine only. Never for figures of speed. */
export class CachedEmbeddingModel implements EmbeddingModel {
  readonly modelId: string;
  readonly dimensions: number | undefined;
  readonly maxBatchSize: number;
  readonly keywordWeight: number;
  readonly #model: EmbeddingModel;
  readonly #database: DatabaseSync;

  constructor(model: EmbeddingModel, file: string) {
    this.#model = model;
    this.modelId = model.modelId;
    this.dimensions = model.dimensions;
    this.maxBatchSize = model.maxBatchSize;
    this.keywordWeight = model.keywordWeight;
    this.#database = new DatabaseSync(file);
    this.#database.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID');
  }

  keywordWeightFor(question: string): number {
    return this.#model.keywordWeightFor?.(question) ?? this.keywordWeight;
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]> {
    const keys = texts.map((text) => createHash('sha256').update(`${this.modelId}\n${purpose}\n${text}`).digest());
    const read = this.#database.prepare('SELECT vector FROM vectors WHERE key = ?');
    const known: (Float32Array | undefined)[] = keys.map((key) => {
      const vector = read.get(key)?.['vector'];
      return vector instanceof Uint8Array ? new Float32Array(vector.slice().buffer) : undefined;
    });
    const missing = texts.flatMap((text, index) => (known[index] === undefined ? [{ text, index }] : []));
    if (missing.length === 0) return known.filter((vector) => vector !== undefined);
    const fresh = await this.#model.embed(
      missing.map(({ text }) => text),
      purpose,
      signal,
    );
    const write = this.#database.prepare('INSERT OR REPLACE INTO vectors VALUES (?, ?)');
    this.#database.exec('BEGIN IMMEDIATE');
    for (const [i, { index }] of missing.entries()) {
      const vector = fresh[i];
      const key = keys[index];
      if (vector === undefined || key === undefined) continue;
      known[index] = vector;
      write.run(key, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    }
    this.#database.exec('COMMIT');
    return known.filter((vector) => vector !== undefined);
  }

  async close(): Promise<void> {
    this.#database.close();
    await this.#model.close();
  }
}
