import assert from 'node:assert/strict';
import type { ConsentRecord, LifecycleStore } from '../ports/lifecycle-store.ts';
import type { DriverFactory, TestRunner } from './runner.ts';

const ANA = 'ana';
const BO = "bo'}) DETACH DELETE (n";
const [NOON, LATER, LATEST] = ['2024-02-29T12:00:00.987Z', '2024-03-01T12:00:00.000Z', '2024-03-02T12:00:00.000Z'] as const;

/** What every lifecycle store does alike. Beyond the port's own comments it fixes: users never see each other's marks; times keep their milliseconds. */
export function lifecycleStoreConformance(runner: TestRunner, factory: DriverFactory<LifecycleStore>): void {
  const check = (name: string, body: (store: LifecycleStore, reopen: () => Promise<LifecycleStore>) => Promise<void>) =>
    runner.it(name, async () => {
      let store = await factory.create();
      const reopen = async () => {
        if (factory.reopen !== undefined) store = await factory.reopen(store);
        return store;
      };
      try {
        await body(store, reopen);
      } finally {
        await factory.destroy(store);
      }
    });

  runner.describe('consents', () => {
    const grant: ConsentRecord = { userId: ANA, purpose: 'memory', granted: true, at: NOON, actor: 'form 7', note: '에이다 "{$x}" 👩‍👩‍👧' };
    const withdrawal: ConsentRecord = { userId: ANA, purpose: 'support', granted: false, at: LATER, actor: 'Ms Plugh' };

    check('come back word for word, in the order in which they were recorded, of this user alone', async (store, reopen) => {
      const records = [{ ...grant, at: LATER }, withdrawal, grant, { ...grant, purpose: 'a`b\'"}', granted: false }];
      for (const record of records) await store.recordConsent(record);
      await store.recordConsent({ ...grant, userId: BO });
      assert.deepEqual(await store.consents(ANA), records);
      assert.deepEqual(await store.consents(BO), [{ ...grant, userId: BO }]);
      assert.deepEqual(await store.consents('nobody'), []);
      assert.deepEqual(await (await reopen()).consents(ANA), records);
    });

    check('that stand withdrawn outlive the user, without actor and note; others go', async (store) => {
      for (const record of [grant, { ...grant, granted: false }, withdrawal, { ...withdrawal, granted: true }, { ...grant, userId: BO }])
        await store.recordConsent(record);
      await store.forget(ANA, ['a']);
      assert.equal((await store.consents(ANA)).length, 4);
      await store.forget(ANA);
      assert.deepEqual(await store.consents(ANA), [{ userId: ANA, purpose: 'memory', granted: false, at: NOON }]);
      assert.deepEqual(await store.consents(BO), [{ ...grant, userId: BO }]);
    });
  });

  runner.describe('marks', () => {
    check('count what was recalled, once a call, and keep the latest time', async (store, reopen) => {
      await store.recordAccess(ANA, ['a', 'b'], LATER);
      await store.recordAccess(ANA, ['b'], NOON);
      await store.recordAccess(BO, ['a'], LATEST);
      await store.recordAccess(ANA, [], LATEST);
      const expected = new Map([
        ['a', { id: 'a', accesses: 1, accessedAt: LATER }],
        ['b', { id: 'b', accesses: 2, accessedAt: LATER }],
      ]);
      assert.deepEqual(await store.marks(ANA, ['a', 'b', 'unknown']), expected);
      assert.deepEqual(await store.marks(ANA, []), new Map());
      assert.deepEqual(await store.marks(BO, ['a', 'b']), new Map([['a', { id: 'a', accesses: 1, accessedAt: LATEST }]]));
      assert.deepEqual(await (await reopen()).marks(ANA, ['a', 'b']), expected);
    });

    check('hide what has expired by then and what is archived, by id', async (store) => {
      await store.setExpiry(ANA, ['late', 'soon', 'both'], LATEST);
      await store.setExpiry(ANA, ['soon'], LATER);
      await store.setArchived(ANA, ['old', 'both', 'back'], NOON);
      await store.setArchived(ANA, ['back'], undefined);
      await store.setExpiry(BO, ['other'], NOON);
      const hidden = async (at: string) => (await store.hidden(ANA, at)).map(({ id }) => id);
      assert.deepEqual(await hidden(NOON), ['both', 'old']);
      assert.deepEqual(await hidden(LATER), ['both', 'old', 'soon']);
      assert.deepEqual(await hidden(LATEST), ['both', 'late', 'old', 'soon']);
      assert.deepEqual((await store.hidden(ANA, NOON))[0], { id: 'both', accesses: 0, expiresAt: LATEST, archivedAt: NOON });
      assert.deepEqual(await store.marks(ANA, ['back']), new Map([['back', { id: 'back', accesses: 0 }]]));
    });

    check('are put in the place of what was known, word for word', async (store) => {
      const marks = [
        { id: 'b', accesses: 7, accessedAt: NOON, expiresAt: LATEST, archivedAt: LATER },
        { id: 'a', accesses: 0 },
      ];
      await store.recordAccess(ANA, ['a', 'c'], LATER);
      await store.putMarks(ANA, marks);
      await store.putMarks(ANA, []);
      assert.deepEqual([...(await store.marks(ANA, ['b', 'a'])).values()], marks);
      assert.deepEqual(await store.marks(ANA, ['c']), new Map([['c', { id: 'c', accesses: 1, accessedAt: LATER }]]));
      assert.deepEqual(await store.marks(BO, ['a', 'b']), new Map());
    });

    check('go with the records that are forgotten, or with the user', async (store) => {
      for (const user of [ANA, BO]) await store.setExpiry(user, ['a', 'b', 'c'], NOON);
      await store.forget(ANA, []);
      await store.forget(ANA, ['a', 'unknown']);
      assert.deepEqual([...(await store.marks(ANA, ['a', 'b', 'c'])).keys()], ['b', 'c']);
      await store.forget(ANA);
      assert.deepEqual(await store.hidden(ANA, LATEST), []);
      assert.equal((await store.hidden(BO, LATEST)).length, 3);
    });

    check('are written by many at once without one getting in the way of another', async (store) => {
      const ids = Array.from({ length: 30 }, (_, n) => `r${n}`);
      await Promise.all(Array.from({ length: 12 }, (_, n) => store.recordAccess(ANA, n % 2 === 0 ? ids : [...ids].reverse(), NOON)));
      const marks = await store.marks(ANA, ids);
      assert.deepEqual(new Set([...marks.values()].map(({ accesses }) => accesses)), new Set([12]));
      assert.equal(marks.size, 30);
    });
  });
}
