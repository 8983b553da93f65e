// AssemblyScript, not TypeScript: scripts/build-kernel.mjs compiles it into kernel-bytes.ts. Every int8 and float32 row is `width` elements
// long, a multiple of 16, padded with zeros; all addresses are multiples of 16.

/** Rows whose sign bits lie together. */
const GROUP: i32 = 16;

/**
 * The signs of int8 rows, a bit an element (1: negative), in groups of 16 rows: the first 8 elements of each of the 16, then the next 8 of
 * each, and so on, so that one instruction takes a byte of every row. `count` is a multiple of 16.
 * Writes to `inverses` one over the sum of each row's magnitudes, 0 for an empty row.
 * @returns the least sum of magnitudes of a row that is not empty
 */
export function packSigns(rows: usize, scales: usize, into: usize, inverses: usize, count: i32, width: i32): f32 {
  let least: f32 = f32.MAX_VALUE;
  let row = rows;
  for (let i = 0; i < count; i++) {
    let at = into + <usize>((i / GROUP) * width * (GROUP / 8) + (i % GROUP));
    let sums = i32x4.splat(0);
    for (const end = row + width; row < end; row += 16) {
      const bytes = v128.load(row);
      const signs = i8x16.bitmask(bytes);
      store<u8>(at, signs);
      store<u8>(at + GROUP, signs >> 8);
      at += 2 * GROUP;
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.abs(bytes))));
    }
    const sum = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
    const at4 = (<usize>i) << 2;
    const length = <f32>sum * load<f32>(scales + at4);
    store<f32>(inverses + at4, length > 0 ? 1 / length : 0);
    if (length > 0 && length < least) least = length;
  }
  return least;
}

/** Bytes of a row whose table entries, two of at most 254 a byte, fit an unsigned int16. */
const SPAN: i32 = 128;

/**
 * Scores of `count` rows of `packSigns` by the query's tables: of each four elements 16 entries, what the query sums to over those that are
 * negative, as an unsigned byte. Four such lookups a row in one instruction, as in FAISS's fast scan (André et al. 2015). `bytes` is the
 * length of a row; a score is `(base - step x entries) x inverse`.
 * @returns the largest score
 */
export function dotSigns(codes: usize, tables: usize, inverses: usize, scores: usize, count: i32, bytes: i32, base: f32, step: f32): f32 {
  const low = i8x16.splat(15);
  const bases = f32x4.splat(base);
  const steps = f32x4.splat(step);
  let largest = f32x4.splat(-f32.MAX_VALUE);
  let code = codes;
  let at: usize = 0;
  for (let first = 0; first < count; first += GROUP) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let c = i32x4.splat(0);
    let d = i32x4.splat(0);
    let table = tables;
    for (let done = 0; done < bytes; done += SPAN) {
      // Lanes of 16 bits: `both` sums the even rows and 256 times the odd ones, and may wrap; `odd` sums the odd ones.
      let both = i16x8.splat(0);
      let odd = i16x8.splat(0);
      for (const end = code + <usize>min(SPAN, bytes - done) * GROUP; code < end; code += GROUP) {
        const signs = v128.load(code);
        const one = i8x16.relaxed_swizzle(v128.load(table), v128.and(signs, low));
        const two = i8x16.relaxed_swizzle(v128.load(table, 16), v128.and(i16x8.shr_u(signs, 4), low));
        both = i16x8.add(both, i16x8.add(one, two));
        odd = i16x8.add(odd, i16x8.add(i16x8.shr_u(one, 8), i16x8.shr_u(two, 8)));
        table += 32;
      }
      const even = i16x8.sub(both, i16x8.shl(odd, 8));
      a = i32x4.add(a, i32x4.extend_low_i16x8_u(even));
      b = i32x4.add(b, i32x4.extend_low_i16x8_u(odd));
      c = i32x4.add(c, i32x4.extend_high_i16x8_u(even));
      d = i32x4.add(d, i32x4.extend_high_i16x8_u(odd));
    }
    for (let half = 0; half < 2; half++) {
      const even = half === 0 ? a : c;
      const odd = half === 0 ? b : d;
      const one = f32x4.mul(
        f32x4.sub(bases, f32x4.mul(steps, f32x4.convert_i32x4_s(v128.shuffle<i32>(even, odd, 0, 4, 1, 5)))),
        v128.load(inverses + at),
      );
      const two = f32x4.mul(
        f32x4.sub(bases, f32x4.mul(steps, f32x4.convert_i32x4_s(v128.shuffle<i32>(even, odd, 2, 6, 3, 7)))),
        v128.load(inverses + at, 16),
      );
      v128.store(scores + at, one);
      v128.store(scores + at, two, 16);
      largest = f32x4.max(largest, f32x4.max(one, two));
      at += 32;
    }
  }
  return max(
    max(f32x4.extract_lane(largest, 0), f32x4.extract_lane(largest, 1)),
    max(f32x4.extract_lane(largest, 2), f32x4.extract_lane(largest, 3)),
  );
}

/**
 * Dot products of `count` int8 rows with one query, each times its row's scale. The query is int16, so that it is widened once and not
 * once a row. Sums stay in int32: exact up to 133,000 elements.
 */
export function dotInt8(rows: usize, query: usize, scales: usize, scores: usize, count: i32, width: i32): void {
  let row = rows;
  for (let i = 0; i < count; i++) {
    let low = i32x4.splat(0);
    let high = i32x4.splat(0);
    let other = query;
    for (const end = row + width; row < end; row += 16) {
      const bytes = v128.load(row);
      low = i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(bytes), v128.load(other)));
      high = i32x4.add(high, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(bytes), v128.load(other, 16)));
      other += 32;
    }
    const sums = i32x4.add(low, high);
    const sum = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
    const at = (<usize>i) << 2;
    store<f32>(scores + at, <f32>sum * load<f32>(scales + at));
  }
}

/** Dot products of `count` float32 rows with one query. */
export function dotFloat32(rows: usize, query: usize, scores: usize, count: i32, width: i32): void {
  let row = rows;
  const bytes = (<usize>width) << 2;
  for (let i = 0; i < count; i++) {
    let a = f32x4.splat(0);
    let b = f32x4.splat(0);
    let c = f32x4.splat(0);
    let d = f32x4.splat(0);
    let other = query;
    for (const end = row + bytes; row < end; row += 64) {
      a = f32x4.add(a, f32x4.mul(v128.load(row), v128.load(other)));
      b = f32x4.add(b, f32x4.mul(v128.load(row, 16), v128.load(other, 16)));
      c = f32x4.add(c, f32x4.mul(v128.load(row, 32), v128.load(other, 32)));
      d = f32x4.add(d, f32x4.mul(v128.load(row, 48), v128.load(other, 48)));
      other += 64;
    }
    a = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
    store<f32>(scores + ((<usize>i) << 2), f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1) + f32x4.extract_lane(a, 2) + f32x4.extract_lane(a, 3));
  }
}
