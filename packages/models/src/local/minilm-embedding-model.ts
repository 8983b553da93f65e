import { englishKeywordWeight } from './english-model.ts';
import { OnnxEmbeddingModel } from './onnx-embedding-model.ts';
import { packagedWeights, readManifest } from './weights.ts';

export interface MinilmEmbeddingOptions {
  /** Folder with `manifest.json`, `model.onnx` and `tokenizer.json`. Default: the one in this package. */
  readonly folder?: string;
  /** Default {@link MINILM_KEYWORD_WEIGHT}. */
  readonly keywordWeight?: number;
}

/** See `EmbeddingModel.keywordWeight`. Recall on LoCoMo is level from 0.75 to 1.5; the lower end is kinder to paraphrases, which share no word. */
export const MINILM_KEYWORD_WEIGHT = 1;

/**
 * all-MiniLM-L6-v2 in int8: English, 384 dimensions, 256 tokens.
 * @throws MODEL_FILES_MISSING from the constructor
 */
export class MinilmEmbeddingModel extends OnnxEmbeddingModel {
  override readonly dimensions: number;

  constructor({ folder = packagedWeights('minilm'), keywordWeight = MINILM_KEYWORD_WEIGHT }: MinilmEmbeddingOptions = {}) {
    const { dimensions } = readManifest(folder);
    super({ folder, keywordWeight });
    this.dimensions = dimensions;
  }

  keywordWeightFor(question: string): number {
    return englishKeywordWeight(question, this.keywordWeight);
  }
}
