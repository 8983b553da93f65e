import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantize } from './quantize.ts';
import { rowWidth, VectorMemory } from './vector-memory.ts';

const ROWS = 8;
const component = fc.float({ min: -1, max: 1, noNaN: true }).map((value) => (Math.abs(value) < 1e-6 ? 0.5 : value));

/** A query and rows of one random dimension. */
const vectors = fc
  .integer({ min: 1, max: 70 })
  .chain((dimensions) =>
    fc.array(fc.array(component, { minLength: dimensions, maxLength: dimensions }), { minLength: ROWS + 1, maxLength: ROWS + 1 }),
  )
  .map((rows) => rows.map((row) => Float32Array.from(row)));

function blockOf(rows: readonly Float32Array[], width: number): Uint8Array {
  const block = new Uint8Array(ROWS * (width + 4));
  const scales = new Float32Array(block.buffer, ROWS * width, ROWS);
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
        const address = memory.add(blockOf(rows, rowWidth(query.length)));
        memory.setQuery(query);
        const { scales } = memory.coarse(address);
        const int8Query = new Int8Array(query.length);
        expect(memory.queryScale).toBe(quantize(query, int8Query, 0));
        for (const [slot, row] of rows.entries()) {
          const int8Row = new Int8Array(row.length);
          const scale = Math.fround(quantize(row, int8Row, 0));
          expect(scales[slot]).toBe(scale);
          expect(memory.int8(address, slot)).toBe(Math.fround(dot(int8Row, int8Query) * scale));
        }
      }),
    );
  });

  it('gives the coarse scores of the upper four bits, and the largest of them, for any dimension', () => {
    fc.assert(
      fc.property(vectors, ([query = new Float32Array(1), ...rows]) => {
        const memory = new VectorMemory(query.length, ROWS);
        const address = memory.add(blockOf(rows, rowWidth(query.length)));
        memory.setQuery(query);
        const { scores, best } = memory.coarse(address);
        const int8Query = new Int8Array(query.length);
        quantize(query, int8Query, 0);
        const offset = int8Query.reduce((sum, component) => sum - 120.5 * component, 0);
        for (const [slot, row] of rows.entries()) {
          const int8Row = new Int8Array(row.length);
          const scale = Math.fround(quantize(row, int8Row, 0));
          const upper = int8Row.map((component) => (component + 128) >> 4);
          expect(scores[slot]).toBe(Math.fround((16 * dot(upper, int8Query) + offset) * scale));
        }
        expect(best).toBe(Math.max(...scores));
      }),
    );
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
    const chunk = (axis: number) => memory.add(blockOf([unit(axis)], rowWidth(dimensions)));
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
