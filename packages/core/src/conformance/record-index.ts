import assert from 'node:assert/strict';
import type { IndexFilter, IndexHit, IndexRecord } from '../domain/index-record.ts';
import { type ErrorCode, MemoryError } from '../errors.ts';
import type { DriverFactory, TestRunner } from './runner.ts';

/** How the suites of the vector and the keyword index get drivers. `destroy` has to bear a driver that is closed already. */
export interface IndexDriverFactory<Driver> extends DriverFactory<Driver> {
  /** A second, independent handle on the data of an open driver, as another process has it. Undefined where there can be none. */
  another?(driver: Driver): Promise<Driver>;
}

/** Vector space that a vector driver's `create`, `reopen` and `another` open. No multiple of 16, so that padding is tried. */
export const CONFORMANCE_SPACE = { modelId: 'conformance', dimensions: 12 };

/** What the two indexes have in common. */
interface RecordIndex {
  upsert(records: readonly IndexRecord[], signal?: AbortSignal): Promise<void>;
  delete(userId: string, ids: readonly string[], signal?: AbortSignal): Promise<void>;
  ids(userId: string, limit: number, after?: string): Promise<string[]>;
  count(userId?: string): Promise<number>;
  close(): Promise<void>;
}

/** Finds the records of a user that `sampleRecord` made, which all match. */
type FindAll<Driver> = (driver: Driver, userId: string, filter?: IndexFilter, limit?: number) => Promise<readonly IndexHit[]>;

/** A unit vector in the plane of the first two axes: its cosine with another is the cosine of the angle between them. */
export function planeVector(degrees: number): Float32Array {
  const vector = new Float32Array(CONFORMANCE_SPACE.dimensions);
  vector[0] = Math.cos((degrees * Math.PI) / 180);
  vector[1] = Math.sin((degrees * Math.PI) / 180);
  return vector;
}

export function sampleRecord(fields: Partial<IndexRecord> & { readonly id: string }): IndexRecord {
  return {
    userId: 'ada',
    kind: 'episode',
    at: '2024-03-01T00:00:00.000Z',
    vector: planeVector(0),
    terms: [{ term: 'common', weight: 1 }],
    ...fields,
  };
}

export async function assertRejects(work: () => Promise<unknown>, code: ErrorCode): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(MemoryError.isInstance(error), `not a MemoryError: ${String(error)}`);
    assert.equal(error.code, code);
    return true;
  });
}

export async function withDriver<Driver>(factory: IndexDriverFactory<Driver>, work: (driver: Driver) => Promise<void>): Promise<void> {
  const driver = await factory.create();
  try {
    await work(driver);
  } finally {
    await factory.destroy(driver);
  }
}

