import { emptyChangeSet, type Fact, type NewEpisode } from '@tandem-memory/core';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { describe, expect, it } from 'vitest';
import { EmbeddedGraphStore } from './embedded-graph-store.ts';

const USER = 'user';
const NOW = '2026-06-01T00:00:00.000Z';
const OPTIONS = { following: 0, leaveTrace: false };
function turn(id: string): NewEpisode {
  return {
    id,
    userId: USER,
    kind: 'message',
    role: 'user',
    content: id,
    at: NOW,
    utcOffsetMinutes: 0,
    createdAt: NOW,
    metadata: {},
    state: 'extracted',
  };
}

function fact(id: string, evidence: string, fields: Partial<Fact> = {}): Fact {
  return {
    id,
    userId: USER,
    text: id,
    entityIds: [],
    evidence: [evidence],
    createdAt: NOW,
    confidence: 1,
    importance: 0.5,
    origin: 'model',
    saidBy: 'user',
    properties: {},
    ...fields,
  };
}

async function closedBy(endings: readonly { readonly episode: string; readonly related: string | null }[]) {
  const database = new SqliteDatabase({ path: ':memory:' });
  const store = new EmbeddedGraphStore({ database });
  await store.open();
  await store.commit({
    ...emptyChangeSet(USER),
    episodes: ['t1', 't2', 't3'].map(turn),
    facts: [fact('lives in Lindby', 't1', { invalidAt: NOW, expiredAt: NOW }), fact('lives in Corran', 't2')],
  });
  database.transaction(() => {
    for (const [n, { episode, related }] of endings.entries()) {
      database
        .prepare(
          "INSERT INTO graph_update(user, id, action, kind, record_id, related_id, actor, reason, episode_id, before, at) VALUES (1, ?, 'invalidate', 'fact', 'lives in Lindby', ?, 'model', 'moved', ?, 'a secret', 0)",
        )
        .run(`u${n}`, related, episode);
    }
    database
      .prepare("UPDATE graph_episode SET outdated = ? WHERE id = 't1'")
      .run(JSON.stringify({ since: NOW, by: 't2', inPart: false, about: 'x' }));
  });
  const look = async () => ({
    fact: (await store.getFacts(USER, ['lives in Lindby']))[0],
    log: Number(database.prepare('SELECT count(*) AS n FROM graph_update').get()?.['n']),
    outdated: database.prepare("SELECT outdated FROM graph_episode WHERE id = 't1'").get()?.['outdated'],
  });
  return { store, look };
}

describe('erasing what ended a fact', () => {
  it('lets it hold again, and leaves nothing of the end in the log', async () => {
    const { store, look } = await closedBy([{ episode: 't2', related: 'lives in Corran' }]);
    const result = await store.erase({ userId: USER, ids: ['t2'] }, OPTIONS);
    expect(result.outbox.map(({ operation, recordId }) => `${operation} ${recordId}`)).toContain('upsert lives in Lindby');
    const { fact: found, log, outdated } = await look();
    expect([found?.invalidAt, found?.expiredAt, log, outdated]).toEqual([undefined, undefined, 0, null]);
    await store.close();
  });

  it('keeps it ended where another turn told of the end too', async () => {
    const { store, look } = await closedBy([
      { episode: 't2', related: 'lives in Corran' },
      { episode: 't3', related: null },
    ]);
    await store.erase({ userId: USER, ids: ['t2'] }, OPTIONS);
    const { fact: found, log } = await look();
    expect([found?.expiredAt, log]).toEqual([NOW, 1]);
    await store.close();
  });

  it('goes with a user as a whole', async () => {
    const { store, look } = await closedBy([{ episode: 't3', related: null }]);
    await store.erase({ userId: USER }, OPTIONS);
    await store.acknowledge((await store.readOutbox(99)).map((entry) => entry.sequence));
    expect((await look()).log).toBe(0);
    await store.close();
  });
});
