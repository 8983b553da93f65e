import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantize } from './quantize.ts';
import { rowWidth, VectorMemory } from './vector-memory.ts';

const ROWS = 16;
const component = fc.float({ min: -1, max: 1, noNaN: true }).map((value) => (Math.abs(value) < 1e-6 ? 0.5 : value));

/** A query and rows of one random dimension. */
const vectors = fc
  .integer({ min: 1, max: 70 })
  .chain((dimensions) =>
    fc.array(fc.array(component, { minLength: dimensions, maxLength: dimensions }), { minLength: ROWS + 1, maxLength: ROWS + 1 }),
  )
  .map((rows) => rows.map((row) => Float32Array.from(row)));

function blockOf(rows: readonly Float32Array[], width: number): Uint8Array {
  const count = Math.max(ROWS, rows.length);
  const block = new Uint8Array(count * (width + 4));
  const scales = new Float32Array(block.buffer, count * width, count);
  for (const [slot, row] of rows.entries()) scales[slot] = quantize(row, new Int8Array(block.buffer), slot * width);
  return block;
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

describe('the kernel', () => {
  it('is what its source compiles to', () => {
    execFileSync(process.execPath, [fileURLToPath(new URL('../../../scripts/build-kernel.mjs', import.meta.url)), '--check']);
  });

  it('gives the int8 dot products that plain JavaScript gives, for any dimension', () => {
    fc.assert(
      fc.property(vectors, ([query = new Float32Array(1), ...rows]) => {
        const memory = new VectorMemory(query.length, ROWS);
        const { address } = memory.add(blockOf(rows, rowWidth(query.length)));
        memory.setQuery(query);
        const int8Query = new Int8Array(query.length);
        expect(memory.queryScale).toBe(quantize(query, int8Query, 0));
        for (const [slot, row] of rows.entries()) {
          const int8Row = new Int8Array(row.length);
          const scale = Math.fround(quantize(row, int8Row, 0));
          expect(memory.int8(address, slot)).toBe(Math.fround(dot(int8Row, int8Query) * scale));
        }
      }),
    );
  });

  it('gives coarse scores by the signs of the rows, and the largest of them, for any dimension', () => {
    fc.assert(
      fc.property(vectors, ([query = new Float32Array(1), ...rows]) => {
        const memory = new VectorMemory(query.length, ROWS);
        const { address, leastSum } = memory.add(blockOf(rows, rowWidth(query.length)));
        memory.setQuery(query);
        const { scores, best } = memory.coarse(address);
        const sums = rows.map((row) => {
          const int8Row = new Int8Array(row.length);
          const scale = quantize(row, int8Row, 0);
          return { signs: int8Row.map((each) => (each < 0 ? -1 : 1)), sum: int8Row.reduce((sum, each) => sum + Math.abs(each), 0) * scale };
        });
        expect(leastSum).toBeCloseTo(Math.min(...sums.map(({ sum }) => sum)), 3);
        const foursomes = Array.from({ length: Math.ceil(query.length / 4) }, (_, i) => query.subarray(4 * i, 4 * i + 4));
        const step = Math.max(...foursomes.map((four) => four.reduce((sum, each) => sum + Math.abs(each), 0))) / 127;
        for (const [slot, { signs, sum }] of sums.entries()) {
          // Each table entry is rounded to a step, and counts twice.
          expect(Math.abs((scores[slot] ?? Number.NaN) - dot(query, signs) / sum)).toBeLessThanOrEqual((step * foursomes.length) / sum + 1e-4);
        }
        expect(best).toBe(Math.max(...scores));
      }),
    );
  });

  it('is right on average, and seldom off by three of its deviations', () => {
    const dimensions = 384;
    let state = 7;
    const next = () => {
      state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
      return state / 2 ** 32;
    };
    const unit = () => {
      const row = Float32Array.from({ length: dimensions }, () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()));
      const norm = Math.hypot(...row);
      return row.map((each) => each / norm);
    };
    const memory = new VectorMemory(dimensions, 1024);
    const rows = Array.from({ length: 1024 }, unit);
    const { address, leastSum } = memory.add(blockOf(rows, rowWidth(dimensions)));
    let [outside, sum] = [0, 0];
    for (let n = 0; n < 20; n++) {
      const query = unit();
      memory.setQuery(query);
      const error = 3 * memory.coarseDeviation(leastSum);
      for (const [slot, score] of memory.coarse(address).scores.entries()) {
        const off = score - dot(query, rows[slot] ?? []);
        sum += off;
        if (Math.abs(off) > error) outside++;
      }
    }
    expect(outside / 20_480).toBeLessThan(0.005);
    expect(Math.abs(sum / 20_480)).toBeLessThan(0.002);
  });

  it('gives float32 dot products close to those in double precision, for any dimension and number of rows', () => {
    fc.assert(
      fc.property(vectors, fc.integer({ min: 0, max: 150 }), ([query = new Float32Array(1), ...rows], count) => {
        const memory = new VectorMemory(query.length, ROWS);
        memory.setQuery(query);
        const given = Array.from({ length: count }, (_, i) => rows[i % ROWS] ?? query);
        const scores = memory.exact(given.map((row) => new Uint8Array(row.buffer)));
        expect(scores).toHaveLength(count);
        for (const [i, row] of given.entries()) expect(scores[i]).toBeCloseTo(dot(row, query), 4);
      }),
    );
  });

  it('keeps chunks apart while the memory grows and chunks are released and used again', () => {
    const dimensions = 1000;
    const memory = new VectorMemory(dimensions, ROWS);
    const unit = (axis: number) => Float32Array.from({ length: dimensions }, (_, i) => (i === axis ? 1 : 0));
    const chunk = (axis: number) => memory.add(blockOf([unit(axis)], rowWidth(dimensions))).address;
    const addresses = Array.from({ length: 300 }, (_, axis) => chunk(axis));
    const released = addresses.slice(10, 20);
    for (const address of released) memory.release(address);
    const again = Array.from({ length: 10 }, (_, i) => chunk(500 + i));
    expect([...again].sort()).toEqual([...released].sort());
    memory.setQuery(unit(299));
    expect(memory.int8(addresses[299] ?? -1, 0)).toBeGreaterThan(0);
    expect(memory.int8(addresses[298] ?? -1, 0)).toBe(0);
    memory.setQuery(unit(500));
    expect(memory.int8(again[0] ?? -1, 0)).toBeGreaterThan(0);
    expect(memory.int8(again[1] ?? -1, 0)).toBe(0);
  });

  it('keeps every component of a vector within half a step', () => {
    fc.assert(
      fc.property(vectors, ([vector = new Float32Array(1)]) => {
        const int8 = new Int8Array(vector.length);
        const scale = quantize(vector, int8, 0);
        for (const [i, value] of vector.entries()) expect(Math.abs((int8[i] ?? 0) * scale - value)).toBeLessThanOrEqual(scale / 2 + 1e-7);
      }),
    );
  });
});
