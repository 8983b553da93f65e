import assert from 'node:assert/strict';
import type { GraphStore } from '../ports/graph-store.ts';
import { graphStoreCommitConformance } from './graph-store-commit.ts';
import { graphStoreErasureConformance } from './graph-store-erasure.ts';
import { graphStoreExpansionConformance } from './graph-store-expansion.ts';
import { ALICE, BOB, changes, edge, endsOf, episode, rejects, storeCases } from './graph-store-fixtures.ts';
import { graphStoreHistoryConformance } from './graph-store-history.ts';
import { graphStoreReadingConformance } from './graph-store-reading.ts';
import type { DriverFactory, TestRunner } from './runner.ts';

/**
 * What every graph store does alike. Beyond the port's own comments it fixes: text comes back character for character, save half a
 * surrogate pair, which comes back as U+FFFD (in `metadata` and `properties` it is kept); lists of a record keep their order, and what they
 * gain comes last; of several ends of a fact the earliest counts; a user without records is not listed; times keep their milliseconds; absent fields are
 * absent, never null.
 */
export function graphStoreConformance(runner: TestRunner, factory: DriverFactory<GraphStore>): void {
  graphStoreCommitConformance(runner, factory);
  graphStoreReadingConformance(runner, factory);
  graphStoreExpansionConformance(runner, factory);
  graphStoreHistoryConformance(runner, factory);
  graphStoreErasureConformance(runner, factory);
  outboxConformance(runner, factory);
  lifetimeConformance(runner, factory);
}

function outboxConformance(runner: TestRunner, factory: DriverFactory<GraphStore>): void {
  const check = storeCases(runner, factory);

  runner.describe('outbox', () => {
    check('keeps entries in the order of the commits until they are acknowledged', async (store) => {
      const first = await store.commit(
        changes(ALICE, {
          outbox: [
            { operation: 'upsert', kind: 'episode', recordId: 'a' },
            { operation: 'delete', kind: 'fact', recordId: 'b' },
          ],
        }),
      );
      const second = await store.commit(changes(BOB, { outbox: [{ operation: 'upsert', kind: 'fact', recordId: 'c' }] }));
      const entries = [...first.outbox, ...second.outbox];
      assert.deepEqual(
        entries.map(({ sequence: _, ...entry }) => entry),
        [
          { userId: ALICE, operation: 'upsert', kind: 'episode', recordId: 'a' },
          { userId: ALICE, operation: 'delete', kind: 'fact', recordId: 'b' },
          { userId: BOB, operation: 'upsert', kind: 'fact', recordId: 'c' },
        ],
      );
      const sequences = entries.map((entry) => entry.sequence);
      assert.deepEqual(
        sequences,
        [...new Set(sequences)].sort((a, b) => a - b),
      );
      assert.deepEqual(await store.readOutbox(10), entries);
      assert.deepEqual(await store.readOutbox(2), entries.slice(0, 2));
      await store.acknowledge([sequences[1] ?? 0]);
      await store.acknowledge([sequences[1] ?? 0, 999_999]);
      await store.acknowledge([]);
      assert.deepEqual(await store.readOutbox(10), [entries[0], entries[2]]);
      assert.equal((await store.counts()).outbox, 2);
    });

    check('never uses a sequence again', async (store) => {
      const commit = async () =>
        (await store.commit(changes(ALICE, { outbox: [{ operation: 'upsert', kind: 'fact', recordId: 'a' }] }))).outbox[0]?.sequence ?? 0;
      const first = await commit();
      await store.acknowledge([first]);
      assert.ok((await commit()) > first);
    });

    check('takes and acknowledges 1,500 entries', async (store) => {
      const outbox = Array.from({ length: 1500 }, (_, n) => ({ operation: 'upsert' as const, kind: 'fact' as const, recordId: `r${n}` }));
      await store.commit(changes(ALICE, { outbox }));
      const entries = await store.readOutbox(5000);
      assert.deepEqual(
        entries.map((entry) => entry.recordId),
        outbox.map((item) => item.recordId),
      );
      await store.acknowledge(entries.map((entry) => entry.sequence));
      assert.deepEqual(await store.readOutbox(5000), []);
    });
  });
}

function lifetimeConformance(runner: TestRunner, factory: DriverFactory<GraphStore>): void {
  const check = storeCases(runner, factory);

  runner.describe('lifetime', () => {
    check('open may be repeated and keeps what is there', async (store) => {
      await store.commit(changes(ALICE, { episodes: [episode(ALICE, 'one')] }));
      await store.open();
      assert.equal((await store.counts()).episodes, 1);
    });

    check('a closed store refuses every call with CLOSED, and may be closed again', async (store) => {
      await store.close();
      await store.close();
      const page = { limit: 1 };
      const calls = [
        () => store.open(),
        () => store.commit(changes(ALICE, {})),
        () => store.getEpisodes(ALICE, []),
        () => store.getFacts(ALICE, []),
        () => store.getEntities(ALICE, []),
        () => store.findEpisodes({ userId: ALICE }, page),
        () => store.findFacts({ userId: ALICE }, page),
        () => store.findEntities({ userId: ALICE }, page),
        () => store.neighbours(ALICE, [], 1),
        () => store.latest(ALICE, 'thread', 1),
        () => store.speakers(ALICE),
        () => store.sources(ALICE, page),
        () => store.mentions(ALICE, []),
        () => store.readUpdates({ userId: ALICE }, page),
        () => store.expand({ userId: ALICE, seedIds: [], hops: 1, fanOut: 1, limit: 1 }),
        () => store.erase({ userId: ALICE }, { following: 0, leaveTrace: false }),
        () => store.erasures(ALICE),
        () => store.compact(),
        () => store.readOutbox(1),
        () => store.acknowledge([]),
        () => store.users(page),
        () => store.counts(),
      ];
      for (const call of calls) await rejects('CLOSED', call);
    });

    const { reopen } = factory;
    if (reopen === undefined) return;
    runner.it('a store that is opened again has everything, and goes on counting', async () => {
      let store = await factory.create();
      try {
        const said = episode(ALICE, 'one', { threadId: 'thread' });
        const stated = edge(ALICE, 'Ada', 'Eve', { evidence: [said.id] });
        const mentions = [{ episodeId: said.id, entityId: stated.subjectId ?? '' }];
        const outbox = [{ operation: 'upsert' as const, kind: 'fact' as const, recordId: stated.id }];
        const before = await store.commit(changes(ALICE, { episodes: [said], entities: endsOf(ALICE, [stated]), facts: [stated], mentions, outbox }));
        store = await reopen(store);
        assert.deepEqual(await store.getEpisodes(ALICE, [said.id]), [{ ...said, position: 0 }]);
        assert.deepEqual(await store.getFacts(ALICE, [stated.id]), [stated]);
        assert.deepEqual(await store.mentions(ALICE, [said.id]), mentions);
        assert.deepEqual(await store.readOutbox(9), before.outbox);
        await store.acknowledge(before.outbox.map((entry) => entry.sequence));
        store = await reopen(store);
        const after = await store.commit(changes(ALICE, { episodes: [episode(ALICE, 'two', { threadId: 'thread' })], outbox }));
        assert.ok((after.outbox[0]?.sequence ?? 0) > (before.outbox[0]?.sequence ?? 0));
        assert.equal((await store.latest(ALICE, 'thread', 1))[0]?.position, 1);
      } finally {
        await factory.destroy(store);
      }
    });
  });
}
