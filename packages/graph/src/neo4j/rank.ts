/**
 * Sort keys as text. An index on such a key gives the strongest facts of an entity, or its newest mentions, in order and without reading
 * the others, however many there are. Each number is written as the hexadecimal of its complement: the largest comes first.
 */

/** A bigint: before 1970 the complement takes more than the 53 bits that a number keeps apart. */
const MOST_TIME = 2n ** 53n;
const TIME_DIGITS = 14;
const ALL_BITS = 0xffff_ffff_ffff_ffffn;
const SIGN = 0x8000_0000_0000_0000n;

/** Facts that the record holds and facts that it has closed stand apart. */
export const OPEN_RANKS = { from: '0', below: '1' } as const;
export const EXPIRED_RANKS = { from: '1', below: '2' } as const;

/** Confidence, then newest, then id. */
export function factRank(fact: {
  readonly expired: boolean;
  readonly confidence: number;
  readonly createdAtMs: number;
  readonly id: string;
}): string {
  return `${fact.expired ? EXPIRED_RANKS.from : OPEN_RANKS.from}${descendingNumber(fact.confidence)}${descendingTime(fact.createdAtMs)}${fact.id}`;
}

/** The order of facts whether or not they are closed. */
export function strength(rank: string): string {
  return rank.slice(1);
}

/** Newest, then the later one of a thread, then id. */
export function mentionRank(episode: { readonly atMs: number; readonly position: number; readonly id: string }): string {
  return `${descendingTime(episode.atMs)}${descendingTime(episode.position)}${episode.id}`;
}

/** Where the ranks of mentions begin that were told at this moment or before. */
export function mentionsUntil(atMs: number): string {
  return descendingTime(atMs);
}

/** The bits of a double sort like the number, once negative ones are turned around. */
function descendingNumber(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value + 0);
  const bits = view.getBigUint64(0);
  const ascending = bits >= SIGN ? bits ^ ALL_BITS : bits | SIGN;
  return (ascending ^ ALL_BITS).toString(16).padStart(16, '0');
}

function descendingTime(value: number): string {
  return (MOST_TIME - BigInt(value)).toString(16).padStart(TIME_DIGITS, '0');
}
