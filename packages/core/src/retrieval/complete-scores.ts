import type { Candidate, ChannelScore } from '../domain/candidate.ts';
import type { IndexHit } from '../domain/index-record.ts';
import type { Query } from '../domain/query.ts';
import type { KeywordIndex } from '../ports/keyword-index.ts';
import type { VectorIndex } from '../ports/vector-index.ts';

/** Runs a call to one server within its time limit, and goes on without it where it fails. */
export type LimitedOr = <T>(work: (signal: AbortSignal) => Promise<T>, otherwise: T) => Promise<T>;

export interface CompletionInput {
  readonly query: Query;
  readonly queryVector: Float32Array | undefined;
  readonly candidates: readonly Candidate[];
  readonly keywordWeight: number;
  /** Ceiling of the keyword search for this question. */
  readonly ceiling: number;
}

/**
 * Asks each channel for its score of the candidates that another channel found, so that all are compared on the same sum.
 * Records that the filter leaves out get no score from any channel and go.
 */
export async function completeScores(
  input: CompletionInput,
  dependencies: { readonly vectors: VectorIndex; readonly keywords: KeywordIndex },
  limited: { readonly vector: LimitedOr; readonly keyword: LimitedOr },
): Promise<Candidate[]> {
  const { queryVector, candidates } = input;
  const { userId, filter, terms } = input.query;
  const admitted = filter.ids === undefined ? undefined : new Set(filter.ids);
  const lacking = (channel: ChannelScore['channel']) =>
    candidates
      .filter(({ id, channels }) => admitted?.has(id) !== false && !channels.some((item) => item.channel === channel))
      .map((candidate) => candidate.id);
  const [withoutVector, withoutKeyword] = [lacking('vector'), lacking('keyword')];
  const vectorScores = async (vector: Float32Array, signal: AbortSignal): Promise<readonly IndexHit[]> =>
    dependencies.vectors.search({ userId, vector, filter: { ...filter, ids: withoutVector }, limit: withoutVector.length, exact: 0 }, signal);
  const keywordScores = async (signal: AbortSignal): Promise<readonly IndexHit[]> =>
    (await dependencies.keywords.search({ userId, terms, filter: { ...filter, ids: withoutKeyword }, limit: withoutKeyword.length }, signal)).hits;
  const [vectorHits, keywordHits] = await Promise.all([
    queryVector === undefined || withoutVector.length === 0 ? [] : limited.vector((signal) => vectorScores(queryVector, signal), []),
    input.ceiling === 0 || withoutKeyword.length === 0 ? [] : limited.keyword(keywordScores, []),
  ]);
  const cosines = new Map(vectorHits.map((hit) => [hit.id, Math.max(0, hit.score)]));
  const shares = new Map(keywordHits.map((hit) => [hit.id, hit.score / input.ceiling]));
  return candidates.flatMap((candidate) => {
    const cosine = cosines.get(candidate.id);
    const share = shares.get(candidate.id);
    const foundDirectly = candidate.channels.some((item) => item.channel === 'vector' || item.channel === 'keyword');
    if (!foundDirectly && cosine === undefined && share === undefined) return [];
    const keywords = input.keywordWeight * (share ?? 0);
    const parts = {
      ...candidate.parts,
      ...(cosine === undefined ? {} : { cosine }),
      ...(share === undefined ? {} : { keywords }),
    };
    return [{ ...candidate, score: candidate.score + (cosine ?? 0) + keywords, parts }];
  });
}
