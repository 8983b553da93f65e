import assert from 'node:assert/strict';
import type { Outdated } from '../domain/episode.ts';
import { deriveId } from '../domain/id.ts';
import type { Update } from '../domain/update-log.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import {
  ALICE,
  allPages,
  BOB,
  changes,
  commitEdges,
  edge,
  endsOf,
  entity,
  episode,
  ids,
  minute,
  rejects,
  storeCases,
} from './graph-store-fixtures.ts';
import type { DriverFactory, TestRunner } from './runner.ts';

function update(userId: string, name: string, fields: Partial<Update> = {}): Update {
  return {
    id: deriveId('update', userId, name),
    userId,
    action: 'revise',
    kind: 'episode',
    recordId: name,
    actor: 'caller',
    reason: 'asked for',
    at: minute(1),
    ...fields,
  };
}

export function graphStoreHistoryConformance(runner: TestRunner, factory: DriverFactory<GraphStore>): void {
  const check = storeCases(runner, factory);

  runner.describe('update log', () => {
    check('gives back every field, in the order of the commits, each update once', async (store) => {
      const full = update(ALICE, 'a', {
        action: 'merge',
        kind: 'entity',
        relatedId: 'b',
        actor: 'rules',
        episodeId: 'e',
        before: '서울\n<|endoftext|>',
        after: '',
        reason: "it's",
      });
      const bare = update(ALICE, 'c', { at: minute(0) });
      await store.commit(changes(ALICE, { updates: [full] }));
      await store.commit(changes(ALICE, { updates: [bare, { ...full, reason: 'again' }] }));
      await store.commit(changes(BOB, { updates: [update(BOB, 'a')] }));
      const read = await store.readUpdates({ userId: ALICE }, { limit: 10 });
      assert.deepEqual(
        read.map(({ sequence: _, ...entry }) => entry),
        [full, bare],
      );
      assert.ok((read[0]?.sequence ?? 0) < (read[1]?.sequence ?? 0));
      const after = String(read[0]?.sequence);
      assert.deepEqual(ids(await store.readUpdates({ userId: ALICE }, { limit: 10, after })), [bare.id]);
      assert.deepEqual(ids(await store.readUpdates({ userId: ALICE }, { limit: 1 })), [full.id]);
      assert.deepEqual(await store.readUpdates({ userId: 'nobody' }, { limit: 10 }), []);
    });

    check('finds updates by either record and by action', async (store) => {
      const updates = [update(ALICE, 'a'), update(ALICE, 'b', { relatedId: 'a', action: 'merge' }), update(ALICE, 'c')];
      await store.commit(changes(ALICE, { updates }));
      const found = async (filter: object) => (await store.readUpdates({ userId: ALICE, ...filter }, { limit: 10 })).map((entry) => entry.recordId);
      assert.deepEqual(await found({ recordIds: ['a'] }), ['a', 'b']);
      assert.deepEqual(await found({ recordIds: ['c', 'b'] }), ['b', 'c']);
      assert.deepEqual(await found({ recordIds: [] }), []);
      assert.deepEqual(await found({ actions: ['merge'] }), ['b']);
      assert.deepEqual(await found({ recordIds: ['a'], actions: ['revise'] }), ['a']);
    });
  });

  runner.describe('revisions', () => {
    check("change an episode's text and metadata, take its mentions, and leave all else", async (store) => {
      const said = episode(ALICE, 'said', { threadId: 't', metadata: { room: 'shed', rank: 2 } });
      const [old, fresh] = [entity(ALICE, 'red'), entity(ALICE, 'green')];
      await store.commit(changes(ALICE, { episodes: [said], entities: [old], mentions: [{ episodeId: said.id, entityId: old.id }] }));
      const revision = { episodeId: said.id, content: '초록 <|endoftext|>', updatedAt: minute(9) };
      await store.commit(
        changes(ALICE, { revisions: [revision], entities: [fresh], mentions: [{ episodeId: said.id, entityId: fresh.id, spelling: 'Greens' }] }),
      );
      const revised = { ...said, position: 0, content: revision.content, updatedAt: minute(9) };
      assert.deepEqual(await store.getEpisodes(ALICE, [said.id]), [revised]);
      assert.deepEqual(await store.mentions(ALICE, [said.id]), [{ episodeId: said.id, entityId: fresh.id, spelling: 'Greens' }]);
      const near = await store.expand({ userId: ALICE, seedIds: [old.id, fresh.id], hops: 0, fanOut: 9, limit: 9 });
      assert.deepEqual([near.degree.get(old.id), near.degree.get(fresh.id)], [0, 1]);
      await store.commit(changes(ALICE, { revisions: [{ episodeId: said.id, metadata: { rank: 3 }, updatedAt: minute(10) }] }));
      assert.deepEqual(await store.getEpisodes(ALICE, [said.id]), [{ ...revised, metadata: { rank: 3 }, updatedAt: minute(10) }]);
      assert.equal((await store.mentions(ALICE, [said.id])).length, 1);
    });

    check('mark an episode as outdated; a new text is not', async (store) => {
      const said = episode(ALICE, 'said');
      const outdated: Outdated = { since: minute(5), by: 'other', inPart: true, about: 'live in "Lindby"' };
      await store.commit(changes(ALICE, { episodes: [said] }));
      await store.commit(changes(ALICE, { revisions: [{ episodeId: said.id, outdated }] }));
      assert.deepEqual(await store.getEpisodes(ALICE, [said.id]), [{ ...said, position: 0, outdated }]);
      await store.commit(changes(ALICE, { revisions: [{ episodeId: said.id, content: 'new', updatedAt: minute(6) }] }));
      assert.deepEqual(await store.getEpisodes(ALICE, [said.id]), [{ ...said, position: 0, content: 'new', updatedAt: minute(6) }]);
    });

    check('take the mark of an outdated episode away', async (store) => {
      const said = episode(ALICE, 'said');
      await store.commit(changes(ALICE, { episodes: [said], revisions: [] }));
      await store.commit(changes(ALICE, { revisions: [{ episodeId: said.id, outdated: { since: minute(5), inPart: false, about: '' } }] }));
      await store.commit(changes(ALICE, { revisions: [{ episodeId: said.id, outdated: null }] }));
      assert.deepEqual(await store.getEpisodes(ALICE, [said.id]), [{ ...said, position: 0 }]);
    });

    check("change a fact's text and properties", async (store) => {
      const stated = edge(ALICE, 'A', 'B', { slot: 'place' });
      await commitEdges(store, ALICE, [stated]);
      await store.commit(changes(ALICE, { factRevisions: [{ factId: stated.id, text: '새', properties: { a: 1 } }] }));
      assert.deepEqual(await store.getFacts(ALICE, [stated.id]), [{ ...stated, text: '새', properties: { a: 1 } }]);
    });

    check('of unknown or foreign records are refused', async (store) => {
      const [said, stated] = [episode(BOB, 'said'), edge(BOB, 'A', 'B')];
      await store.commit(changes(BOB, { episodes: [said], entities: endsOf(BOB, [stated]), facts: [stated] }));
      await rejects('CORRUPT_RECORD', () => store.commit(changes(ALICE, { revisions: [{ episodeId: said.id, content: 'x' }] })));
      await rejects('CORRUPT_RECORD', () => store.commit(changes(ALICE, { factRevisions: [{ factId: stated.id, text: 'x' }] })));
      await rejects('CORRUPT_RECORD', () =>
        store.commit(changes(ALICE, { splits: [{ entityId: stated.subjectId ?? '', spellings: ['A'], episodeIds: [] }] })),
      );
    });
  });

  runner.describe('ends, slots, splits', () => {
    check('an earlier end takes the place of a later one; when the record learned of the first stays', async (store) => {
      const stated = edge(ALICE, 'A', 'B');
      await commitEdges(store, ALICE, [stated]);
      await store.commit(changes(ALICE, { closures: [{ factId: stated.id, invalidAt: minute(9), expiredAt: minute(10), reason: 'one' }] }));
      await store.commit(changes(ALICE, { closures: [{ factId: stated.id, invalidAt: minute(5), expiredAt: minute(20), reason: 'two' }] }));
      assert.deepEqual(await store.getFacts(ALICE, [stated.id]), [{ ...stated, invalidAt: minute(5), expiredAt: minute(10) }]);
    });

    check('a reopened fact holds as if it had not ended, also for the walk, and ends anew in the same commit', async (store) => {
      const [first, second] = [edge(ALICE, 'A', 'B', { slot: 'place' }), edge(ALICE, 'A', 'C', { slot: 'place' })];
      await commitEdges(store, ALICE, [first, second]);
      const end = (factId: string, at: number) => ({ factId, invalidAt: minute(at), expiredAt: minute(at), reason: 'one' });
      await store.commit(changes(ALICE, { closures: [end(first.id, 5), end(second.id, 5)] }));
      const reopenings = [first, second].map(({ id }) => ({ factId: id }));
      const undo = changes(ALICE, { reopenings, closures: [end(second.id, 9)] });
      await store.commit(undo);
      const wanted = [first, { ...second, invalidAt: minute(9), expiredAt: minute(9) }];
      assert.deepEqual(await store.getFacts(ALICE, [first.id, second.id]), wanted);
      const current = await store.findFacts({ userId: ALICE, subjectId: first.subjectId ?? '', slot: 'place', currentOnly: true }, { limit: 9 });
      assert.deepEqual(ids(current), [first.id]);
      const near = await store.expand({ userId: ALICE, seedIds: [first.subjectId ?? ''], hops: 1, fanOut: 9, limit: 9, validAt: minute(10) });
      assert.deepEqual(ids(near.facts), [first.id]);
      await store.commit(undo);
      assert.deepEqual(await store.getFacts(ALICE, [first.id, second.id]), wanted);
      await rejects('CORRUPT_RECORD', () => store.commit(changes(BOB, { reopenings })));
    });

    check('a fact that is told of an earlier time holds since then, and never later', async (store) => {
      const stated = edge(ALICE, 'A', 'B', { validAt: minute(5) });
      const timeless = edge(ALICE, 'A', 'C');
      await commitEdges(store, ALICE, [stated, timeless]);
      await store.commit(
        changes(ALICE, {
          facts: [
            { ...stated, validAt: minute(3) },
            { ...timeless, validAt: minute(3) },
          ],
        }),
      );
      await store.commit(changes(ALICE, { facts: [{ ...stated, validAt: minute(9) }] }));
      assert.deepEqual(await store.getFacts(ALICE, [stated.id, timeless.id]), [{ ...stated, validAt: minute(3) }, timeless]);
      const near = await store.expand({ userId: ALICE, seedIds: [stated.subjectId ?? ''], hops: 1, fanOut: 9, limit: 9, validAt: minute(4) });
      assert.deepEqual(ids(near.facts).sort(), [stated.id, timeless.id].sort());
    });

    check('facts are found by subject and slot, and by their two ends', async (store) => {
      const facts = [
        edge(ALICE, 'A', 'B', { slot: 'place' }),
        edge(ALICE, 'A', 'C', { slot: 'place', expiredAt: minute(3) }),
        edge(ALICE, 'A', 'D', { slot: 'job' }),
        edge(ALICE, 'D', 'A', { slot: 'place' }),
        edge(ALICE, 'A', 'E'),
      ];
      await commitEdges(store, ALICE, facts);
      await commitEdges(store, BOB, [edge(BOB, 'A', 'B', { slot: 'place' })]);
      const a = entity(ALICE, 'A').id;
      const texts = async (filter: object) => (await store.findFacts({ userId: ALICE, ...filter }, { limit: 10 })).map((fact) => fact.text).sort();
      assert.deepEqual(await texts({ subjectId: a, slot: 'place' }), ['A -> B', 'A -> C']);
      assert.deepEqual(await texts({ subjectId: a, slot: 'place', currentOnly: true }), ['A -> B']);
      assert.deepEqual(await texts({ subjectId: a, slot: 'nothing' }), []);
      assert.deepEqual(await texts({ subjectId: a, objectId: entity(ALICE, 'E').id }), ['A -> E']);
      assert.deepEqual(await texts({ objectId: a }), ['D -> A']);
      assert.deepEqual(await texts({ subjectId: a }), ['A -> B', 'A -> C', 'A -> D', 'A -> E']);
      assert.deepEqual(await texts({ subjectId: 'nobody', slot: 'place' }), []);
      assert.deepEqual(await store.findFacts({ userId: BOB, subjectId: a, slot: 'place' }, { limit: 10 }), []);
      const paged = await allPages(1, (page) => store.findFacts({ userId: ALICE, subjectId: a, slot: 'place' }, page));
      assert.equal(paged.length, 2);
    });

    check('entities are found by the beginnings of their names and aliases', async (store) => {
      const entities = [
        entity(ALICE, 'Ann Lee'),
        entity(ALICE, 'Anna', { aliases: ['Zed'] }),
        entity(ALICE, 'Bob'),
        entity(ALICE, '서울시청'),
        entity(BOB, 'Ann Kim'),
      ];
      await store.commit(changes(ALICE, { entities: entities.slice(0, 4) }));
      await store.commit(changes(BOB, { entities: entities.slice(4) }));
      const names = async (...prefixes: string[]) =>
        (await store.findEntities({ userId: ALICE, prefixes }, { limit: 9 })).map((found) => found.name).sort();
      assert.deepEqual(await names('ann'), ['Ann Lee', 'Anna']);
      assert.deepEqual(await names('ann ', 'bo'), ['Ann Lee', 'Bob']);
      assert.deepEqual(await names('ze'), ['Anna']);
      assert.deepEqual(await names('서울'), ['서울시청']);
      assert.deepEqual(await names('%', '_'), []);
      assert.deepEqual(await names(), []);
    });

    check('a transfer puts one entity in the place of another, in all there is of it or in some facts', async (store) => {
      const said = [episode(ALICE, 'one'), episode(ALICE, 'two')];
      const [kept, gone] = [entity(ALICE, 'Tokyo'), entity(ALICE, '東京', { aliases: ['Tōkyō-to'] })];
      const home = edge(ALICE, 'Mika', '東京', { evidence: ids(said.slice(0, 1)) });
      const park = edge(ALICE, '東京', 'Ueno', { slot: 'park', expiredAt: minute(3), invalidAt: minute(2) });
      const both = edge(ALICE, 'Tokyo', '東京');
      const mentions = [
        { episodeId: said[0]?.id ?? '', entityId: gone.id },
        { episodeId: said[1]?.id ?? '', entityId: gone.id, spelling: 'Tōkyō-to' },
        { episodeId: said[1]?.id ?? '', entityId: kept.id },
      ];
      const entities = [...endsOf(ALICE, [home, park]).filter(({ id }) => id !== gone.id), gone, kept];
      await store.commit(changes(ALICE, { episodes: said, entities, facts: [home, park, both], mentions }));
      const whole = changes(ALICE, {
        entities: [{ ...kept, aliases: ['東京', 'Tōkyō-to'] }],
        transfers: [{ fromId: gone.id, toId: kept.id }],
      });
      for (let times = 0; times < 2; times++) {
        await store.commit(whole);
        assert.deepEqual(await store.getEntities(ALICE, [gone.id, kept.id]), [{ ...kept, aliases: ['東京', 'Tōkyō-to'] }]);
        assert.deepEqual(ids(await store.findEntities({ userId: ALICE, keys: [gone.key] }, { limit: 5 })), [kept.id]);
        const moved = [
          { ...home, objectId: kept.id, entityIds: [home.subjectId ?? '', kept.id] },
          { ...park, subjectId: kept.id, entityIds: [kept.id, park.objectId ?? ''] },
          { ...both, objectId: kept.id, entityIds: [kept.id] },
        ];
        assert.deepEqual(await store.getFacts(ALICE, ids([home, park, both])), moved);
        assert.deepEqual(ids(await store.findFacts({ userId: ALICE, subjectId: kept.id, slot: 'park' }, { limit: 5 })), [park.id]);
        assert.deepEqual(await store.mentions(ALICE, ids(said)), [
          { episodeId: said[0]?.id, entityId: kept.id, spelling: '東京' },
          { episodeId: said[1]?.id, entityId: kept.id },
        ]);
        const near = await store.expand({ userId: ALICE, seedIds: [kept.id], hops: 1, fanOut: 9, limit: 9 });
        assert.deepEqual([ids(near.facts).sort(), near.degree.get(kept.id)], [ids([home, both]).sort(), 5]);
      }
      await rejects('CORRUPT_RECORD', () => store.commit(changes(BOB, { transfers: [{ fromId: gone.id, toId: kept.id }] })));
    });

    check('a placement says anew what a fact is about, end by end, and what it rests on', async (store) => {
      const said = [episode(ALICE, 'one', { at: minute(1) }), episode(ALICE, 'two', { at: minute(2) })];
      const [first, second] = ids(said);
      const home = edge(ALICE, 'Bob', 'Lindby', {
        slot: 'home',
        evidence: ids(said),
        validAt: minute(1),
        invalidAt: minute(4),
        expiredAt: minute(5),
      });
      const other = entity(ALICE, 'Robert');
      await store.commit(changes(ALICE, { episodes: said, entities: [...endsOf(ALICE, [home]), other], facts: [home] }));
      const { subjectId = '', objectId = '' } = home;
      const degrees = async () => {
        const query = { userId: ALICE, seedIds: [subjectId, objectId, other.id], hops: 1, fanOut: 9, limit: 9, validAt: minute(3) } as const;
        const { degree, facts } = await store.expand(query);
        return [subjectId, objectId, other.id].map((id) => degree.get(id) ?? 0).concat(facts.length);
      };
      const placed = { subjectId: other.id, objectId, entityIds: [other.id, objectId], evidence: [second ?? ''], validAt: minute(2) };
      for (let times = 0; times < 2; times++) {
        await store.commit(changes(ALICE, { placements: [{ factId: home.id, ...placed }] }));
        assert.deepEqual(await store.getFacts(ALICE, [home.id]), [{ ...home, ...placed }]);
        assert.deepEqual(ids(await store.findFacts({ userId: ALICE, subjectId: other.id, slot: 'home' }, { limit: 5 })), [home.id]);
        assert.deepEqual(await store.findFacts({ userId: ALICE, entityId: subjectId }, { limit: 5 }), []);
        assert.deepEqual(await store.findFacts({ userId: ALICE, episodeId: first ?? '' }, { limit: 5 }), []);
        assert.deepEqual(await degrees(), [0, 1, 1, 1]);
      }
      // What it says of both is one of them twice.
      const loop = { subjectId: other.id, objectId: other.id, entityIds: [other.id], evidence: ids(said), validAt: minute(1) };
      await store.commit(changes(ALICE, { placements: [{ factId: home.id, ...loop }] }));
      assert.deepEqual(await store.getFacts(ALICE, [home.id]), [{ ...home, ...loop }]);
      assert.deepEqual(await degrees(), [0, 0, 1, 1]);
      await store.commit(changes(ALICE, { facts: [{ ...home, ...placed, evidence: [first ?? ''] }] }));
      assert.deepEqual((await store.getFacts(ALICE, [home.id]))[0]?.evidence, ids(said));
      await rejects('CORRUPT_RECORD', () => store.commit(changes(ALICE, { placements: [{ factId: 'nowhere', ...placed }] })));
      await rejects('CORRUPT_RECORD', () => store.commit(changes(ALICE, { placements: [{ factId: home.id, ...placed, objectId: 'nowhere' }] })));
      await rejects('CORRUPT_RECORD', () => store.commit(changes(ALICE, { placements: [{ factId: home.id, ...placed, evidence: ['nowhere'] }] })));
    });

    check('a split takes spellings and mentions from an entity', async (store) => {
      const said = [episode(ALICE, 'one'), episode(ALICE, 'two')];
      const known = entity(ALICE, 'Ann Lee', { aliases: ['Anne Lea', 'ANN LEE'] });
      const mentions = said.map((each) => ({ episodeId: each.id, entityId: known.id }));
      await store.commit(changes(ALICE, { episodes: said, entities: [known], mentions }));
      const other = entity(ALICE, 'Anne Lea');
      const split = { entityId: known.id, spellings: ['Anne Lea'], episodeIds: [said[0]?.id ?? ''] };
      await store.commit(changes(ALICE, { splits: [split], entities: [other], mentions: [{ episodeId: said[0]?.id ?? '', entityId: other.id }] }));
      assert.deepEqual(await store.getEntities(ALICE, [known.id]), [{ ...known, aliases: ['ANN LEE'] }]);
      assert.deepEqual(ids(await store.findEntities({ userId: ALICE, keys: [other.key] }, { limit: 5 })), [other.id]);
      assert.deepEqual(ids(await store.findEntities({ userId: ALICE, keys: [known.key] }, { limit: 5 })), [known.id]);
      assert.deepEqual(await store.mentions(ALICE, ids(said)), [
        { episodeId: said[0]?.id, entityId: other.id },
        { episodeId: said[1]?.id, entityId: known.id },
      ]);
    });
  });
}
