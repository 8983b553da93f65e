import assert from 'node:assert/strict';
import type { Entity } from '../domain/entity.ts';
import type { Fact } from '../domain/fact.ts';
import type { Subgraph } from '../domain/subgraph.ts';
import type { ExpandQuery, GraphStore } from '../ports/graph-store.ts';
import { ALICE, BOB, changes, commitEdges, edge, entity, episode, ids, minute, rejects, storeCases } from './graph-store-fixtures.ts';
import type { DriverFactory, TestRunner } from './runner.ts';

const HUB_SIZE = 3000;

export function graphStoreExpansionConformance(runner: TestRunner, factory: DriverFactory<GraphStore>): void {
  const check = storeCases(runner, factory);
  const edges = (pairs: readonly (readonly [string, string, Partial<Fact>?])[]) => pairs.map(([from, to, fields]) => edge(ALICE, from, to, fields));

  runner.describe('expand', () => {
    check('goes both ways along facts, hop by hop', async (store) => {
      await commitEdges(
        store,
        ALICE,
        edges([
          ['A', 'B'],
          ['C', 'B'],
          ['C', 'D'],
          ['D', 'E'],
        ]),
      );
      const rings = async (hops: 0 | 1 | 2) => byName(await expand(store, ['A'], { hops }));
      assert.deepEqual(await rings(0), { distance: { A: 0 }, facts: [] });
      assert.deepEqual(await rings(1), { distance: { A: 0, B: 1 }, facts: ['A -> B'] });
      assert.deepEqual(await rings(2), { distance: { A: 0, B: 1, C: 2 }, facts: ['A -> B', 'C -> B'] });
    });

    check('takes the distance from the nearest seed, and repeated and unknown seeds once or not at all', async (store) => {
      await commitEdges(
        store,
        ALICE,
        edges([
          ['A', 'B'],
          ['B', 'C'],
          ['C', 'D'],
        ]),
      );
      const found = await expand(store, ['A', 'D', 'A', 'Nobody'], { hops: 2 });
      assert.deepEqual(byName(found).distance, { A: 0, D: 0, B: 1, C: 1 });
      assert.equal(found.facts.length, 3);
      assert.deepEqual(byName(await expand(store, [], {})), { distance: {}, facts: [] });
    });

    check('meets a cycle and a fact about itself once', async (store) => {
      await commitEdges(
        store,
        ALICE,
        edges([
          ['A', 'B'],
          ['B', 'A'],
          ['B', 'C'],
          ['C', 'A'],
          ['A', 'A'],
        ]),
      );
      const found = byName(await expand(store, ['A'], { hops: 2 }));
      assert.deepEqual(found.distance, { A: 0, B: 1, C: 1 });
      assert.deepEqual([...found.facts].sort(), ['A -> A', 'A -> B', 'B -> A', 'B -> C', 'C -> A']);
    });

    check('follows a fact about several entities to all of them', async (store) => {
      const names = ['A', 'B', 'C'];
      const { subjectId: _, predicate: __, objectId: ___, ...meeting } = edge(ALICE, 'A', 'B', { text: 'A, B and C met' });
      const entities = names.map((name) => entity(ALICE, name));
      await store.commit(changes(ALICE, { entities, facts: [{ ...meeting, entityIds: ids(entities) }] }));
      assert.deepEqual(byName(await expand(store, ['B'], { hops: 1 })).distance, { B: 0, A: 1, C: 1 });
    });

    check('follows the strongest facts first: confidence, then newest, then id', async (store) => {
      const facts = edges([
        ['A', 'weak', { confidence: 0.1, createdAt: minute(9) }],
        ['A', 'old', { createdAt: minute(1) }],
        ['A', 'new', { createdAt: minute(2) }],
        ['A', 'sure', { confidence: 1 }],
        ...['x', 'y', 'z'].map((name) => ['A', name, { createdAt: minute(1), confidence: 0.3 }] as const),
      ]);
      await commitEdges(store, ALICE, facts);
      const tied = facts
        .slice(4)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map((fact) => fact.text);
      const order = ['A -> sure', 'A -> new', 'A -> old', ...tied, 'A -> weak'];
      for (const fanOut of [0, 1, 2, 3, 4, 5, 7, 8]) {
        const found = await expand(store, ['A'], { hops: 1, fanOut });
        assert.deepEqual(
          found.facts.map((fact) => fact.text),
          order.slice(0, fanOut),
        );
        assert.equal(found.truncated, fanOut < order.length);
      }
    });

    check('keeps to the limit, the nearer ring before the farther one, whatever its strength', async (store) => {
      await commitEdges(
        store,
        ALICE,
        edges([
          ['A', 'B', { confidence: 0.1 }],
          ['A', 'C', { confidence: 0.2 }],
          ['B', 'D', { confidence: 1 }],
          ['C', 'E', { confidence: 0.9 }],
        ]),
      );
      const taken = async (limit: number) => {
        const found = await expand(store, ['A'], { hops: 2, limit });
        return [found.facts.map((fact) => fact.text), found.truncated];
      };
      const order = ['A -> C', 'A -> B', 'B -> D', 'C -> E'];
      for (const limit of [0, 1, 2, 3]) assert.deepEqual(await taken(limit), [order.slice(0, limit), true]);
      for (const limit of [4, 5]) assert.deepEqual(await taken(limit), [order, false]);
    });

    check('lists the entities of every fact it returns, and no other ones', async (store) => {
      const names = Array.from({ length: 12 }, (_, n) => `E${n}`);
      await commitEdges(
        store,
        ALICE,
        names.flatMap((from, n) => [1, 5].map((step) => edge(ALICE, from, names[(n + step) % names.length] ?? '', { confidence: n / 20 }))),
      );
      for (const limit of [1, 3, 7, 50]) {
        const found = await expand(store, ['E0'], { hops: 2, fanOut: 3, limit });
        const reached = new Set(['E0', ...found.facts.flatMap((fact) => fact.text.split(' -> '))]);
        assert.deepEqual(new Set(found.entities.map((each) => each.name)), reached);
        assert.deepEqual([...found.distance.keys()], ids(found.entities));
      }
    });

    check('passes by a hub: own facts first, a bounded answer, the same each time', async (store) => {
      const own = edges([
        ['Mira', 'parrot'],
        ['parrot', 'Kiko'],
        ['Mira', 'Odd'],
        ['Odd', 'Mira'],
        ['Mira', 'City Hall'],
      ]);
      const clerks = Array.from({ length: HUB_SIZE }, (_, n) => edge(ALICE, 'City Hall', `Clerk ${n}`));
      await commitEdges(store, ALICE, [...own, ...clerks]);
      const found = await expand(store, ['Mira'], { hops: 2, fanOut: 10, limit: 40 });
      const ringOne = own.filter((fact) => fact.text.includes('Mira')).map((fact) => fact.text);
      assert.deepEqual(
        found.facts
          .slice(0, 4)
          .map((fact) => fact.text)
          .sort(),
        ringOne.sort(),
      );
      assert.equal(found.facts.filter((fact) => fact.text.includes('Clerk')).length, 10);
      assert.ok(found.facts.some((fact) => fact.text === 'parrot -> Kiko'));
      assert.equal(found.truncated, true);
      assert.equal(found.degree.get(entity(ALICE, 'City Hall').id), HUB_SIZE + 1);
      for (let run = 0; run < 3; run++) assert.deepEqual(await expand(store, ['Mira'], { hops: 2, fanOut: 10, limit: 40 }), found);
    });

    check('counts facts and mentions as degree, each once', async (store) => {
      const said = [episode(ALICE, 'one'), episode(ALICE, 'two')];
      const stated = edge(ALICE, 'A', 'A', { evidence: ids(said) });
      const met = entity(ALICE, 'A');
      const set = changes(ALICE, {
        episodes: said,
        entities: [met],
        facts: [stated],
        mentions: said.map((each) => ({ episodeId: each.id, entityId: met.id })),
      });
      await store.commit(set);
      await store.commit(set);
      await store.commit(
        changes(ALICE, {
          facts: [{ ...stated, confidence: 1 }],
          closures: [{ factId: stated.id, invalidAt: minute(1), expiredAt: minute(1), reason: '' }],
        }),
      );
      assert.equal((await expand(store, ['A'], { hops: 0 })).degree.get(met.id), 3);
    });

    check('gives the newest episodes of the nearest entities', async (store) => {
      const said = Array.from({ length: 6 }, (_, n) => episode(ALICE, `turn ${n}`, { at: minute([3, 5, 1, 4, 0, 2][n] ?? 0) }));
      const facts = edges([['A', 'B']]);
      const [a, b] = [entity(ALICE, 'A'), entity(ALICE, 'B')];
      const mentions = said.flatMap((each) => [
        { episodeId: each.id, entityId: b.id },
        { episodeId: each.id, entityId: a.id },
      ]);
      await store.commit(changes(ALICE, { episodes: said, entities: [a, b], facts, mentions }));
      const newest = [...said].sort((x, y) => (x.at > y.at ? -1 : 1)).map((each) => each.id);
      const of = (entityId: string, count: number) => newest.slice(0, count).map((episodeId) => ({ episodeId, entityId }));
      const met = async (options: Partial<ExpandQuery>) => {
        const found = await expand(store, ['A'], options);
        return [found.mentions, found.truncated];
      };
      assert.deepEqual(await met({ hops: 0, fanOut: 4 }), [of(a.id, 4), true]);
      assert.deepEqual(await met({ hops: 1, fanOut: 2 }), [[...of(a.id, 2), ...of(b.id, 2)], true]);
      assert.deepEqual(await met({ hops: 1, fanOut: 9, limit: 8 }), [[...of(a.id, 6), ...of(b.id, 2)], true]);
      assert.deepEqual(await met({ hops: 1, fanOut: 6, limit: 12 }), [[...of(a.id, 6), ...of(b.id, 6)], false]);
      assert.deepEqual(await met({ hops: 1, fanOut: 6, limit: 0 }), [[], true]);
    });

    check('leaves out what was told, or kept, after the moment that is asked about', async (store) => {
      const told = (name: string, at: number, createdAt: number) => episode(ALICE, name, { at: minute(at), createdAt: minute(createdAt) });
      // The last was told long ago and kept late, as a letter that is found in an attic.
      const said = [told('first', 1, 1), told('second', 5, 5), told('third', 9, 9), told('letter', 2, 9)];
      const [a, b] = [entity(ALICE, 'A'), entity(ALICE, 'B')];
      const mentions = said.flatMap(({ id }) => [a, b].map((met) => ({ episodeId: id, entityId: met.id })));
      await store.commit(changes(ALICE, { episodes: said, entities: [a, b], mentions }));
      const names = new Map(said.map(({ id, content }) => [id, content]));
      const met = async (options: Partial<ExpandQuery>) => {
        const found = await expand(store, ['A'], { hops: 0, comentions: true, ...options });
        const seen = found.mentions.map(({ episodeId }) => names.get(episodeId)?.split(' ')[1]);
        assert.deepEqual(new Set(found.comentions.map(({ episodeId }) => episodeId)), new Set(found.mentions.map(({ episodeId }) => episodeId)));
        return [seen, found.truncated];
      };
      assert.deepEqual(await met({}), [['third', 'second', 'letter', 'first'], false]);
      assert.deepEqual(await met({ validAt: minute(5) }), [['second', 'letter', 'first'], false]);
      assert.deepEqual(await met({ validAt: minute(4) }), [['letter', 'first'], false]);
      assert.deepEqual(await met({ validAt: minute(4), fanOut: 1 }), [['letter'], true]);
      assert.deepEqual(await met({ recordedAt: minute(5) }), [['second', 'first'], false]);
      assert.deepEqual(await met({ recordedAt: minute(5), fanOut: 1 }), [['second'], true]);
      assert.deepEqual(await met({ validAt: minute(4), recordedAt: minute(8) }), [['first'], false]);
      assert.deepEqual(await met({ validAt: minute(0) }), [[], false]);
    });

    check('gives on request all that the episodes found mention, of one user only', async (store) => {
      const [first, second] = [episode(ALICE, 'first', { at: minute(1) }), episode(ALICE, 'second', { at: minute(2) })];
      const [a, b, c] = [entity(ALICE, 'A'), entity(ALICE, 'B'), entity(ALICE, 'C')];
      const mentions = [
        { episodeId: first.id, entityId: a.id, spelling: 'a!' },
        { episodeId: first.id, entityId: b.id },
        { episodeId: second.id, entityId: a.id },
        { episodeId: second.id, entityId: c.id },
      ];
      await store.commit(changes(ALICE, { episodes: [first, second], entities: [a, b, c], mentions }));
      const bobs = entity(BOB, 'A');
      await store.commit(
        changes(BOB, { episodes: [episode(BOB, 'first')], entities: [bobs], mentions: [{ episodeId: episode(BOB, 'first').id, entityId: bobs.id }] }),
      );
      const of = (said: { readonly id: string }, ...met: Entity[]) =>
        met.map(({ id }) => ({ episodeId: said.id, entityId: id })).sort((x, y) => (x.entityId < y.entityId ? -1 : 1));
      assert.deepEqual((await expand(store, ['A'], { hops: 0, comentions: true })).comentions, [...of(second, a, c), ...of(first, a, b)]);
      assert.deepEqual((await expand(store, ['A'], { hops: 0, fanOut: 1, comentions: true })).comentions, of(second, a, c));
      assert.deepEqual((await expand(store, ['A'], { hops: 0 })).comentions, []);
    });

    check('looks at the world and at the record as of a moment', async (store) => {
      const facts = edges([
        ['A', 'always'],
        ['A', 'past', { validAt: minute(10), invalidAt: minute(20) }],
        ['A', 'future', { validAt: '2998-01-01T00:00:00.000Z', invalidAt: '2999-01-01T00:00:00.000Z' }],
        ['A', 'late', { createdAt: minute(30), confidence: 0.9 }],
        ['A', 'withdrawn', { createdAt: minute(5), confidence: 0.8 }],
      ]);
      const withdrawn = { factId: facts[4]?.id ?? '', invalidAt: minute(25), expiredAt: minute(40), reason: 'said otherwise' };
      await commitEdges(store, ALICE, facts);
      await store.commit(changes(ALICE, { closures: [withdrawn] }));
      const seen = async (options: Partial<ExpandQuery>) =>
        (await expand(store, ['A'], { hops: 1, ...options })).facts.map((fact) => fact.text.slice(5)).sort();
      assert.deepEqual(await seen({}), ['always', 'future', 'late']);
      // What was withdrawn later held then: only its end says otherwise, from that end on.
      assert.deepEqual(await seen({ validAt: minute(15) }), ['always', 'late', 'past', 'withdrawn']);
      assert.deepEqual(await seen({ validAt: minute(10) }), ['always', 'late', 'past', 'withdrawn']);
      assert.deepEqual(await seen({ validAt: minute(20) }), ['always', 'late', 'withdrawn']);
      assert.deepEqual(await seen({ validAt: minute(25) }), ['always', 'late']);
      assert.deepEqual(await seen({ validAt: minute(26), recordedAt: minute(39) }), ['always', 'late', 'withdrawn']);
      assert.deepEqual(await seen({ validAt: minute(26), recordedAt: minute(40) }), ['always', 'late']);
      assert.deepEqual(await seen({ validAt: minute(15), recordedAt: minute(39) }), ['always', 'late', 'past', 'withdrawn']);
      assert.deepEqual(await seen({ validAt: minute(15), recordedAt: minute(40) }), ['always', 'late', 'past', 'withdrawn']);
      assert.deepEqual(await seen({ validAt: minute(15), recordedAt: minute(29) }), ['always', 'past', 'withdrawn']);
      assert.deepEqual(await seen({ validAt: minute(24), recordedAt: minute(4) }), ['always']);
      const strongest = await expand(store, ['A'], { hops: 1, validAt: minute(15), recordedAt: minute(39), fanOut: 2 });
      assert.deepEqual(
        strongest.facts.map((fact) => fact.text),
        ['A -> late', 'A -> withdrawn'],
      );
      await rejects('INPUT_INVALID', () => seen({ validAt: 'once upon a time' }));
    });

    check('is refused where it was aborted before', async (store) => {
      const query = { userId: ALICE, seedIds: [], hops: 1, fanOut: 1, limit: 1 } as const;
      await rejects('ABORTED', () => store.expand(query, AbortSignal.abort()));
      await rejects('ABORTED', () => store.commit(changes(ALICE, { episodes: [episode(ALICE, 'one')] }), AbortSignal.abort()));
      assert.deepEqual(await store.users({ limit: 9 }), []);
    });
  });
}

function expand(store: GraphStore, seeds: readonly string[], options: Partial<ExpandQuery>): Promise<Subgraph> {
  return store.expand({ userId: ALICE, seedIds: seeds.map((name) => entity(ALICE, name).id), hops: 2, fanOut: 100, limit: 100, ...options });
}

function byName(found: Subgraph): { distance: Record<string, number | undefined>; facts: string[] } {
  return {
    distance: Object.fromEntries(found.entities.map((each) => [each.name, found.distance.get(each.id)])),
    facts: found.facts.map((fact) => fact.text),
  };
}
