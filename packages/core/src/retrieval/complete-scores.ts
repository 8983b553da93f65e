import type { Candidate, ChannelScore } from '../domain/candidate.ts';
import type { Query } from '../domain/query.ts';
import type { KeywordIndex } from '../ports/keyword-index.ts';
import type { VectorIndex } from '../ports/vector-index.ts';

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
  signal?: AbortSignal,
): Promise<Candidate[]> {
  const { query, queryVector, candidates } = input;
  const lacking = (channel: ChannelScore['channel']) =>
    candidates.filter((candidate) => !candidate.channels.some((item) => item.channel === channel)).map((candidate) => candidate.id);
  const [withoutVector, withoutKeyword] = [lacking('vector'), lacking('keyword')];
  const [vectorHits, keywordHits] = await Promise.all([
    queryVector === undefined || withoutVector.length === 0
      ? []
      : dependencies.vectors.search(
          { userId: query.userId, vector: queryVector, filter: { ...query.filter, ids: withoutVector }, limit: withoutVector.length },
          signal,
        ),
    input.ceiling === 0 || withoutKeyword.length === 0
      ? []
      : dependencies.keywords
          .search(
            { userId: query.userId, terms: query.terms, filter: { ...query.filter, ids: withoutKeyword }, limit: withoutKeyword.length },
            signal,
          )
          .then((found) => found.hits),
  ]);
  const cosines = new Map(vectorHits.map((hit) => [hit.id, Math.max(0, hit.score)]));
  const shares = new Map(keywordHits.map((hit) => [hit.id, hit.score / input.ceiling]));
  return candidates.flatMap((candidate) => {
    const cosine = cosines.get(candidate.id);
    const share = shares.get(candidate.id);
    const foundDirectly = candidate.channels.some((item) => item.channel === 'vector' || item.channel === 'keyword');
    if (!foundDirectly && cosine === undefined && share === undefined) return [];
    return [{ ...candidate, score: candidate.score + (cosine ?? 0) + input.keywordWeight * (share ?? 0) }];
  });
}
