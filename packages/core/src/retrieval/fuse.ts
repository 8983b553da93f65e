import type { Candidate, ChannelScore } from '../domain/candidate.ts';
import type { IndexHit } from '../domain/index-record.ts';
import type { KeywordHits } from '../ports/keyword-index.ts';

export interface FusionInput {
  readonly vector: readonly IndexHit[];
  readonly keyword: KeywordHits;
  /** Weight of a full keyword match against a cosine of 1; belongs to the embedding model. */
  readonly keywordWeight: number;
}

/**
 * Joins the channels by calibrated scores: `cosine + w * BM25 / (largest BM25 this question could reach)`. Both parts keep their meaning from
 * one question to the next, so unlike rank fusion a good match stays good where its rivals are bad. A record that one channel did not
 * return gets nothing from it. Pure; ties by id.
 */
export function fuse(input: FusionInput): Candidate[] {
  const found = new Map<string, { hit: IndexHit; score: number; channels: ChannelScore[]; parts: Record<string, number> }>();
  const add = (hits: readonly IndexHit[], channel: 'vector' | 'keyword', scale: (score: number) => number, weight: number) => {
    for (const [index, hit] of hits.entries()) {
      const entry = found.get(hit.id) ?? { hit, score: 0, channels: [], parts: {} };
      const score = scale(hit.score);
      entry.score += weight * score;
      entry.parts[channel === 'vector' ? 'cosine' : 'keywords'] = weight * score;
      entry.channels.push({ channel, rank: index + 1, score });
      found.set(hit.id, entry);
    }
  };
  add(input.vector, 'vector', (cosine) => Math.max(0, cosine), 1);
  const { ceiling } = input.keyword;
  if (ceiling > 0) add(input.keyword.hits, 'keyword', (score) => score / ceiling, input.keywordWeight);
  return [...found.values()]
    .map(({ hit, score, channels, parts }) => ({ kind: hit.kind, id: hit.id, score, channels, parts, path: [] }))
    .sort(byScore);
}

export function byScore(a: Pick<Candidate, 'id' | 'score'>, b: Pick<Candidate, 'id' | 'score'>): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Adds to a score, and says so among its parts. */
export function withPart<T extends Candidate>(item: T, name: string, by: number): T {
  return { ...item, score: item.score + by, parts: { ...(item.parts ?? { match: item.score }), [name]: (item.parts?.[name] ?? 0) + by } };
}

/** A lift that grows with `by` and never closes the gap. */
export function upTo(gap: number, by: number): number {
  return gap > 0 ? gap * (1 - Math.exp(-by / gap)) : 0;
}