/** The behaviour that both indexes share; part of each one's own suite. */
export function recordIndexConformance<Driver extends RecordIndex>(
  { it }: TestRunner,
  factory: IndexDriverFactory<Driver>,
  findAll: FindAll<Driver>,
): void {
  const found = async (driver: Driver, userId = 'ada', filter: IndexFilter = {}, limit = 10_000) =>
    (await findAll(driver, userId, filter, limit)).map((hit) => hit.id).sort();
  const test = (name: string, work: (driver: Driver) => Promise<void>) => it(name, () => withDriver(factory, work));

  test('an empty index answers with nothing', async (driver) => {
    assert.deepEqual(await found(driver), []);
    assert.deepEqual(await driver.ids('ada', 10), []);
    assert.equal(await driver.count(), 0);
    assert.equal(await driver.count('ada'), 0);
    await driver.delete('ada', ['a']);
    await driver.upsert([]);
    assert.equal(await driver.count(), 0);
  });

  test('upsert is idempotent, and the last of one id in a batch counts', async (driver) => {
    const records = [sampleRecord({ id: 'a' }), sampleRecord({ id: 'b' })];
    await driver.upsert(records);
    await driver.upsert(records);
    await driver.upsert([sampleRecord({ id: 'c', kind: 'episode' }), sampleRecord({ id: 'c', kind: 'fact' })]);
    assert.deepEqual(await found(driver), ['a', 'b', 'c']);
    assert.equal(await driver.count('ada'), 3);
    assert.deepEqual(await found(driver, 'ada', { kinds: ['fact'] }), ['c']);
  });

  test('a replaced record is found by its new values only', async (driver) => {
    await driver.upsert([sampleRecord({ id: 'a', sessionId: 'one', agentId: 'x', sourceId: 'book', kind: 'episode' })]);
    await driver.upsert([sampleRecord({ id: 'a', sessionId: 'two', kind: 'fact', at: '2025-01-01T00:00:00.000Z' })]);
    for (const stale of [
      { sessionId: 'one' },
      { agentId: 'x' },
      { sourceId: 'book' },
      { kinds: ['episode'] },
      { until: '2025-01-01T00:00:00.000Z' },
    ] satisfies IndexFilter[]) {
      assert.deepEqual(await found(driver, 'ada', stale), [], JSON.stringify(stale));
    }
    assert.deepEqual(await found(driver, 'ada', { sessionId: 'two', kinds: ['fact'] }), ['a']);
  });

  test('deleted records are gone, unknown ids are ignored', async (driver) => {
    await driver.upsert(['a', 'b', 'c'].map((id) => sampleRecord({ id })));
    await driver.delete('ada', ['b', 'nobody', 'b']);
    await driver.delete('nobody', ['a']);
    await driver.delete('ada', []);
    assert.deepEqual(await found(driver), ['a', 'c']);
    assert.deepEqual(await driver.ids('ada', 10), ['a', 'c']);
    await driver.delete('ada', ['a', 'c']);
    assert.deepEqual(await found(driver), []);
    assert.equal(await driver.count(), 0);
    await driver.upsert([sampleRecord({ id: 'a' })]);
    assert.deepEqual(await found(driver), ['a']);
  });

  test("users never see, count, replace or delete each other's records", async (driver) => {
    await driver.upsert([sampleRecord({ id: 'same' }), sampleRecord({ id: 'own' }), sampleRecord({ id: 'same', userId: 'bob', kind: 'fact' })]);
    assert.deepEqual(await found(driver), ['own', 'same']);
    assert.deepEqual(await found(driver, 'bob'), ['same']);
    assert.deepEqual(await found(driver, 'bob', { ids: ['own'] }), []);
    assert.deepEqual(await driver.ids('bob', 10), ['same']);
    await driver.delete('bob', ['own', 'same']);
    assert.deepEqual(await found(driver), ['own', 'same']);
    assert.deepEqual([await driver.count(), await driver.count('ada'), await driver.count('bob')], [2, 2, 0]);
  });

  test('every filter narrows, alone and together', async (driver) => {
    const records: IndexRecord[] = [];
    for (const agentId of ['x', 'y']) {
      for (const sessionId of ['one', 'two']) {
        for (const sourceId of ['book', 'mail']) {
          for (const kind of ['episode', 'fact'] as const) {
            for (const day of ['01', '02']) {
              records.push(
                sampleRecord({
                  id: `${agentId}-${sessionId}-${sourceId}-${kind}-${day}`,
                  agentId,
                  sessionId,
                  sourceId,
                  kind,
                  at: `2024-03-${day}T00:00:00.000Z`,
                }),
              );
            }
          }
        }
      }
    }
    records.push(sampleRecord({ id: 'bare' }));
    await driver.upsert(records);
    const filters: IndexFilter[] = [
      {},
      { agentId: 'x' },
      { sessionId: 'two' },
      { sourceId: 'mail' },
      { sourceId: '' },
      { kinds: ['fact'] },
      { kinds: ['fact', 'episode'] },
      { kinds: [] },
      { since: '2024-03-02T00:00:00.000Z' },
      { until: '2024-03-02T00:00:00.000Z' },
      { since: '2024-03-01T00:00:00.001Z', until: '2024-03-02T00:00:00.001Z' },
      { ids: ['bare', 'x-one-book-fact-01', 'nobody', 'bare'] },
      { ids: [] },
      { ids: ['bare', 'x-one-book-fact-01'], agentId: 'x' },
      { agentId: 'x', sessionId: 'one', sourceId: 'mail', kinds: ['fact'], since: '2024-03-01T00:00:00.000Z', until: '2024-03-02T00:00:00.000Z' },
      { agentId: 'x', sessionId: 'three' },
    ];
    for (const filter of filters) {
      const expected = records.filter((record) => matches(record, filter)).map((record) => record.id);
      assert.deepEqual(await found(driver, 'ada', filter), expected.sort(), JSON.stringify(filter));
    }
  });

  test('a narrow filter still fills the limit', async (driver) => {
    await driver.upsert(Array.from({ length: 600 }, (_, i) => sampleRecord({ id: `r${i}`, sessionId: i % 100 === 7 ? 'rare' : 'usual' })));
    assert.equal((await findAll(driver, 'ada', { sessionId: 'rare' }, 5)).length, 5);
  });

  test('limits: none, one, more than there is', async (driver) => {
    await driver.upsert(['a', 'b', 'c'].map((id) => sampleRecord({ id })));
    assert.deepEqual(await found(driver, 'ada', {}, 0), []);
    assert.deepEqual(await found(driver, 'ada', {}, 1), ['a']);
    assert.deepEqual(await found(driver, 'ada', {}, 1_000_000_000), ['a', 'b', 'c']);
  });

  test('equal scores are ordered by id, also where the limit cuts through them', async (driver) => {
    const ids = Array.from({ length: 300 }, (_, i) => `r${String((i * 7919) % 300).padStart(3, '0')}`);
    await driver.upsert(ids.map((id) => sampleRecord({ id })));
    const hits = await findAll(driver, 'ada', {}, 5);
    assert.deepEqual(
      hits.map((hit) => hit.id),
      ['r000', 'r001', 'r002', 'r003', 'r004'],
    );
    assert.equal(new Set(hits.map((hit) => hit.score)).size, 1);
  });

  test('ids come in pages, ascending', async (driver) => {
    await driver.upsert(['d', 'b', 'a', 'c'].map((id) => sampleRecord({ id })));
    assert.deepEqual(await driver.ids('ada', 2), ['a', 'b']);
    assert.deepEqual(await driver.ids('ada', 2, 'b'), ['c', 'd']);
    assert.deepEqual(await driver.ids('ada', 2, 'd'), []);
    assert.deepEqual(await driver.ids('ada', 0), []);
    assert.deepEqual(await driver.ids('nobody', 2), []);
  });

  test('a batch of thousands, and erasing them', async (driver) => {
    const records = Array.from({ length: 2500 }, (_, i) =>
      sampleRecord({ id: `r${String(i).padStart(4, '0')}`, userId: i % 5 === 0 ? 'bob' : 'ada' }),
    );
    await driver.upsert(records);
    assert.equal((await found(driver)).length, 2000);
    assert.equal((await found(driver, 'bob')).length, 500);
    await driver.delete(
      'ada',
      records.slice(0, 2400).map((record) => record.id),
    );
    assert.deepEqual(
      await found(driver),
      records
        .slice(2400)
        .filter((record) => record.userId === 'ada')
        .map((record) => record.id),
    );
    assert.equal((await found(driver, 'bob')).length, 500);
  });

  test('concurrent writes all arrive', async (driver) => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => driver.upsert([sampleRecord({ id: `r${i}` }), sampleRecord({ id: 'shared' })])));
    assert.equal((await found(driver)).length, 21);
  });

  test('any well-formed text can be an id, a user, a session', async (driver) => {
    const odd = [
      '한국어',
      '中文 🦊',
      "'; DROP TABLE x; --",
      '<|endoftext|>',
      'a\u0000b',
      'a',
      'A',
      ' a',
      'é',
      'e\u0301',
      'x'.repeat(300),
      '%',
      '*',
      '__proto__',
    ];
    for (const text of odd) await driver.upsert([sampleRecord({ id: text, userId: text, sessionId: text, agentId: text, sourceId: text })]);
    for (const text of odd) {
      assert.deepEqual(await found(driver, text), [text]);
      assert.deepEqual(await found(driver, text, { sessionId: text, agentId: text, sourceId: text, ids: odd }), [text]);
    }
    for (const text of odd) await driver.delete(text, odd);
    assert.equal(await driver.count(), 0);
  });

  test('an aborted call changes nothing', async (driver) => {
    await driver.upsert([sampleRecord({ id: 'a' })]);
    const signal = AbortSignal.abort();
    await assertRejects(() => driver.upsert([sampleRecord({ id: 'b' })], signal), 'ABORTED');
    await assertRejects(() => driver.delete('ada', ['a'], signal), 'ABORTED');
    assert.deepEqual(await driver.ids('ada', 10), ['a']);
  });

  test('a closed index says so; closing twice is fine', async (driver) => {
    await driver.close();
    await driver.close();
    await assertRejects(() => driver.upsert([sampleRecord({ id: 'a' })]), 'CLOSED');
    await assertRejects(() => driver.delete('ada', ['a']), 'CLOSED');
    await assertRejects(() => found(driver), 'CLOSED');
    await assertRejects(() => driver.count(), 'CLOSED');
    await assertRejects(() => driver.ids('ada', 1), 'CLOSED');
  });

  const { reopen, another } = factory;
  if (reopen !== undefined) {
    it('records survive closing and opening', async () => {
      let driver = await factory.create();
      try {
        await driver.upsert(Array.from({ length: 700 }, (_, i) => sampleRecord({ id: `r${i}`, sessionId: 'kept' })));
        await driver.delete('ada', ['r5', 'r699']);
        driver = await reopen.call(factory, driver);
        assert.equal((await found(driver, 'ada', { sessionId: 'kept' })).length, 698);
        assert.equal(await driver.count('ada'), 698);
      } finally {
        await factory.destroy(driver);
      }
    });
  }

  if (another !== undefined) {
    test('writes through another handle are seen at once', async (driver) => {
      const other = await another.call(factory, driver);
      try {
        await driver.upsert(Array.from({ length: 700 }, (_, i) => sampleRecord({ id: `r${i}` })));
        assert.equal((await found(other)).length, 700);
        await other.delete('ada', ['r3', 'r690']);
        await other.upsert([sampleRecord({ id: 'new' }), sampleRecord({ id: 'r7', sessionId: 'moved' })]);
        assert.equal((await found(driver)).length, 699);
        assert.deepEqual(await found(driver, 'ada', { sessionId: 'moved' }), ['r7']);
        await driver.delete('ada', await driver.ids('ada', 1000));
        assert.deepEqual(await found(other), []);
        await driver.upsert([sampleRecord({ id: 'again' })]);
        assert.deepEqual(await found(other), ['again']);
      } finally {
        await factory.destroy(other);
      }
    });
  }
}

function matches(record: IndexRecord, filter: IndexFilter): boolean {
  return (
    (filter.agentId === undefined || record.agentId === filter.agentId) &&
    (filter.sessionId === undefined || record.sessionId === filter.sessionId) &&
    (filter.sourceId === undefined || record.sourceId === filter.sourceId) &&
    (filter.kinds === undefined || filter.kinds.includes(record.kind)) &&
    (filter.since === undefined || record.at >= filter.since) &&
    (filter.until === undefined || record.at < filter.until) &&
    (filter.ids === undefined || filter.ids.includes(record.id))
  );
}
