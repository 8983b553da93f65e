// AssemblyScript, not TypeScript: scripts/build-kernel.mjs compiles it into kernel-bytes.ts. Every row is `width` elements long, a multiple of
// 16, padded with zeros; all addresses are multiples of 16.

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
