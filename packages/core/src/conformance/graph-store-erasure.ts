import assert from 'node:assert/strict';
import type { Erasure } from '../domain/erasure.ts';
import { deriveId } from '../domain/id.ts';
import type { LoggedUpdate, Update } from '../domain/update-log.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { ALICE, BOB, changes, edge, endsOf, entity, episode, ids, minute, rejects, storeCases } from './graph-store-fixtures.ts';
import type { DriverFactory, TestRunner } from './runner.ts';

const OPTIONS = { following: 2, leaveTrace: true };
const PAGE = { limit: 100 };
const EMPTY = { episodes: 0, entities: 0, facts: 0, users: 0, outbox: 0 };

/** What every graph store does alike when something is erased. */
export function graphStoreErasureConformance(runner: TestRunner, factory: DriverFactory<GraphStore>): void {
  const check = storeCases(runner, factory);
  const erase = (store: GraphStore, erasure: Omit<Erasure, 'userId'>) => store.erase({ userId: ALICE, ...erasure }, OPTIONS);

  runner.describe('erase', () => {
    check('takes what rested on it alone and keeps what something else supports', async (store) => {
      const { m1, m2, cellos, elm, priya } = await workshop(store);
      const result = await erase(store, { ids: [m1.id] });
      assert.deepEqual([result.episodes, result.entities, result.facts.length], [[m1.id], [cellos.id], 1]);
      assert.deepEqual(ids(await store.findEntities({ userId: ALICE }, PAGE)), [elm.id, priya.id].sort());
      assert.deepEqual(await store.getEpisodes(ALICE, [m1.id]), []);
      const [shared] = await store.findFacts({ userId: ALICE }, PAGE);
      assert.deepEqual([shared?.text, shared?.evidence], ['Priya leads to Elm', [m2.id]]);
      assert.deepEqual(await store.expand({ userId: ALICE, seedIds: [cellos.id], hops: 2, fanOut: 9, limit: 9 }).then((found) => found.facts), []);
      const rest = await erase(store, { ids: [m2.id] });
      assert.deepEqual([...rest.entities].sort(), [elm.id, priya.id].sort());
      await store.acknowledge((await store.readOutbox(99)).map((entry) => entry.sequence));
      assert.deepEqual(await store.counts(ALICE), EMPTY);
      assert.deepEqual(await store.users(PAGE), []);
    });

    check('tells a fact anew from the evidence that is left', async (store) => {
      const first = episode(ALICE, 'first', { role: 'assistant', at: minute(1) });
      const second = episode(ALICE, 'second', { role: 'user', at: minute(2) });
      const third = episode(ALICE, 'third', { role: 'assistant', at: minute(3) });
      const stated = edge(ALICE, 'Ada', 'Engine', {
        text: 'Ada, in secret, leads to the Engine.',
        evidence: ids([first, second]),
        validAt: minute(1),
        saidBy: 'assistant',
        properties: { place: 'a secret' },
      });
      await store.commit(
        changes(ALICE, { episodes: [first, second, third], entities: endsOf(ALICE, [edge(ALICE, 'Ada', 'Engine')]), facts: [stated] }),
      );
      const { facts, rederived } = await erase(store, { ids: [first.id] });
      assert.deepEqual([facts, rederived], [[], 1]);
      await store.commit(changes(ALICE, { facts: [{ ...stated, evidence: [third.id], validAt: minute(3) }] }));
      const told = { ...stated, text: 'Ada leads to Engine', evidence: ids([second, third]), validAt: minute(2), saidBy: 'user', properties: {} };
      assert.deepEqual(await store.getFacts(ALICE, [stated.id]), [told]);
      assert.deepEqual(await store.findFacts({ userId: ALICE, entityId: stated.subjectId ?? '' }, PAGE), [told]);
    });

    check('gives back the merges that an erased turn told of, and leaves no name that is gone in the update log', async (store) => {
      const [told, named] = [episode(ALICE, 'told'), episode(ALICE, 'named', { content: 'Robert is here.' })];
      const robert = entity(ALICE, 'Bob', { aliases: ['Robert'] });
      const merge = (name: string, episodeId: string): Update => ({
        id: deriveId('merge', name),
        userId: ALICE,
        action: 'merge',
        kind: 'entity',
        recordId: robert.id,
        relatedId: name,
        actor: 'caller',
        reason: 'alias',
        episodeId,
        before: 'Robert',
        after: name,
        at: minute(1),
      });
      const [gone, kept, unnamed] = [merge('Rob', told.id), merge('Bobby', named.id), { ...merge('Robbie', named.id), before: 'Bob' }];
      const mentions = [told, named].map(({ id: episodeId }) => ({ episodeId, entityId: robert.id }));
      await store.commit(changes(ALICE, { episodes: [told, named], entities: [robert], mentions, updates: [gone, kept, unnamed] }));
      const { merges } = await erase(store, { ids: [told.id] });
      const plain = ({ sequence: _, ...entry }: LoggedUpdate) => entry;
      assert.deepEqual(
        merges.map((entry) => plain({ sequence: 0, ...entry })),
        [gone],
      );
      assert.deepEqual((await store.getEntities(ALICE, [robert.id]))[0]?.name, 'Robert');
      assert.deepEqual((await store.readUpdates({ userId: ALICE }, PAGE)).map(plain), [kept]);
      assert.deepEqual((await erase(store, { ids: [told.id] })).merges, []);
    });

    check('undoes the ends that an erased turn told of, and leaves nothing of it in the update log', async (store) => {
      const [first, moved, left] = [episode(ALICE, 'first'), episode(ALICE, 'moved'), episode(ALICE, 'left')];
      const home = edge(ALICE, 'Ada', 'Lindby', { evidence: [first.id] });
      const work = edge(ALICE, 'Ada', 'Engine', { evidence: [first.id] });
      const end = { invalidAt: minute(5), expiredAt: minute(6), reason: 'moved' };
      const ended = (fact: typeof home, by: typeof first) => ({
        id: `${fact.id} ${by.id}`,
        userId: ALICE,
        action: 'invalidate' as const,
        kind: 'fact' as const,
        recordId: fact.id,
        actor: 'model' as const,
        reason: 'moved',
        episodeId: by.id,
        before: 'a secret',
        at: minute(6),
      });
      await store.commit(
        changes(ALICE, {
          episodes: [first, moved, left],
          entities: endsOf(ALICE, [home, work]),
          facts: [home, work],
          closures: [home, work].map(({ id: factId }) => ({ factId, ...end })),
          updates: [ended(home, moved), ended(work, moved), ended(work, left)],
        }),
      );
      await store.commit(
        changes(ALICE, { revisions: [{ episodeId: first.id, outdated: { since: minute(5), by: moved.id, inPart: false, about: 'home' } }] }),
      );
      assert.equal((await erase(store, { ids: [moved.id] })).rederived, 1);
      assert.deepEqual(await store.getFacts(ALICE, [home.id, work.id]), [home, { ...work, invalidAt: minute(5), expiredAt: minute(6) }]);
      assert.deepEqual(await store.getEpisodes(ALICE, [first.id]), [{ ...first, position: 0 }]);
      assert.deepEqual(ids(await store.readUpdates({ userId: ALICE }, PAGE)), [ended(work, left).id]);
      const near = await store.expand({ userId: ALICE, seedIds: [home.subjectId ?? ''], hops: 1, fanOut: 9, limit: 9 });
      assert.deepEqual(ids(near.facts), [home.id]);
      await erase(store, {});
      assert.deepEqual(await store.readUpdates({ userId: ALICE }, PAGE), []);
    });

    check('takes the spellings that only erased text used', async (store) => {
      const first = episode(ALICE, 'first', { content: 'Roberta Quill came.' });
      const second = episode(ALICE, 'second', { content: 'Bobbie came.' });
      const named = entity(ALICE, 'Roberta Quill', { aliases: ['Bobbie'] });
      const mentions = [first, second].map((said) => ({ episodeId: said.id, entityId: named.id }));
      await store.commit(changes(ALICE, { episodes: [first, second], entities: [named], mentions }));
      await erase(store, { ids: [first.id] });
      assert.deepEqual(await store.getEntities(ALICE, [named.id]), [{ ...named, name: 'Bobbie', key: 'bobbie', aliases: [] }]);
      assert.deepEqual(await store.findEntities({ userId: ALICE, keys: ['roberta quill'] }, PAGE), []);
      assert.deepEqual(ids(await store.findEntities({ userId: ALICE, keys: ['bobbie'] }, PAGE)), [named.id]);
    });

    check('goes by session, source, agent and time, all of them together', async (store) => {
      const said = [
        episode(ALICE, 'a', { sessionId: 's1', sourceId: 'x.md', agentId: 'bot', at: minute(1) }),
        episode(ALICE, 'b', { sessionId: 's1', sourceId: 'y.md', at: minute(2) }),
        episode(ALICE, 'c', { sessionId: 's2', sourceId: 'x.md', at: minute(3) }),
        episode(ALICE, 'd', { at: minute(4) }),
      ];
      const left = async () =>
        ids(await store.findEpisodes({ userId: ALICE }, PAGE))
          .map((id) => 'abcd'[said.findIndex((each) => each.id === id)])
          .sort()
          .join('');
      await store.commit(changes(ALICE, { episodes: said }));
      await erase(store, { sessionId: 'nowhere' });
      await erase(store, { sessionId: 's2', agentId: 'bot' });
      assert.equal(await left(), 'abcd');
      await erase(store, { sessionId: 's1', sourceId: 'x.md' });
      assert.equal(await left(), 'bcd');
      await erase(store, { before: minute(3) });
      assert.equal(await left(), 'cd');
      await erase(store, { sourceId: 'x.md' });
      assert.equal(await left(), 'd');
      assert.deepEqual(await store.findEpisodes({ userId: ALICE, sessionId: 's1' }, PAGE), []);
    });

    check('an entity goes with what mentions it and what is about it', async (store) => {
      const { m1, m2, cellos, elm } = await workshop(store);
      const result = await erase(store, { entityIds: [cellos.id] });
      assert.deepEqual([result.episodes, result.entities], [[m1.id], [cellos.id]]);
      assert.deepEqual(ids(await store.findEpisodes({ userId: ALICE }, PAGE)), [m2.id]);
      assert.equal((await store.findFacts({ userId: ALICE, entityId: elm.id }, PAGE)).length, 1);
    });

    check('a fact goes alone when it is named, and its entities only where nothing else supports them', async (store) => {
      const { m1, cellos } = await workshop(store);
      const [restores] = await store.findFacts({ userId: ALICE, entityId: cellos.id }, PAGE);
      const result = await erase(store, { ids: [restores?.id ?? ''] });
      assert.deepEqual([result.episodes, result.facts, result.entities], [[], [restores?.id], []]);
      assert.deepEqual(ids(await store.getEpisodes(ALICE, [m1.id])), [m1.id]);
    });

    check("never touches another user's records, whatever is asked for", async (store) => {
      const { m1, priya } = await workshop(store);
      const whole = async () => [
        await store.findEpisodes({ userId: ALICE }, PAGE),
        await store.findEntities({ userId: ALICE }, PAGE),
        await store.findFacts({ userId: ALICE }, PAGE),
      ];
      const before = await whole();
      for (const erasure of [{ ids: [m1.id] }, { entityIds: [priya.id] }, { sessionId: 'elm' }, {}]) {
        const result = await store.erase({ userId: BOB, ...erasure }, OPTIONS);
        assert.deepEqual([result.episodes, result.facts, result.entities, result.outbox], [[], [], [], []]);
      }
      assert.deepEqual(await whole(), before);
    });

    check('once more it finds nothing and is no error', async (store) => {
      await workshop(store);
      assert.equal((await erase(store, {})).episodes.length, 2);
      const again = await erase(store, {});
      assert.deepEqual([again.episodes, again.facts, again.entities, again.mentions, again.labels], [[], [], [], 0, 0]);
    });

    check('drops waiting index steps, and asks the indexes to delete, and to index anew what stood behind', async (store) => {
      const turns = [0, 1, 2, 3].map((n) => episode(ALICE, `turn ${n}`, { threadId: 'thread' }));
      const upserts = turns.map((turn) => ({ operation: 'upsert' as const, kind: 'episode' as const, recordId: turn.id }));
      await store.commit(changes(ALICE, { episodes: turns, outbox: upserts.slice(0, 1) }));
      const { outbox, outboxEntries } = await erase(store, { ids: [turns[0]?.id ?? ''] });
      assert.equal(outboxEntries, 1);
      assert.deepEqual(
        outbox.map(({ operation, recordId }) => `${operation} ${turns.findIndex((turn) => turn.id === recordId)}`),
        ['delete 0', 'upsert 1', 'upsert 2'],
      );
      assert.deepEqual(await store.readOutbox(9), outbox);
    });
  });

  runner.describe('erasures', () => {
    check('refuse the commit of work that began before, and no other', async (store) => {
      const { epoch } = await store.erasures(ALICE);
      const said = episode(ALICE, 'said');
      await store.erase({ userId: BOB }, OPTIONS);
      await store.commit(changes(ALICE, { episodes: [said], epoch }));
      await erase(store, {});
      await rejects('FORGOTTEN', () => store.commit(changes(ALICE, { episodes: [said], epoch })));
      assert.equal((await store.counts(ALICE)).episodes, 0);
      const log = await store.erasures(ALICE, epoch);
      assert.deepEqual(log.traces, [{ everything: true }]);
      await store.commit(changes(ALICE, { episodes: [said], epoch: log.epoch }));
      assert.equal((await store.counts(ALICE)).episodes, 1);
    });

    check('leave hashes only, and nothing where no trace was asked for', async (store) => {
      const { epoch } = await store.erasures(ALICE);
      await store.erase({ userId: ALICE, ids: ['x'] }, { following: 0, leaveTrace: false });
      assert.deepEqual(await store.erasures(ALICE, epoch), { epoch, traces: [] });
      await erase(store, { sessionId: 'in-the-open', before: minute(9) });
      const { traces } = await store.erasures(ALICE, epoch);
      assert.equal(traces.length, 1);
      assert.ok(!JSON.stringify(traces).includes('in-the-open'));
    });
  });
}

/** Two turns that share two entities and one fact; `cellos` is in the first alone. */
async function workshop(store: GraphStore) {
  const m1 = episode(ALICE, 'm1', { content: 'Priya restores cellos at Elm', threadId: 'elm', sessionId: 'elm' });
  const m2 = episode(ALICE, 'm2', { content: 'Priya teaches at Elm', threadId: 'elm', sessionId: 'elm' });
  const restores = edge(ALICE, 'Priya', 'cellos', { evidence: [m1.id] });
  const shared = edge(ALICE, 'Priya', 'Elm', { evidence: [m1.id, m2.id] });
  const [priya, cellos, elm] = [entity(ALICE, 'Priya'), entity(ALICE, 'cellos'), entity(ALICE, 'Elm')];
  const mentions = [
    { episodeId: m1.id, entityId: priya.id },
    { episodeId: m1.id, entityId: cellos.id },
    { episodeId: m1.id, entityId: elm.id },
    { episodeId: m2.id, entityId: priya.id },
    { episodeId: m2.id, entityId: elm.id },
  ];
  await store.commit(changes(ALICE, { episodes: [m1, m2], entities: [priya, cellos, elm], facts: [restores, shared], mentions }));
  return { m1, m2, priya, cellos, elm };
}
