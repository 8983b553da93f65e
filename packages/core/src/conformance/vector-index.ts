import assert from 'node:assert/strict';
import type { VectorIndex, VectorQuery } from '../ports/vector-index.ts';
import {
  assertRejects,
  CONFORMANCE_SPACE,
  type IndexDriverFactory,
  planeVector,
  recordIndexConformance,
  sampleRecord,
  withDriver,
} from './record-index.ts';
import type { TestRunner } from './runner.ts';

/** The contract of `VectorIndex`. Drivers come opened with `CONFORMANCE_SPACE`. */
export function vectorIndexConformance(runner: TestRunner, factory: IndexDriverFactory<VectorIndex>): void {
  const search = (index: VectorIndex, degrees: number, options: Partial<VectorQuery> = {}) =>
    index.search({ userId: 'ada', vector: planeVector(degrees), filter: {}, limit: 10, ...options });
  const { describe, it } = runner;
  const test = (name: string, work: (index: VectorIndex) => Promise<void>) => it(name, () => withDriver(factory, work));

  describe('vector index contract', () => {
    recordIndexConformance(runner, factory, (index, userId, filter = {}, limit = 10) =>
      index.search({ userId, vector: planeVector(0), filter, limit }),
    );

    test('hits are ordered by cosine, best first', async (index) => {
      await index.upsert([10, 90, 30, 180, 60].map((degrees) => sampleRecord({ id: `d${degrees}`, vector: planeVector(degrees) })));
      const hits = await search(index, 0);
      assert.deepEqual(
        hits.map((hit) => hit.id),
        ['d10', 'd30', 'd60', 'd90', 'd180'],
      );
      for (const [i, degrees] of [10, 30, 60, 90, 180].entries()) {
        assert.ok(Math.abs((hits[i]?.score ?? Number.NaN) - Math.cos((degrees * Math.PI) / 180)) < 1e-4, `${degrees} degrees: ${hits[i]?.score}`);
      }
      assert.deepEqual(
        (await search(index, 0, { limit: 2 })).map((hit) => hit.id),
        ['d10', 'd30'],
      );
    });

    test('a replaced vector is found in its new place only', async (index) => {
      await index.upsert([sampleRecord({ id: 'a', vector: planeVector(0) }), sampleRecord({ id: 'b', vector: planeVector(20) })]);
      await index.upsert([sampleRecord({ id: 'a', vector: planeVector(90) })]);
      assert.deepEqual(
        (await search(index, 0)).map((hit) => hit.id),
        ['b', 'a'],
      );
      assert.deepEqual(
        (await search(index, 90, { threshold: 0.99 })).map((hit) => hit.id),
        ['a'],
      );
    });

    test('the threshold is inclusive, 0 is one, 1 keeps an identical vector, and it comes before the limit', async (index) => {
      await index.upsert([0, 45, 135, 180].map((degrees) => sampleRecord({ id: `d${degrees}`, vector: planeVector(degrees) })));
      assert.deepEqual(
        (await search(index, 0, { threshold: 0 })).map((hit) => hit.id),
        ['d0', 'd45'],
      );
      assert.deepEqual(
        (await search(index, 0, { threshold: -1 })).map((hit) => hit.id),
        ['d0', 'd45', 'd135', 'd180'],
      );
      assert.deepEqual(
        (await search(index, 0, { threshold: 0, limit: 1 })).map((hit) => hit.id),
        ['d0'],
      );
      for (const degrees of [0, 45, 135, 180])
        assert.deepEqual(
          (await search(index, degrees, { threshold: 1 })).map((hit) => hit.id),
          [`d${degrees}`],
        );
      assert.deepEqual(await search(index, 90, { threshold: 1 }), []);
    });

    test('where not all need exact cosines, the best still do, and no other is far off', async (index) => {
      const all = Array.from({ length: 90 }, (_, degrees) => degrees);
      await index.upsert(all.map((degrees) => sampleRecord({ id: `d${degrees}`, vector: planeVector(degrees) })));
      for (const exact of [0, 3, 1000]) {
        const hits = await search(index, 0, { limit: 50, exact });
        assert.equal(hits.length, 50);
        const errors = hits.map(({ id, score }) => Math.abs(score - Math.cos((Number(id.slice(1)) * Math.PI) / 180)));
        assert.ok(Math.max(...errors) < 0.02, `${Math.max(...errors)}`);
        assert.ok(Math.max(...errors.slice(0, exact)) < 1e-4, `${Math.max(...errors.slice(0, exact))}`);
      }
      const given = { ids: ['d80', 'd10', 'nobody'] };
      const hits = await index.search({ userId: 'ada', vector: planeVector(0), filter: given, limit: 10, exact: 0 });
      assert.deepEqual(
        hits.map((hit) => hit.id),
        ['d10', 'd80'],
      );
    });

    test('a vector of the wrong length is refused with nothing written', async (index) => {
      await index.upsert([sampleRecord({ id: 'a' })]);
      const short = new Float32Array(CONFORMANCE_SPACE.dimensions - 1).fill(0.3);
      await assertRejects(() => index.upsert([sampleRecord({ id: 'b' }), sampleRecord({ id: 'c', vector: short })]), 'DIMENSION_MISMATCH');
      await assertRejects(() => index.search({ userId: 'ada', vector: short, filter: {}, limit: 1 }), 'DIMENSION_MISMATCH');
      assert.deepEqual(await index.ids('ada', 10), ['a']);
    });

    test('a vector without direction is refused with nothing written', async (index) => {
      for (const broken of [0, Number.NaN, Number.POSITIVE_INFINITY]) {
        const vector = new Float32Array(CONFORMANCE_SPACE.dimensions).fill(broken);
        await assertRejects(() => index.upsert([sampleRecord({ id: 'b' }), sampleRecord({ id: 'c', vector })]), 'INPUT_INVALID');
        await assertRejects(() => index.search({ userId: 'ada', vector, filter: {}, limit: 1 }), 'INPUT_INVALID');
      }
      assert.equal(await index.count(), 0);
    });

    test('another vector space is refused, the same one is not', async (index) => {
      await index.upsert([sampleRecord({ id: 'a' })]);
      await index.open(CONFORMANCE_SPACE);
      await assertRejects(() => index.open({ ...CONFORMANCE_SPACE, dimensions: CONFORMANCE_SPACE.dimensions + 1 }), 'DIMENSION_MISMATCH');
      await assertRejects(() => index.open({ ...CONFORMANCE_SPACE, modelId: 'other' }), 'EMBEDDING_MODEL_MISMATCH');
      assert.deepEqual(
        (await search(index, 0)).map((hit) => hit.id),
        ['a'],
      );
    });

    test('an aborted search says so', async (index) => {
      await assertRejects(() => index.search({ userId: 'ada', vector: planeVector(0), filter: {}, limit: 1 }, AbortSignal.abort()), 'ABORTED');
    });
  });
}
