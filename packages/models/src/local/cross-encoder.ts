import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { MemoryError, type RerankingModel } from '@tandem-memory/core';
import { ModelWorker } from './model-worker.ts';

export interface CrossEncoderOptions {
  /**
   * Folder with `model.onnx` and `tokenizer.json` of a BERT cross-encoder, e.g. an export of ms-marco-MiniLM-L6-v2. None comes with this
   * package, and nothing is downloaded.
   */
  readonly folder: string;
}

const WORKER = new URL(import.meta.url.endsWith('.ts') ? './cross-encoder-worker.ts' : './cross-encoder-worker.js', import.meta.url);

/**
 * A local cross-encoder: reads question and text together, in a worker thread through onnxruntime.
 * @throws MODEL_FILES_MISSING from the constructor
 */
export class CrossEncoder implements RerankingModel {
  readonly modelId: string;
  readonly #worker: ModelWorker<{ readonly question: string; readonly texts: readonly string[] }, number[]>;

  constructor({ folder }: CrossEncoderOptions) {
    for (const file of ['model.onnx', 'tokenizer.json']) {
      if (statSync(join(folder, file), { throwIfNoEntry: false })?.isFile() === true) continue;
      throw new MemoryError(
        'MODEL_FILES_MISSING',
        `The reranking model's file ${file} is missing in ${folder}. Give the folder of a cross-encoder exported to ONNX.`,
        { details: { folder, file } },
      );
    }
    this.modelId = `cross-encoder:${basename(folder)}`;
    this.#worker = new ModelWorker({
      file: WORKER,
      workerData: { folder },
      modelId: this.modelId,
      name: 'reranking model',
      remedy: 'Try another export of it, or none.',
    });
  }

  async score(question: string, texts: readonly string[], signal?: AbortSignal): Promise<number[]> {
    const answers = await this.#worker.run(texts.length === 0 ? [] : [{ question, texts: [...texts] }], { signal });
    return answers.flat();
  }

  async close(): Promise<void> {
    await this.#worker.close();
  }
}
