// AssemblyScript, not TypeScript: scripts/build-kernel.mjs compiles it into kernel-bytes.ts. Every int8 and float32 row is `width` elements
// long, a multiple of 16, padded with zeros; all addresses are multiples of 16.

/**
 * The upper four bits of int8 rows, as 0 to 15, two elements a byte: of each 32 elements the first 16 in the low halves of 16 bytes, the
 * others in the high halves. A row of `width` elements becomes the next multiple of 16 bytes from width / 2.
 */
export function packInt4(rows: usize, into: usize, count: i32, width: i32): void {
  const sign = i8x16.splat(-128);
  const upper = i8x16.splat(-16);
  let row = rows;
  let at = into;
  for (let i = 0; i < count; i++) {
    for (const end = row + width; row < end; at += 16) {
      let packed = i8x16.shr_u(v128.xor(v128.load(row), sign), 4);
      row += 16;
      if (row < end) {
        packed = v128.or(packed, v128.and(v128.xor(v128.load(row), sign), upper));
        row += 16;
      }
      v128.store(at, packed);
    }
  }
}

/**
 * Bytes by which a scan touches memory ahead of itself. WebAssembly has no prefetch, and the processor's own stops at each page's end.
 */
const AHEAD: usize = 2048;

/** 32 products, summed in pairs twice: at most 4 x 127 x 15 a lane, so four of them fit int16. */
function pairDots(row: usize, query: usize, low: v128): v128 {
  const bytes = v128.load(row);
  return i16x8.add(
    v128.relaxed_dot<i16>(v128.load(query), v128.and(bytes, low)),
    v128.relaxed_dot<i16>(v128.load(query, 16), v128.and(i16x8.shr_u(bytes, 4), low)),
  );
}

/**
 * Coarse dot products of `count` rows of `packInt4` with one int8 query, each times its row's scale: `(16 x sum + offset) x scale`, where
 * `offset` is what the missing bits and the shift to 0 to 15 come to. `bytes` is the length of a row. The relaxed instruction gives the same
 * on every machine, since one side is never negative and no pair of products leaves int16.
 * @returns the largest score
 */
export function dotInt4(rows: usize, query: usize, scales: usize, scores: usize, count: i32, bytes: i32, offset: f32): f32 {
  const low = i8x16.splat(15);
  let largest: f32 = -f32.MAX_VALUE;
  let row = rows;
  let touched = i32x4.splat(0);
  for (let i = 0; i < count; i++) {
    let sums = i32x4.splat(0);
    let other = query;
    for (let line: usize = 0; line < <usize>bytes; line += 64) touched = v128.or(touched, v128.load(row + line, AHEAD));
    for (const end = row + (bytes & -64); row < end; row += 64) {
      let part = pairDots(row, other, low);
      part = i16x8.add(part, pairDots(row + 16, other + 32, low));
      part = i16x8.add(part, pairDots(row + 32, other + 64, low));
      part = i16x8.add(part, pairDots(row + 48, other + 96, low));
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(part));
      other += 128;
    }
    for (const end = row + (bytes & 63); row < end; row += 16) {
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(pairDots(row, other, low)));
      other += 32;
    }
    const sum = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
    const at = (<usize>i) << 2;
    const score = (<f32>(sum << 4) + offset) * load<f32>(scales + at);
    store<f32>(scores + at, score);
    if (score > largest) largest = score;
  }
  // What was touched has to count for something, or the compiler leaves it out.
  return v128.any_true(touched) ? largest : largest + 0;
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
