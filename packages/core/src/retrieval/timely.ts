import type { Candidate } from '../domain/candidate.ts';
import type { IndexHit } from '../domain/index-record.ts';

/** Of what was said at the time in question so many are read, however they are worded; and of what names the day. */
const MOST = 40;

/**
 * Adds to the best of what was said at the time in question that it was, and to what names the day that it does; the latter need not have been found
 * otherwise. Pure.
 * @param candidates best first
 * @param told best first
 */
export function withTimely(candidates: readonly Candidate[], timely: ReadonlySet<string>, told: readonly IndexHit[]): Candidate[] {
  const naming = new Set(told.slice(0, MOST).map(({ id }) => id));
  const known = new Set(candidates.map(({ id }) => id));
  let said = 0;
  let rank = 0;
  const mark = (candidate: Candidate): Candidate => ({
    ...candidate,
    channels: [...candidate.channels, { channel: 'time', rank: ++rank, score: candidate.score }],
  });
  return [
    ...candidates.map((candidate) => (naming.has(candidate.id) || (timely.has(candidate.id) && said++ < MOST) ? mark(candidate) : candidate)),
    ...told.filter(({ id }) => naming.has(id) && !known.has(id)).map(({ id, kind }) => mark({ id, kind, score: 0, channels: [], path: [] })),
  ];
}
