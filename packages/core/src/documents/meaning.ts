import type { DocumentSection } from '../domain/store-input.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { sections } from './sections.ts';
import { type Piece, pieces } from './split.ts';

/** Of the places between sentences in a section, so many are cut at most: those where the next words have least to do with the last. */
const CUT_SHARE = 0.1;
/** Sentences on each side that are compared; one alone is often too short to tell its subject. */
const SPAN = 2;
/** A part smaller than this share of a chunk is not worth one of its own. */
const MIN_SHARE = 1 / 8;

/**
 * Cuts each section where the subject changes: between sentences whose neighbourhoods are least alike by cosine, the least alike tenth of the
 * places in a section (the percentile method of semantic chunking). The parts in order are the text, letter for letter.
 */
export async function splitByMeaning(
  document: string | readonly DocumentSection[],
  { embedding, counter }: { readonly embedding: EmbeddingModel; readonly counter: TokenCounter },
  maxTokens: number,
  signal?: AbortSignal,
): Promise<DocumentSection[]> {
  const result: DocumentSection[] = [];
  for (const section of typeof document === 'string' ? sections(document) : document) {
    const list = [...pieces(section.text, maxTokens, counter)];
    const sizes = list.reduce((sum, piece) => sum + piece.tokens, 0);
    if (list.length <= 2 * SPAN || sizes <= maxTokens * MIN_SHARE * 2) {
      result.push(section);
      continue;
    }
    const vectors = await embedAll(list, embedding, signal);
    for (const text of partsOf(list, likeness(vectors), maxTokens * MIN_SHARE)) result.push({ ...section, text });
  }
  return result;
}

async function embedAll(list: readonly Piece[], embedding: EmbeddingModel, signal: AbortSignal | undefined): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < list.length; start += embedding.maxBatchSize) {
    const texts = list.slice(start, start + embedding.maxBatchSize).map((piece) => piece.text);
    vectors.push(...(await embedding.embed(texts, 'document', signal)));
  }
  return vectors;
}

/** For each place between two sentences, the cosine of the sums of the sentences on its sides. */
function likeness(vectors: readonly Float32Array[]): number[] {
  return vectors.slice(1).map((_, index) => {
    const before = sum(vectors.slice(Math.max(0, index + 1 - SPAN), index + 1));
    const after = sum(vectors.slice(index + 1, index + 1 + SPAN));
    return dot(before, after) / Math.sqrt(dot(before, before) * dot(after, after) || 1);
  });
}

function* partsOf(list: readonly Piece[], alike: readonly number[], minTokens: number): Generator<string> {
  const limit = alike.toSorted((a, b) => a - b)[Math.floor(alike.length * CUT_SHARE)] ?? -1;
  let text = '';
  let tokens = 0;
  for (const [index, piece] of list.entries()) {
    if (index > 0 && tokens >= minTokens && piece.head === undefined && (alike[index - 1] ?? 1) < limit) {
      yield text;
      text = '';
      tokens = 0;
    }
    text += piece.text;
    tokens += piece.tokens;
  }
  if (text !== '') yield text;
}

function sum(vectors: readonly Float32Array[]): Float32Array {
  const total = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (const [index, value] of vector.entries()) total[index] = (total[index] ?? 0) + value;
  return total;
}

function dot(a: Float32Array, b: Float32Array): number {
  let total = 0;
  for (let index = 0; index < a.length; index++) total += (a[index] ?? 0) * (b[index] ?? 0);
  return total;
}
