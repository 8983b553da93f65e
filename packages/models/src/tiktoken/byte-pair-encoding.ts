import type { RankTable } from './rank-table.ts';

const NO_PAIR = -1;
/** A heap entry is rank x this + position in one number: ranks have 18 bits, so it stays exact. */
const POSITIONS = 2 ** 32;

/**
 * The number of tokens of one piece: byte pair encoding as tiktoken does it (the lowest rank merges first, the leftmost of equals), but
 * with a heap and a linked list: n log n, where scanning for the lowest rank is quadratic and a piece of 100,000 letters takes minutes.
 */
export function countTokens(bytes: Uint8Array, ranks: RankTable): number {
  const length = bytes.length;
  // Parts are known by the position of their first byte; `next` of the last one is `length`.
  const next = new Int32Array(length);
  const previous = new Int32Array(length);
  for (let position = 0; position < length; position++) {
    next[position] = position + 1;
    previous[position] = position - 1;
  }
  const pairRank = new Int32Array(length).fill(NO_PAIR);
  const heap: number[] = [];

  const rankPair = (position: number): void => {
    const second = next[position] ?? length;
    const rank = second === length ? undefined : ranks.rank(bytes, position, next[second] ?? length);
    pairRank[position] = rank ?? NO_PAIR;
    if (rank !== undefined) push(heap, rank * POSITIONS + position);
  };

  for (let position = 0; position < length - 1; position++) rankPair(position);
  let tokens = length;
  for (let entry = pop(heap); entry !== undefined; entry = pop(heap)) {
    const position = entry % POSITIONS;
    // Stale: the pair that was pushed has changed since.
    if (pairRank[position] !== Math.floor(entry / POSITIONS)) continue;
    const merged = next[position] ?? length;
    const after = next[merged] ?? length;
    next[position] = after;
    if (after < length) previous[after] = position;
    pairRank[merged] = NO_PAIR;
    tokens--;
    rankPair(position);
    const before = previous[position] ?? -1;
    if (before >= 0) rankPair(before);
  }
  return tokens;
}

function push(heap: number[], entry: number): void {
  let index = heap.length;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent] ?? 0;
    if (above <= entry) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = entry;
}

function pop(heap: number[]): number | undefined {
  const top = heap[0];
  const moved = heap.pop();
  if (moved === undefined || heap.length === 0) return top;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++;
    const below = heap[child] ?? 0;
    if (below >= moved) break;
    heap[index] = below;
    index = child;
  }
  heap[index] = moved;
  return top;
}
