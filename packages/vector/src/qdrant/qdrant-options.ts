import { MemoryError } from '@tandem-memory/core';

export interface QdrantOptions {
  /** Where the server is: `http://localhost:6333`, `https://name.cloud.qdrant.io`. Without a port: 6333. A path before the API is kept. */
  readonly url: string;
  readonly apiKey?: string;
  /** First part of the collection's name, and the alias in front of it. Default `tandem-memory`. One memory, one prefix. */
  readonly collectionPrefix?: string;
  /** Most time for one request, in milliseconds. Default 10,000; writes get three times as long. */
  readonly timeoutMs?: number;
  /** `int8`: vectors are searched in a quarter of the memory and the best are scored again exactly. For new collections. Default `none`. */
  readonly quantization?: 'none' | 'int8';
  /** Searches every vector of the user instead of the approximate graph that Qdrant builds for large users. Default false. */
  readonly exact?: boolean;
  /** Whether the record itself lies beside its vector, so that questions can be answered while the graph store is down. Default true. */
  readonly keepRecords?: boolean;
  /** BM25: how soon a repeated term stops counting (default 1.2), and how much a long text is marked down (default 0.75). */
  readonly k1?: number;
  readonly b?: number;
  /**
   * BM25: the length of an average record, as the sum of its terms' weights. Default 100: a chat turn of 15 words, its words counted four times,
   * and the two turns before it. It becomes part of the stored vectors: after a change run `tandem reindex`.
   */
  readonly averageLength?: number;
}

export type QdrantSettings = Required<Omit<QdrantOptions, 'apiKey'>> & { readonly apiKey: string | undefined };

const PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** @throws CONFIG_INVALID */
export function readOptions(options: QdrantOptions): QdrantSettings {
  const {
    url,
    apiKey,
    collectionPrefix = 'tandem-memory',
    timeoutMs = 10_000,
    quantization = 'none',
    exact = false,
    keepRecords = true,
    k1 = 1.2,
    b = 0.75,
    averageLength = 100,
  } = options;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw invalid('url', 'must be an address that begins with http:// or https://');
  if (!PREFIX.test(collectionPrefix))
    throw invalid('collectionPrefix', 'takes letters, digits, `.`, `_` and `-`, at most 64, and begins with a letter or digit');
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1) throw invalid('timeoutMs', 'must be a whole number of milliseconds, 1 or more');
  if (quantization !== 'none' && quantization !== 'int8') throw invalid('quantization', 'must be `none` or `int8`');
  if (!(k1 >= 0 && k1 < Number.POSITIVE_INFINITY)) throw invalid('k1', 'must be a number, 0 or more');
  if (!(b >= 0 && b <= 1)) throw invalid('b', 'must be a number from 0 to 1');
  if (!(averageLength > 0 && averageLength < Number.POSITIVE_INFINITY)) throw invalid('averageLength', 'must be a number above 0');
  return { url, apiKey, collectionPrefix, timeoutMs, quantization, exact, keepRecords, k1, b, averageLength };
}

function invalid(name: string, rule: string): MemoryError {
  return new MemoryError('CONFIG_INVALID', `\`${name}\` of the Qdrant index ${rule}.`);
}
