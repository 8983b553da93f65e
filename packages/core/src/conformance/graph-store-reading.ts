import assert from 'node:assert/strict';
import { EPISODE_STATES } from '../domain/episode.ts';
import type { Metadata } from '../domain/json.ts';
import type { MetadataFilter } from '../domain/metadata-filter.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { ALICE, allPages, BOB, changes, edge, endsOf, entity, episode, ids, minute, rejects, storeCases } from './graph-store-fixtures.ts';
import type { DriverFactory, TestRunner } from './runner.ts';

const MANY = 23;

export function graphStoreReadingConformance(runner: TestRunner, factory: DriverFactory<GraphStore>): void {
  const check = storeCases(runner, factory);

  runner.describe('threads', () => {
    check("positions count within the user's thread, over commits", async (store) => {
      const turn = (name: string, threadId?: string, userId = ALICE) => episode(userId, name, threadId === undefined ? {} : { threadId });
      await store.commit(changes(ALICE, { episodes: [turn('a0', 'a'), turn('b0', 'b'), turn('a1', 'a'), turn('loose 1'), turn('loose 2')] }));
      await store.commit(changes(BOB, { episodes: [turn('bob', 'a', BOB)] }));
      await store.commit(changes(ALICE, { episodes: [turn('a0', 'a'), turn('a2', 'a')] }));
      const found = await store.findEpisodes({ userId: ALICE }, { limit: 50 });
      const position = (name: string) => found.find((each) => each.id === turn(name).id)?.position;
      assert.deepEqual(['a0', 'a1', 'a2', 'b0', 'loose 1', 'loose 2'].map(position), [0, 1, 2, 0, 0, 0]);
      assert.equal((await store.latest(BOB, 'a', 1))[0]?.position, 0);
    });

    check('neighbours: before or after, nearest first, of the same thread and user only', async (store) => {
      const turns = [0, 1, 2, 3, 4].map((n) => episode(ALICE, `turn ${n}`, { threadId: 'a' }));
      const loose = [episode(ALICE, 'loose 1'), episode(ALICE, 'loose 2')];
      const foreign = episode(BOB, 'foreign', { threadId: 'a' });
      await store.commit(changes(ALICE, { episodes: [...turns, episode(ALICE, 'other', { threadId: 'b' }), ...loose] }));
      await store.commit(changes(BOB, { episodes: [foreign] }));
      const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids(turns);
      const neighbours = async (wanted: string[], count: number) =>
        [...(await store.neighbours(ALICE, wanted, count))].map(([id, found]) => [id, ids(found)]);
      assert.deepEqual(await neighbours([fourth, first], 2), [
        [fourth, [third, second]],
        [first, []],
      ]);
      assert.deepEqual(await neighbours([second], -9), [[second, [third, fourth, fifth]]]);
      assert.deepEqual(await neighbours([third], 0), [[third, []]]);
      assert.deepEqual(await neighbours([loose[1]?.id ?? ''], 3), [[loose[1]?.id, []]]);
      assert.deepEqual(await neighbours([foreign.id, 'nowhere'], 3), []);
      assert.deepEqual(await neighbours([], 3), []);
    });

    check('latest: newest first', async (store) => {
      const turns = [0, 1, 2].map((n) => episode(ALICE, `turn ${n}`, { threadId: 'a', at: minute(9 - n) }));
      await store.commit(changes(ALICE, { episodes: turns }));
      const latest = async (userId: string, threadId: string, count: number) => ids(await store.latest(userId, threadId, count));
      assert.deepEqual(await latest(ALICE, 'a', 2), [turns[2]?.id, turns[1]?.id]);
      assert.deepEqual(await latest(ALICE, 'a', 0), []);
      assert.deepEqual(await latest(ALICE, 'b', 2), []);
      assert.deepEqual(await latest(BOB, 'a', 2), []);
    });

    check('speakers: each once, ascending, at most 200', async (store) => {
      const names = ['Zed', 'Ann', undefined, 'Zed', 'Mia'];
      await store.commit(
        changes(ALICE, { episodes: names.map((speaker, n) => episode(ALICE, `turn ${n}`, speaker === undefined ? {} : { speaker })) }),
      );
      assert.deepEqual(await store.speakers(ALICE), ['Ann', 'Mia', 'Zed']);
      assert.deepEqual(await store.speakers(BOB), []);
      await store.commit(
        changes(BOB, { episodes: Array.from({ length: 210 }, (_, n) => episode(BOB, `turn ${n}`, { speaker: `speaker ${1000 + n}` })) }),
      );
      assert.deepEqual(
        await store.speakers(BOB),
        Array.from({ length: 200 }, (_, n) => `speaker ${1000 + n}`),
      );
    });
  });

  runner.describe('metadata', () => {
    check('finds the episodes that hold each value, or a list with it, page by page', async (store) => {
      const turn = (name: string, metadata: Metadata, userId = ALICE) => episode(userId, name, { metadata });
      const kept = [1, 2, 3].map((n) => turn(`kept ${n}`, { kind: 'a"b', n, tags: ['x', '색'] }));
      const others = [turn('text', { kind: 'a"b', n: '1', tags: 'y' }), turn('none', {}), turn('inside', { in: { kind: 'a"b' } })];
      await store.commit(changes(ALICE, { episodes: [...kept, ...others] }));
      await store.commit(changes(BOB, { episodes: [turn('foreign', { kind: 'a"b', tags: ['x'] }, BOB)] }));
      const found = async (metadata: MetadataFilter) => ids(await allPages(1, (page) => store.findEpisodes({ userId: ALICE, metadata }, page)));
      assert.deepEqual(await found({ kind: 'a"b', tags: '색' }), ids(kept).sort());
      assert.deepEqual(await found({ n: 1 }), [kept[0]?.id]);
      assert.deepEqual(await found({ n: '1' }), [others[0]?.id]);
      assert.deepEqual(await found({ kind: 'a' }), []);
      assert.equal((await found({})).length, 6);
      assert.deepEqual(await store.findEpisodes({ userId: ALICE, metadata: { kind: 'a"b' } }, { limit: 0 }), []);
    });
  });

  runner.describe('sources', () => {
    check('each once, ascending, page by page, of this user alone, and gone with its last episode', async (store) => {
      const names = ['b.md', undefined, 'a.md', 'b.md', '노트/메모.md', '<|endoftext|>'];
      const turns = names.map((sourceId, n) =>
        episode(ALICE, `turn ${n}`, sourceId === undefined ? {} : { sourceId, threadId: `thread of ${sourceId}` }),
      );
      await store.commit(changes(ALICE, { episodes: turns }));
      await store.commit(changes(BOB, { episodes: [episode(BOB, 'turn', { sourceId: 'other.md' })] }));
      const all = await store.sources(ALICE, { limit: 10 });
      assert.deepEqual(all, ['<|endoftext|>', 'a.md', 'b.md', '노트/메모.md']);
      assert.deepEqual(await store.sources(ALICE, { limit: 2 }), all.slice(0, 2));
      assert.deepEqual(await store.sources(ALICE, { limit: 2, after: all[1] ?? '' }), all.slice(2));
      await store.erase({ userId: ALICE, ids: [turns[2]?.id ?? ''] }, { following: 0, leaveTrace: false });
      assert.deepEqual(await store.sources(ALICE, { limit: 10 }), ['<|endoftext|>', 'b.md', '노트/메모.md']);
      assert.deepEqual(await store.sources('nobody', { limit: 10 }), []);
    });
  });

  runner.describe('finding', () => {
    check('episodes by every filter, page by page, by id', async (store) => {
      const states = EPISODE_STATES;
      const episodes = Array.from({ length: MANY }, (_, n) =>
        episode(ALICE, `turn ${n}`, {
          agentId: `agent ${n % 2}`,
          sessionId: `session ${n % 3}`,
          sourceId: `source ${n % 5}`,
          state: states[n % 4] ?? 'pending',
        }),
      );
      await store.commit(changes(ALICE, { episodes: [...episodes, episode(ALICE, 'bare', { state: 'verbatim' })] }));
      await store.commit(
        changes(BOB, { episodes: [episode(BOB, 'turn', { agentId: 'agent 0', sessionId: 'session 0', sourceId: 'source 0', state: 'pending' })] }),
      );
      const filters = [
        { agentId: 'agent 1' },
        { sessionId: 'session 2' },
        { sourceId: 'source 4' },
        { state: 'pending' },
        { state: 'failed' },
        { state: 'extracted' },
        { sessionId: 'session 0', state: 'pending' },
        { agentId: 'agent 0', sessionId: 'session 1', sourceId: 'source 3' },
        { sourceId: 'source 9' },
        { agentId: 'source 0' },
      ] as const;
      for (const filter of filters) {
        const found = await allPages(2, (page) => store.findEpisodes({ userId: ALICE, ...filter }, page));
        const wanted = episodes.filter((each) => Object.entries(filter).every(([name, value]) => Reflect.get(each, name) === value));
        assert.deepEqual(ids(found), ids(wanted).sort(), JSON.stringify(filter));
      }
      assert.equal((await store.findEpisodes({ userId: ALICE }, { limit: 100 })).length, MANY + 1);
    });

    check('entities by normal forms of name and alias, and by type', async (store) => {
      const entities = [
        entity(ALICE, 'Apple', { type: 'organization', aliases: ['Apple Inc.'] }),
        entity(ALICE, 'apple tree', { type: 'object', aliases: ['apple'] }),
        ...Array.from({ length: MANY }, (_, n) => entity(ALICE, `person ${n}`)),
      ];
      await store.commit(changes(ALICE, { entities }));
      await store.commit(changes(BOB, { entities: [entity(BOB, 'Apple')] }));
      const find = async (filter: object) => ids(await store.findEntities({ userId: ALICE, ...filter }, { limit: 100 }));
      const [company = '', tree = ''] = ids(entities);
      assert.deepEqual(await find({ keys: ['apple'] }), [company, tree].sort());
      assert.deepEqual(await find({ keys: ['apple inc', 'nothing', 'apple tree', 'apple tree'] }), [company, tree].sort());
      assert.deepEqual(await find({ keys: ['apple'], type: 'object' }), [tree]);
      assert.deepEqual(await find({ keys: [] }), []);
      const people = await allPages(5, (page) => store.findEntities({ userId: ALICE, type: 'person' }, page));
      assert.deepEqual(ids(people), ids(entities.slice(2)).sort());
      const both = await allPages(1, (page) => store.findEntities({ userId: ALICE, keys: ['apple'] }, page));
      assert.deepEqual(ids(both), [company, tree].sort());
    });

    check('facts by entity and by episode, page by page, by id', async (store) => {
      const said = [episode(ALICE, 'one'), episode(ALICE, 'two')];
      const facts = Array.from({ length: MANY }, (_, n) =>
        edge(ALICE, n % 2 === 0 ? 'Ada' : 'Eve', `thing ${n}`, { evidence: [said[n % 3 === 0 ? 0 : 1]?.id ?? ''], confidence: n / 100 }),
      );
      await store.commit(changes(ALICE, { episodes: said, entities: endsOf(ALICE, facts), facts }));
      const find = async (filter: object) => ids(await allPages(4, (page) => store.findFacts({ userId: ALICE, ...filter }, page)));
      const entityId = entity(ALICE, 'Ada').id;
      const episodeId = said[0]?.id ?? '';
      assert.deepEqual(await find({}), ids(facts).sort());
      assert.deepEqual(await find({ entityId }), ids(facts.filter((_, n) => n % 2 === 0)).sort());
      assert.deepEqual(await find({ episodeId }), ids(facts.filter((_, n) => n % 3 === 0)).sort());
      assert.deepEqual(await find({ entityId, episodeId }), ids(facts.filter((_, n) => n % 6 === 0)).sort());
      assert.deepEqual(await find({ entityId: 'nobody' }), []);
      assert.deepEqual(await find({ episodeId: 'nowhere' }), []);
    });

    check('mentions in the order of the episodes, then by entity id', async (store) => {
      const said = [episode(ALICE, 'one'), episode(ALICE, 'two')];
      const met = [entity(ALICE, 'Ada'), entity(ALICE, 'Eve')];
      const mentions = said.flatMap((each) => met.map((one) => ({ episodeId: each.id, entityId: one.id })));
      await store.commit(changes(ALICE, { episodes: said, entities: met, mentions: [...mentions, ...mentions] }));
      const sorted = ids(met).sort();
      const wanted = ids(said).reverse();
      assert.deepEqual(
        await store.mentions(ALICE, [...wanted, 'nowhere']),
        wanted.flatMap((episodeId) => sorted.map((entityId) => ({ episodeId, entityId }))),
      );
      assert.deepEqual(await store.mentions(ALICE, []), []);
    });

    check('empty lists, limits of 0 and unknown users give nothing', async (store) => {
      const stated = edge(ALICE, 'Ada', 'Eve');
      await store.commit(changes(ALICE, { episodes: [episode(ALICE, 'one')], entities: endsOf(ALICE, [stated]), facts: [stated] }));
      for (const [userId, page] of [
        [ALICE, { limit: 0 }],
        ['nobody', { limit: 9 }],
        ['', { limit: 9 }],
      ] as const) {
        assert.deepEqual(await store.findEpisodes({ userId }, page), []);
        assert.deepEqual(await store.findEntities({ userId }, page), []);
        assert.deepEqual(await store.findFacts({ userId }, page), []);
      }
      assert.deepEqual([await store.getEpisodes(ALICE, []), await store.getEntities(ALICE, []), await store.getFacts(ALICE, [])], [[], [], []]);
      assert.deepEqual([await store.users({ limit: 0 }), await store.readOutbox(0)], [[], []]);
    });
  });

  runner.describe('users', () => {
    check('are listed page by page and counted apart', async (store) => {
      const users = Array.from({ length: 7 }, (_, n) => `user ${n}`);
      for (const userId of [...users].reverse()) {
        await store.commit(
          changes(userId, { episodes: [episode(userId, 'one')], outbox: [{ operation: 'upsert', kind: 'episode', recordId: 'r' }] }),
        );
      }
      assert.deepEqual(await allPages(3, (page) => store.users(page)), users);
      assert.deepEqual(await store.counts(), { episodes: 7, entities: 0, facts: 0, users: 7, outbox: 7 });
      assert.deepEqual(await store.counts('user 3'), { episodes: 1, entities: 0, facts: 0, users: 1, outbox: 1 });
      assert.deepEqual(await store.counts('nobody'), { episodes: 0, entities: 0, facts: 0, users: 0, outbox: 0 });
    });

    check('are none where only outbox entries are left of them', async (store) => {
      await store.commit(changes(ALICE, { outbox: [{ operation: 'delete', kind: 'episode', recordId: 'r' }] }));
      assert.deepEqual(await store.users({ limit: 5 }), []);
      assert.deepEqual(await store.counts(ALICE), { episodes: 0, entities: 0, facts: 0, users: 0, outbox: 1 });
    });

    check("with the same names and the same ids never see each other's records", async (store) => {
      const bobs = edge(BOB, 'Dana', 'Chess');
      const alices = edge(ALICE, 'Dana', 'Cafe');
      for (const [userId, stated] of [
        [ALICE, alices],
        [BOB, bobs],
      ] as const) {
        const twin = episode(userId, 'twin', { id: 'the same id', threadId: 'thread', speaker: userId, content: `${userId}'s` });
        const mentions = [{ episodeId: twin.id, entityId: stated.subjectId ?? '' }];
        await store.commit(
          changes(userId, { episodes: [twin], entities: endsOf(userId, [stated]), facts: [{ ...stated, evidence: [twin.id] }], mentions }),
        );
      }
      const foreign = ids(endsOf(ALICE, [alices]));
      assert.deepEqual(await store.getEntities(BOB, foreign), []);
      assert.deepEqual(await store.getFacts(BOB, [alices.id]), []);
      assert.deepEqual(
        (await store.getEpisodes(BOB, ['the same id'])).map((each) => each.content),
        ["bob's"],
      );
      assert.deepEqual(ids(await store.findEntities({ userId: BOB, keys: ['dana', 'cafe'] }, { limit: 9 })), [bobs.subjectId]);
      assert.deepEqual(await store.findFacts({ userId: BOB, entityId: foreign[0] ?? '' }, { limit: 9 }), []);
      assert.deepEqual(ids(await store.findFacts({ userId: BOB, episodeId: 'the same id' }, { limit: 9 })), [bobs.id]);
      assert.deepEqual(await store.mentions(BOB, ['the same id']), [{ episodeId: 'the same id', entityId: bobs.subjectId }]);
      assert.deepEqual(await store.speakers(BOB), [BOB]);
      const blind = await store.expand({ userId: BOB, seedIds: foreign, hops: 2, fanOut: 9, limit: 9 });
      assert.deepEqual([blind.entities, blind.facts, blind.mentions, blind.distance.size], [[], [], [], 0]);
      const own = await store.expand({ userId: BOB, seedIds: [...foreign, bobs.subjectId ?? ''], hops: 2, fanOut: 9, limit: 9 });
      assert.deepEqual(
        own.entities.map((each) => each.name),
        ['Dana', 'Chess'],
      );
    });

    check('whose ids are half characters are refused: they could become one', async (store) => {
      await rejects('INPUT_INVALID', () => store.commit(changes('u\ud800', { episodes: [episode('u\ud800', 'one')] })));
      await rejects('INPUT_INVALID', () => store.findEpisodes({ userId: 'u\ud801' }, { limit: 9 }));
    });
  });
}
