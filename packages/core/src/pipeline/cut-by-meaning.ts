import type { EngineOptions } from '../config.ts';
import { splitByMeaning } from '../documents/meaning.ts';
import type { StoreInput } from '../domain/store-input.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { isDocument } from './read-input.ts';

/** With `documents.boundaries: 'meaning'` the document as sections that are each about one thing; else the input as it is. */
export async function cutByMeaning(
  input: StoreInput,
  dependencies: { readonly embedding: EmbeddingModel; readonly counter: TokenCounter },
  options: EngineOptions['documents'],
  signal: AbortSignal | undefined,
): Promise<StoreInput> {
  if (options.boundaries !== 'meaning' || !isDocument(input)) return input;
  return { ...input, text: await splitByMeaning(input.text, dependencies, options.maxTokens, signal) };
}
