import assert from 'node:assert/strict';
import type { Metadata } from '../domain/json.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { ALICE, BOB, changes, edge, endsOf, entity, episode, ids, minute, rejects, storeCases } from './graph-store-fixtures.ts';
import type { DriverFactory, TestRunner } from './runner.ts';

/** Texts that come back character for character. */
const TEXTS = [
  ['Korean and emoji', '지난 금요일에 👩‍👩‍👧 만났어요'],
  ['Chinese', '我在上海工作'],
  ['a NUL', 'before\0after'],
  ['quotes and backslashes', `it's "quoted" \\ \`and\` $1 {x} ?`],
  ['a control token', '<|endoftext|>'],
  ['something like a query', "'; DROP TABLE fact; -- MATCH (n) DETACH DELETE n"],
  ['white space', ' \t\r\n '],
  ['nothing', ''],
  ['decomposed accents', 'Cafe\u0301'],
  ['200,000 letters', 'long '.repeat(40_000)],
] as const;

const METADATA: Metadata = {
  nested: { list: [1, 2.5, -0.1, null, true, 'x\0y'], 'a.b $c': {} },
  '': 'empty key',
  half: '\ud800',
  big: 9_007_199_254_740_991,
};

export function graphStoreCommitConformance(runner: TestRunner, factory: DriverFactory<GraphStore>): void {
  const check = storeCases(runner, factory);

  runner.describe('commit: what is written comes back', () => {
    check('an episode with every field, and one with none but the needed', async (store) => {
      const full = episode(ALICE, 'full', {
        agentId: 'agent',
        sessionId: 'session',
        kind: 'chunk',
        role: 'assistant',
        speaker: 'Zoë',
        at: minute(3),
        utcOffsetMinutes: -570,
        createdAt: minute(9),
        sourceId: 'notes.md',
        threadId: 'thread',
        metadata: METADATA,
        state: 'failed',
        failure: 'The model was away.',
      });
      const bare = episode(ALICE, 'bare');
      await store.commit(changes(ALICE, { episodes: [full, bare] }));
      assert.deepEqual(await store.getEpisodes(ALICE, [bare.id, full.id]), [
        { ...bare, position: 0 },
        { ...full, position: 0 },
      ]);
    });

    check('an entity and a fact with every field, and with none but the needed', async (store) => {
      const full = entity(ALICE, 'Ada', { aliases: ['Countess', '에이다'], type: 'other', typeLabel: 'mathematician', createdAt: minute(4) });
      const bare = entity(ALICE, 'Engine');
      const source = [episode(ALICE, 'b'), episode(ALICE, 'a')];
      const edgeFact = edge(ALICE, 'Ada', 'Engine', {
        entityIds: [bare.id, full.id],
        evidence: ids(source),
        validAt: '0999-12-31T23:59:59.999Z',
        invalidAt: minute(8),
        expiredAt: minute(9),
        confidence: 0.1 + 0.2,
        importance: 1,
        origin: 'caller',
        saidBy: 'tool',
        properties: METADATA,
      });
      const {
        subjectId: _,
        predicate: __,
        objectId: ___,
        ...statement
      } = edge(ALICE, 'stands', 'alone', { entityIds: [], confidence: 0, importance: 0 });
      await store.commit(changes(ALICE, { episodes: source, entities: [full, bare], facts: [edgeFact, statement] }));
      assert.deepEqual(await store.getEntities(ALICE, [bare.id, full.id]), [bare, full]);
      assert.deepEqual(await store.getFacts(ALICE, [statement.id, edgeFact.id]), [statement, edgeFact]);
    });

    for (const [name, text] of TEXTS) {
      check(`text with ${name}`, async (store) => {
        const said = episode(ALICE, 'said', { content: text, speaker: text, sourceId: text, threadId: text, sessionId: text });
        const named = entity(ALICE, 'named', { name: text, key: text, aliases: [`${text}!`] });
        const stated = edge(ALICE, 'named', 'named', { text, predicate: text });
        await store.commit(changes(ALICE, { episodes: [said], entities: [named], facts: [stated] }));
        assert.deepEqual(await store.getEpisodes(ALICE, [said.id]), [{ ...said, position: 0 }]);
        assert.deepEqual(await store.getEntities(ALICE, [named.id]), [named]);
        assert.deepEqual(await store.getFacts(ALICE, [stated.id]), [stated]);
        assert.deepEqual(ids(await store.findEntities({ userId: ALICE, keys: [text] }, { limit: 5 })), [named.id]);
        assert.deepEqual(ids(await store.findEpisodes({ userId: ALICE, sessionId: text, sourceId: text }, { limit: 5 })), [said.id]);
        assert.deepEqual(ids(await store.latest(ALICE, text, 5)), [said.id]);
      });
    }

    check('half a surrogate pair comes back as U+FFFD', async (store) => {
      const said = episode(ALICE, 'said', { content: 'a\ud83db' });
      const named = entity(ALICE, 'named', { name: '\udc00', aliases: ['x\ud800'] });
      await store.commit(changes(ALICE, { episodes: [said], entities: [named] }));
      await store.commit(changes(ALICE, { entities: [named] }));
      assert.equal((await store.getEpisodes(ALICE, [said.id]))[0]?.content, 'a\ufffdb');
      const [read] = await store.getEntities(ALICE, [named.id]);
      assert.deepEqual([read?.name, read?.aliases], ['\ufffd', ['x\ufffd']]);
    });

    check("ids of the caller's own making", async (store) => {
      const own = ['1', "id'--", '내 아이디', ' ', 'x'.repeat(300), 'a\0b'];
      await store.commit(changes(ALICE, { episodes: own.map((id) => episode(ALICE, id, { id })) }));
      assert.deepEqual(ids(await store.getEpisodes(ALICE, own)), own);
    });
  });

  runner.describe('commit: once and again', () => {
    check('a repeat changes nothing and creates nothing', async (store) => {
      const said = episode(ALICE, 'said', { threadId: 'thread' });
      const stated = edge(ALICE, 'Ada', 'Engine', { evidence: [said.id] });
      const set = changes(ALICE, {
        episodes: [said],
        entities: endsOf(ALICE, [stated]),
        facts: [stated],
        mentions: [{ episodeId: said.id, entityId: stated.entityIds[0] ?? '' }],
      });
      const first = await store.commit(set);
      assert.deepEqual([...first.created].sort(), [said.id, ...stated.entityIds, stated.id].sort());
      const before = await wholeStore(store);
      assert.deepEqual([...(await store.commit(set)).created], []);
      assert.deepEqual(await wholeStore(store), before);
    });

    check('an episode that exists is left as it is; its state changes through `states` alone', async (store) => {
      const said = episode(ALICE, 'said', { state: 'pending' });
      await store.commit(changes(ALICE, { episodes: [said] }));
      await store.commit(changes(ALICE, { episodes: [{ ...said, content: 'other', state: 'extracted' }] }));
      assert.deepEqual(await store.getEpisodes(ALICE, [said.id]), [{ ...said, position: 0 }]);
      await store.commit(changes(ALICE, { states: [{ episodeId: said.id, state: 'failed', failure: 'why' }] }));
      assert.deepEqual(await store.getEpisodes(ALICE, [said.id]), [{ ...said, position: 0, state: 'failed', failure: 'why' }]);
      await store.commit(changes(ALICE, { states: [{ episodeId: said.id, state: 'extracted' }] }));
      assert.deepEqual(await store.getEpisodes(ALICE, [said.id]), [{ ...said, position: 0, state: 'extracted' }]);
    });

    check('an entity gains the aliases it lacks, and is found by them', async (store) => {
      const first = entity(ALICE, 'Robert', { aliases: ['Bob'] });
      await store.commit(changes(ALICE, { entities: [first] }));
      await store.commit(changes(ALICE, { entities: [{ ...first, name: 'ROBERT', type: 'place', aliases: ['Bobby', 'Bob', 'Robert', 'Bobby'] }] }));
      assert.deepEqual(await store.getEntities(ALICE, [first.id]), [{ ...first, aliases: ['Bob', 'Bobby'] }]);
      assert.deepEqual(ids(await store.findEntities({ userId: ALICE, keys: ['bobby'] }, { limit: 5 })), [first.id]);
    });

    check('an entity that had no type gains one, once', async (store) => {
      const first = entity(ALICE, 'Robert', { type: 'other' });
      await store.commit(changes(ALICE, { entities: [first] }));
      await store.commit(changes(ALICE, { entities: [first] }));
      assert.deepEqual(await store.getEntities(ALICE, [first.id]), [first]);
      for (const type of ['person', 'place', 'other'] as const) await store.commit(changes(ALICE, { entities: [{ ...first, type }] }));
      assert.deepEqual(await store.getEntities(ALICE, [first.id]), [{ ...first, type: 'person' }]);
      assert.deepEqual(ids(await store.findEntities({ userId: ALICE, type: 'person' }, { limit: 5 })), [first.id]);
      assert.deepEqual(await store.findEntities({ userId: ALICE, type: 'other' }, { limit: 5 }), []);
    });

    check('a fact gains evidence and entities, and keeps the larger confidence and importance', async (store) => {
      const said = [episode(ALICE, 'one'), episode(ALICE, 'two')];
      const stated = edge(ALICE, 'Ada', 'Engine', { evidence: [said[0]?.id ?? ''], confidence: 0.4, importance: 0.9 });
      const third = entity(ALICE, 'Babbage');
      await store.commit(changes(ALICE, { episodes: said, entities: [...endsOf(ALICE, [stated]), third], facts: [stated] }));
      const again = {
        ...stated,
        text: 'other words',
        evidence: ids(said),
        entityIds: [third.id, ...stated.entityIds],
        confidence: 0.8,
        importance: 0.1,
      };
      await store.commit(changes(ALICE, { facts: [again] }));
      await store.commit(changes(ALICE, { facts: [{ ...stated, confidence: 0.1, importance: 1 }] }));
      const merged = { ...stated, evidence: ids(said), entityIds: [...stated.entityIds, third.id], confidence: 0.8, importance: 1 };
      assert.deepEqual(await store.getFacts(ALICE, [stated.id]), [merged]);
      assert.deepEqual(await store.findFacts({ userId: ALICE, entityId: third.id }, { limit: 5 }), [merged]);
    });

    check('a closure ends a fact, and a later one changes nothing; the fact itself stays', async (store) => {
      const stated = edge(ALICE, 'Ada', 'Engine');
      const closure = { factId: stated.id, invalidAt: minute(5), expiredAt: minute(6), reason: 'said otherwise' };
      await store.commit(changes(ALICE, { entities: endsOf(ALICE, [stated]), facts: [stated], closures: [closure] }));
      await store.commit(
        changes(ALICE, { closures: [{ ...closure, invalidAt: minute(50), expiredAt: minute(60) }], facts: [{ ...stated, confidence: 1 }] }),
      );
      const closed = { ...stated, invalidAt: minute(5), expiredAt: minute(6), confidence: 1 };
      assert.deepEqual(await store.getFacts(ALICE, [stated.id]), [closed]);
      assert.deepEqual(await store.findFacts({ userId: ALICE, entityId: stated.subjectId ?? '' }, { limit: 5 }), [closed]);
      assert.deepEqual(await store.findFacts({ userId: ALICE, entityId: stated.subjectId ?? '', currentOnly: true }, { limit: 5 }), []);
      assert.deepEqual(await store.findFacts({ userId: ALICE, currentOnly: true }, { limit: 5 }), []);
    });

    check('an empty change set writes nothing', async (store) => {
      const receipt = await store.commit(changes(ALICE, {}));
      assert.deepEqual([receipt.created.size, receipt.outbox], [0, []]);
      assert.deepEqual(await store.users({ limit: 5 }), []);
    });

    check('commits at the same moment: equal ones make one record, others all arrive', async (store) => {
      const shared = episode(ALICE, 'shared', { threadId: 'thread' });
      const own = [1, 2, 3, 4, 5].map((n) => episode(ALICE, `own ${n}`, { threadId: 'thread' }));
      const receipts = await Promise.all(own.map((each) => store.commit(changes(ALICE, { episodes: [shared, each] }))));
      assert.equal(receipts.filter((receipt) => receipt.created.has(shared.id)).length, 1);
      const thread = await store.latest(ALICE, 'thread', 100);
      assert.deepEqual(
        thread.map((each) => each.position),
        [5, 4, 3, 2, 1, 0],
      );
      assert.deepEqual(ids(thread).sort(), ids([shared, ...own]).sort());
    });

    check('a batch of 1,200 records', async (store) => {
      const episodes = Array.from({ length: 1200 }, (_, n) => episode(ALICE, `turn ${n}`, { threadId: 'long' }));
      const facts = Array.from({ length: 1200 }, (_, n) => edge(ALICE, `from ${n}`, 'to', { evidence: [episodes[n]?.id ?? ''] }));
      const receipt = await store.commit(changes(ALICE, { episodes, entities: endsOf(ALICE, facts), facts }));
      assert.equal(receipt.created.size, 1200 + 1201 + 1200);
      const counts = await store.counts(ALICE);
      assert.deepEqual([counts.episodes, counts.entities, counts.facts], [1200, 1201, 1200]);
      assert.deepEqual(ids(await store.getEpisodes(ALICE, ids(episodes))), ids(episodes));
      assert.equal((await store.latest(ALICE, 'long', 1))[0]?.position, 1199);
    });
  });

  runner.describe('commit: all or nothing', () => {
    const said = episode(ALICE, 'said');
    const known = entity(ALICE, 'Ada');
    const stranger = entity(BOB, 'Ada');
    const broken = {
      'a fact that names an unknown entity': { facts: [edge(ALICE, 'Ada', 'Nobody')] },
      'a fact that names an unknown episode': { facts: [edge(ALICE, 'Ada', 'Ada', { evidence: ['nowhere'] })] },
      'a mention of an unknown entity': { mentions: [{ episodeId: said.id, entityId: 'nobody' }] },
      'a mention by an unknown episode': { mentions: [{ episodeId: 'nowhere', entityId: known.id }] },
      "a mention of another user's entity": { mentions: [{ episodeId: said.id, entityId: stranger.id }] },
      'the state of an unknown episode': { states: [{ episodeId: 'nowhere', state: 'failed' as const }] },
      'the closure of an unknown fact': { closures: [{ factId: 'nothing', invalidAt: minute(1), expiredAt: minute(1), reason: '' }] },
      'a fact of another user': { facts: [{ ...edge(ALICE, 'Ada', 'Ada'), userId: BOB }] },
      'a time that is none': { facts: [edge(ALICE, 'Ada', 'Ada', { validAt: 'yesterday' })] },
    };
    for (const [name, part] of Object.entries(broken)) {
      check(`${name} is refused, and nothing of the change set stays`, async (store) => {
        await store.commit(changes(BOB, { entities: [stranger] }));
        const outbox = [{ operation: 'upsert' as const, kind: 'episode' as const, recordId: said.id }];
        await rejects('CORRUPT_RECORD', () => store.commit(changes(ALICE, { episodes: [said], entities: [known], outbox, ...part })));
        assert.deepEqual(await store.counts(ALICE), { episodes: 0, entities: 0, facts: 0, users: 0, outbox: 0 });
        assert.deepEqual(await store.readOutbox(10), []);
        const { created } = await store.commit(changes(ALICE, { episodes: [said], entities: [known] }));
        assert.equal(created.size, 2);
      });
    }
  });
}

async function wholeStore(store: GraphStore): Promise<unknown> {
  const page = { limit: 100 };
  const episodes = await store.findEpisodes({ userId: ALICE }, page);
  return {
    episodes,
    entities: await store.findEntities({ userId: ALICE }, page),
    facts: await store.findFacts({ userId: ALICE }, page),
    mentions: await store.mentions(ALICE, ids(episodes)),
    counts: await store.counts(ALICE),
  };
}
