import { randomUUID } from 'node:crypto';
import { type IndexRecord, MemoryError, type RecordContent } from '@tandem-memory/core';
import { CONFORMANCE_SPACE } from '@tandem-memory/core/conformance';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedVectorIndex } from '@tandem-memory/vector';
import { afterAll, describe, expect, it } from 'vitest';
import { qdrantMissing, qdrantServer } from '../services/qdrant/provided-qdrant.ts';
import { TestIndexes } from '../services/qdrant/test-index.ts';

function record(id: string, fields: Partial<IndexRecord> = {}): IndexRecord {
  const vector = new Float32Array(CONFORMANCE_SPACE.dimensions);
  vector[0] = 1;
  return { id, userId: 'ada', kind: 'episode', at: '2024-02-29T23:59:59.987Z', vector, terms: [{ term: 'fox', weight: 1 }], ...fields };
}

function failureOf(work: Promise<unknown>): Promise<MemoryError> {
  return work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => (MemoryError.isInstance(error) ? error : Promise.reject(error)),
  );
}

describe.skipIf(qdrantMissing)('Qdrant index', () => {
  const indexes = new TestIndexes(qdrantServer);
  afterAll(() => indexes.clear());
  const everything = { userId: 'ada', vector: record('x').vector, filter: {}, limit: 100 };

  it('takes any id, gives it back letter for letter, and deletes by it', async () => {
    const index = await indexes.open();
    const ids = [
      'files/b.md#3',
      'K9-TARP',
      '0',
      '12345678901234567891',
      '9007199254740993',
      '00000000-0000-0000-0000-00000000000g',
      'ABCDEF00-1111-2222-3333-444455556666',
      'abcdef00-1111-2222-3333-444455556666',
      'id with spaces & 日本',
      'x'.repeat(2000),
      '../../collections',
      '',
    ];
    await index.upsert(ids.map((id) => record(id)));
    await index.upsert(ids.map((id) => record(id, { kind: 'fact' })));
    expect((await index.search(everything)).map((hit) => hit.id).sort()).toEqual([...ids].sort());
    expect(await index.count()).toBe(ids.length);
    for (const [left, id] of ids.entries()) {
      expect((await index.search({ ...everything, filter: { ids: [id] } })).map((hit) => hit.id)).toEqual([id]);
      await index.delete('ada', [id]);
      expect(await index.count('ada')).toBe(ids.length - left - 1);
    }
  });

  it.each(['hash/64:v2', 'BAAI/bge-m3', '日本語-モデル', 'a b\u0000c', 'm'.repeat(300)])('makes a collection for the model %j', async (modelId) => {
    const index = indexes.make();
    await index.open({ modelId, dimensions: 12 });
    const [name = ''] = await indexes.collections(indexes.prefixOf(index));
    expect(name).toMatch(/^test-[\w.-]+$/);
    expect(name.length).toBeLessThan(220);
    await index.upsert([record('a')]);
    const again = indexes.make({ collectionPrefix: indexes.prefixOf(index) });
    await again.open({ modelId, dimensions: 12 });
    expect(await again.count()).toBe(1);
    const other = indexes.make({ collectionPrefix: indexes.prefixOf(index) });
    const error = await failureOf(other.open({ modelId: `${modelId}!`, dimensions: 12 }));
    expect(error).toMatchObject({ code: 'EMBEDDING_MODEL_MISMATCH', kind: 'config' });
    expect(error.message).toContain(name);
    expect(error.message).toContain('tandem reindex');
  });

  it('refuses a collection that is not its own, names it with both sizes, and leaves its points', async () => {
    const prefix = `test-memories-${randomUUID()}`;
    const foreign = indexes.make({ collectionPrefix: prefix });
    await indexes.request('PUT', `/collections/${prefix}`, { vectors: { dense: { size: 1536, distance: 'Cosine' } } });
    const points = [1, 2, 3].map((id) => ({ id, vector: { dense: Array.from({ length: 1536 }, (_, i) => i + id) } }));
    await indexes.request('PUT', `/collections/${prefix}/points?wait=true`, { points });
    const error = await failureOf(foreign.open({ modelId: 'small', dimensions: 768 }));
    expect(error.code).toBe('DIMENSION_MISMATCH');
    for (const part of [prefix, '1536', '768']) expect(error.message).toContain(part);
    expect((await failureOf(foreign.open({ modelId: 'small', dimensions: 1536 }))).code).toBe('CONFIG_INVALID');
    expect(await indexes.request('POST', `/collections/${prefix}/points/count`, { exact: true })).toEqual({ count: 3 });
    expect(await indexes.collections(`${prefix}--`)).toEqual([]);
  });

  it('of another size says so with the collection and both sizes, and nothing is written', async () => {
    const index = await indexes.open({ space: { modelId: 'big', dimensions: 24 } });
    const small = indexes.make({ collectionPrefix: indexes.prefixOf(index) });
    const error = await failureOf(small.open({ modelId: 'big', dimensions: 12 }));
    expect(error).toMatchObject({ code: 'DIMENSION_MISMATCH', details: { stored: 24, configured: 12 } });
    expect(error.message).toContain((await indexes.collections(indexes.prefixOf(index)))[0]);
    expect((await failureOf(small.upsert([record('a')]))).code).toBe('DIMENSION_MISMATCH');
    expect(await index.count()).toBe(0);
  });

  it('gives the same set as the embedded index for any threshold', async () => {
    const database = new SqliteDatabase({ path: ':memory:' });
    const embedded = new EmbeddedVectorIndex({ database });
    const qdrant = await indexes.open({ space: { modelId: 'plane', dimensions: 2 } });
    await embedded.open({ modelId: 'plane', dimensions: 2 });
    const documents = { same: [1, 0], near: [0.8, 0.6], side: [0, 1], opposite: [-1, 0], again: [0.8, -0.6] };
    const records = Object.entries(documents).map(([id, vector]) => record(id, { vector: Float32Array.from(vector) }));
    for (const index of [embedded, qdrant]) await index.upsert(records);
    const query = { userId: 'ada', vector: Float32Array.from([1, 0]), filter: {} };
    for (const threshold of [undefined, -1, 0, 0.7, 0.8, 0.81, 1]) {
      for (const limit of [1, 2, 3, 5, 1_000_000_000]) {
        const ask = { ...query, limit, ...(threshold === undefined ? {} : { threshold }) };
        const [expected, found] = await Promise.all([embedded.search(ask), qdrant.search(ask)]);
        expect(
          found.map((hit) => hit.id),
          `threshold ${threshold}, limit ${limit}`,
        ).toEqual(expected.map((hit) => hit.id));
        for (const [i, hit] of found.entries()) expect(hit.score).toBeCloseTo(expected[i]?.score ?? Number.NaN, 4);
      }
    }
    database.close();
  });

  it('makes one collection when many open it at once', async () => {
    const collectionPrefix = `test-${randomUUID()}`;
    const opened = await Promise.all(Array.from({ length: 6 }, () => indexes.open({ collectionPrefix })));
    await Promise.all(opened.map((index, i) => index.upsert([record(`r${i}`)])));
    expect(await opened[0]?.count()).toBe(6);
    expect(await indexes.collections(collectionPrefix)).toHaveLength(1);
  });

  it('is rebuilt beside the one in use, also in another space, and other handles follow', async () => {
    const index = await indexes.open();
    const same = await indexes.open({ collectionPrefix: indexes.prefixOf(index) });
    await index.upsert([record('old')]);
    const space = { modelId: 'wider', dimensions: 3 };
    const rebuild = await index.rebuild(space);
    await rebuild.index.upsert([record('new', { vector: Float32Array.from([0, 1, 0]) })]);
    expect(await index.ids('ada', 10)).toEqual(['old']);
    await rebuild.commit();
    expect(await index.ids('ada', 10)).toEqual(['new']);
    expect(await indexes.collections(indexes.prefixOf(index))).toHaveLength(1);
    // A handle with the old model must not write into the new space.
    expect((await failureOf(same.upsert([record('late')]))).code).toBe('DIMENSION_MISMATCH');
    const fresh = await indexes.open({ collectionPrefix: indexes.prefixOf(index), space });
    const again = await fresh.rebuild(space);
    await again.commit();
    expect(await index.count()).toBe(0);
  });

  it('a rebuild that is given up, or was left by a crash, leaves the index as it was', async () => {
    const index = await indexes.open();
    await index.upsert([record('a')]);
    const abandoned = await index.rebuild(CONFORMANCE_SPACE);
    await abandoned.index.upsert([record('half')]);
    const next = await index.rebuild(CONFORMANCE_SPACE);
    expect(await next.index.count()).toBe(0);
    await next.discard();
    expect(await index.ids('ada', 10)).toEqual(['a']);
    expect(await indexes.collections(indexes.prefixOf(index))).toHaveLength(1);
  });

  it('finds the same with int8 vectors, exactly scored', async () => {
    const plain = await indexes.open({ space: { modelId: 'm', dimensions: 32 } });
    const small = await indexes.open({ space: { modelId: 'm', dimensions: 32 }, quantization: 'int8' });
    const wave = (i: number) => Float32Array.from({ length: 32 }, (_, j) => Math.sin(i * (j + 1)));
    const records = Array.from({ length: 300 }, (_, i) => record(`r${i}`, { vector: wave(i + 1) }));
    await Promise.all([plain.upsert(records), small.upsert(records)]);
    const ask = { userId: 'ada', vector: wave(7.01), filter: {}, limit: 5 };
    const [exact, quantized] = await Promise.all([plain.search(ask), small.search(ask)]);
    expect(quantized.map((hit) => hit.id)).toEqual(exact.map((hit) => hit.id));
    for (const [i, hit] of quantized.entries()) expect(hit.score).toBeCloseTo(exact[i]?.score ?? Number.NaN, 5);
  });

  it('keeps records beside their vectors for the time without a graph, unless told not to', async () => {
    const content = {
      kind: 'fact',
      fact: {
        id: 'f',
        userId: 'ada',
        text: 'Ilse grows saffron 🌷',
        entityIds: [],
        evidence: [],
        createdAt: '2024-01-01T00:00:00.000Z',
        confidence: 1,
        importance: 0.5,
        origin: 'caller',
        saidBy: 'user',
        properties: { n: 1.5 },
      },
    } as const;
    const index = await indexes.open();
    await index.upsert([record('f', { kind: 'fact', content }), record('bare')]);
    expect(await index.contents('ada', ['f', 'bare', 'nobody'])).toEqual([content]);
    expect(await index.contents('bob', ['f'])).toEqual([]);
    const without = await indexes.open({ keepRecords: false });
    await without.upsert([record('f', { kind: 'fact', content })]);
    expect(await without.contents('ada', ['f'])).toEqual([]);
  });

  it('says of a record that the server refuses that it is its own fault, so that it holds up no other', async () => {
    const index = await indexes.open();
    const content = { kind: 'episode', episode: { content: 'half of a pair: \ud83c' } } as unknown as RecordContent;
    expect((await failureOf(index.upsert([record('good'), record('bad', { content })]))).code).toBe('INPUT_INVALID');
    await index.upsert([record('good')]);
    expect(await index.count()).toBe(1);
  });

  it('refuses half of a surrogate pair before two users can become one', async () => {
    const index = await indexes.open();
    for (const broken of [{ userId: 'u\ud800' }, { id: 'r\ud800' }, { sessionId: '\udc00' }]) {
      expect((await failureOf(index.upsert([record('ok'), record('a', broken)]))).code).toBe('INPUT_INVALID');
    }
    expect((await failureOf(index.search({ ...everything, userId: 'u\ud800' }))).code).toBe('INPUT_INVALID');
    expect(await index.count()).toBe(0);
  });
});

describe('options of the Qdrant index', () => {
  it.each([
    [{ url: 'localhost:6333' }, /url/],
    [{ url: '' }, /url/],
    [{ collectionPrefix: 'a/b' }, /collectionPrefix/],
    [{ collectionPrefix: '' }, /collectionPrefix/],
    [{ timeoutMs: 0 }, /timeoutMs/],
    [{ b: 2 }, /`b`/],
    [{ averageLength: 0 }, /averageLength/],
  ])('%j is refused by name', (options, name) => {
    expect(() => new TestIndexes({ url: 'http://localhost:6333' }).make(options)).toThrow(name);
  });
});
