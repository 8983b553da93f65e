import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMemory, emptyChangeSet, type MemoryConfig } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { failureOf, NOTHING, openTestMemory, reply } from '../pipeline/open-test-memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const userId = 'u';
const DAY_MS = 86_400_000;

describe('consent', () => {
  it('is asked for before anything is saved or shown to a model, where it is required', async () => {
    const { memory, model } = openTestMemory({ options: { consent: 'required' } });
    for (const input of ['tea', { text: 'tea', sourceId: 'a.md' }]) {
      expect((await failureOf(memory.store(input, { userId }))).code).toBe('CONSENT_REQUIRED');
    }
    expect([model.requests.length, (await memory.stats()).episodes]).toEqual([0, 0]);
    await memory.consent({ userId, granted: true, actor: 'form 7' });
    expect((await memory.store('tea', { userId })).episodes).toHaveLength(1);
    expect((await failureOf(memory.store('tea', { userId, purpose: 'advertising' }))).code).toBe('CONSENT_REQUIRED');
    expect((await failureOf(memory.store('tea', { userId: 'other' }))).code).toBe('CONSENT_REQUIRED');
  });

  it('is withdrawn at will, and the withdrawal counts also where silence would do', async () => {
    const { memory, clock } = openTestMemory();
    await memory.store('tea', { userId });
    await memory.consent({ userId, granted: false });
    clock.advance(1000);
    expect((await failureOf(memory.store('coffee', { userId }))).code).toBe('CONSENT_REQUIRED');
    expect((await memory.store('coffee', { userId, purpose: 'support' })).episodes).toHaveLength(1);
    await memory.consent({ userId, granted: true });
    await memory.store('cocoa', { userId });
    const { now, history } = await memory.consents(userId);
    expect(now).toMatchObject([{ purpose: 'memory', granted: true }]);
    expect(history.map((record) => [record.granted, record.at])).toEqual([
      [false, '2026-06-15T12:00:00.000Z'],
      [true, '2026-06-15T12:00:01.000Z'],
    ]);
  });

  it('that was withdrawn outlives the data, without a word of it in the file', async () => {
    using folder = temporaryFolder();
    const { memory } = openTestMemory({ path: join(folder.path, 'memory.db') });
    await memory.consent({ userId: 'u-quux', purpose: 'support', granted: true, actor: 'Ms Plugh' });
    await memory.consent({ userId: 'u-quux', granted: false, actor: 'Ms Plugh', note: 'by letter of xyzzy' });
    await memory.forget({ userId: 'u-quux' });
    expect((await failureOf(memory.store('tea', { userId: 'u-quux' }))).code).toBe('CONSENT_REQUIRED');
    expect((await memory.consents('u-quux')).history).toMatchObject([{ purpose: 'memory', granted: false }]);
    const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name)));
    for (const word of ['u-quux', 'Plugh', 'xyzzy']) for (const bytes of files) expect(bytes.includes(word)).toBe(false);
    await memory.close();
  });

  it('of the wrong form is refused', async () => {
    const { memory } = openTestMemory();
    for (const options of [{ userId }, { userId, granted: 'yes' }, { userId, granted: true, at: 'soon' }]) {
      expect((await failureOf(memory.consent(options as never))).code).toBe('INPUT_INVALID');
    }
    expect((await failureOf(memory.consent({ userId: '', granted: true }))).code).toBe('SCOPE_REQUIRED');
  });
});

describe('expiry', () => {
  it('hides a turn, its facts and paths over it from that moment, and decay deletes them', async () => {
    const { memory, clock } = openTestMemory({ replies: [reply(['The code of the gate is blue.'], [['gate', 'object']]), NOTHING] });
    await memory.store('The gate code is blue.', { userId, expiresAt: '2026-06-16T12:00:00Z' });
    await memory.store('The gate is old.', { userId });
    const found = async () => (await memory.retrieve('gate code', { userId })).items.map((item) => item.text);
    expect(await found()).toHaveLength(2);
    clock.set('2026-06-16T11:59:59.999Z');
    expect(await found()).toHaveLength(2);
    clock.set('2026-06-16T12:00:00.000Z');
    expect(await found()).toEqual(['The gate is old.']);
    expect((await memory.retrieve('gate code', { userId, kinds: ['fact'] })).items).toEqual([]);
    expect(await memory.decay({ userId })).toMatchObject({ examined: 2, expired: 1, archived: 0 });
    expect(await memory.stats(userId)).toMatchObject({ episodes: 1, facts: 0, entities: 0, vectors: 1 });
  });

  it('is moved by storing the turn again', async () => {
    const { memory, clock } = openTestMemory();
    await memory.store('tea', { userId, expiresAt: '2026-06-16' });
    await memory.store('tea', { userId, expiresAt: '2026-07-16' });
    clock.set('2026-06-20T00:00:00Z');
    expect((await memory.retrieve('tea', { userId })).items).toHaveLength(1);
    expect((await failureOf(memory.store('tea', { userId, expiresAt: 'soon' }))).code).toBe('INPUT_INVALID');
  });
});

describe('decay', () => {
  const importanceOf = (text: string, importance: number) => JSON.stringify({ facts: [{ text, importance }], entities: [], relations: [] });

  async function threeTurns() {
    const opened = openTestMemory({
      replies: [importanceOf('Dana is allergic to nuts.', 0.9), importanceOf('Dana saw a grey cat.', 0.2), importanceOf('Dana likes plums.', 0.2)],
    });
    for (const content of ['I am allergic to nuts.', 'I saw a grey cat.', 'I like plums.']) await opened.memory.store(content, { userId });
    return opened;
  }
  const found = async (memory: Awaited<ReturnType<typeof threeTurns>>['memory'], query: string) =>
    (await memory.retrieve(query, { userId })).items.filter((item) => item.kind === 'episode').map((item) => item.text);

  it('archives what is unimportant and was not recalled, deletes it later, and keeps the rest', async () => {
    const { memory, clock } = await threeTurns();
    clock.advance(300 * DAY_MS);
    expect((await memory.retrieve('plums', { userId, topK: 1 })).items.map((item) => item.text)).toEqual(['I like plums.']);
    expect(await memory.decay({ userId, threshold: 0.1, dryRun: true })).toMatchObject({ examined: 3, archived: 1 });
    expect(await found(memory, 'grey cat')).toContain('I saw a grey cat.');
  });

  it('does so for good where it is no dry run, and brings back what is asked for', async () => {
    const { memory, clock } = await threeTurns();
    clock.advance(300 * DAY_MS);
    await memory.retrieve('plums', { userId, topK: 1 });
    const rule = { userId, threshold: 0.1, deleteAfterDays: 30 };
    const { archivedIds } = await memory.decay(rule);
    expect(archivedIds).toHaveLength(1);
    expect(await found(memory, 'grey cat')).not.toContain('I saw a grey cat.');
    expect((await memory.retrieve('grey cat', { userId })).text).not.toContain('grey');
    expect(await memory.stats(userId)).toMatchObject({ episodes: 3, facts: 3, vectors: 4, outbox: 0 });
    expect(await memory.decay(rule)).toMatchObject({ archived: 0, deleted: 0 });

    expect(await memory.restore({ userId, ids: [...archivedIds, 'no such id'] })).toEqual({ restored: 1 });
    expect(await found(memory, 'grey cat')).toContain('I saw a grey cat.');
    expect(await memory.stats(userId)).toMatchObject({ vectors: 6 });

    await memory.decay(rule);
    clock.advance(500 * DAY_MS);
    const { archived, deleted } = await memory.decay(rule);
    expect(archived + deleted).toBeGreaterThan(0);
    clock.advance(31 * DAY_MS);
    await memory.decay(rule);
    const left = (await memory.episodes({ userId })).map((episode) => episode.content);
    expect(left).not.toContain('I saw a grey cat.');
  });

  it("never touches another user's, and keeps to its form", async () => {
    const { memory, clock } = await threeTurns();
    clock.advance(9000 * DAY_MS);
    expect(await memory.decay({ userId: 'other' })).toMatchObject({ examined: 0, archived: 0 });
    expect((await memory.stats(userId)).vectors).toBe(6);
    expect((await failureOf(memory.decay({ userId, halfLifeDays: 0 }))).code).toBe('INPUT_INVALID');
  });
});

describe('audit', () => {
  it('finds duplicates, near-duplicates, what was never recalled, orphans and open contradictions', async () => {
    const { memory } = openTestMemory();
    const store = (content: string, session = 's', triples: readonly (readonly [string, string, string])[] = []) =>
      memory.store({ role: 'user', content, ...(triples.length === 0 ? {} : { triples }) }, { userId, sessionId: session });
    const plain = await store('The harbour pump was repaired by Marek on Monday morning with new copper pipes.');
    const near = await store('The harbour pump was repaired by Marek on Monday morning with new copper pipes again.');
    await store('Green tea, please.', 'a');
    await store('green  tea, please.', 'b');
    await store('I live in Lindby', 'c', [['Ann', 'lives in', 'Lindby']]);
    await store('I live in Corran', 'd', [['Ann', 'lives in', 'Corran']]);
    await store('I like both', 'e', [
      ['Ann', 'likes', 'Lindby'],
      ['Ann', 'likes', 'Corran'],
    ]);
    await memory.retrieve('harbour pump', { userId, topK: 1 });
    const report = await memory.audit({ userId });
    expect(report).toMatchObject({
      episodes: 7,
      entities: 3,
      unread: { count: 0 },
      orphanEntities: { count: 0 },
      orphanFacts: { count: 0 },
      archived: { count: 0 },
      expired: { count: 0 },
    });
    expect(report.duplicates).toMatchObject({ count: 1 });
    expect(report.nearDuplicates).toMatchObject({
      count: 1,
      examples: [{ ids: [plain, near].map((receipt) => receipt.episodes[0]?.id).toSorted() }],
    });
    expect(report.neverRecalled.count).toBe(6);
    // The store closed the older one itself.
    expect(report.contradictions).toMatchObject({ count: 0 });
    expect(await memory.audit({ userId: 'nobody' })).toMatchObject({ episodes: 0, duplicates: { count: 0, examples: [] } });
    expect((await memory.audit({ userId, limit: 2 })).neverRecalled).toMatchObject({ count: 6, examples: { length: 2 } });
  });
});

describe('an open contradiction', () => {
  it('is two facts in one slot that both hold, and no others', async () => {
    let config: MemoryConfig | undefined;
    const { memory } = openTestMemory({
      onConfig: (made) => {
        config = made;
      },
    });
    const at = '2026-01-01T00:00:00.000Z';
    const place = (id: string, fields: object) => ({
      id,
      userId,
      text: id,
      subjectId: 'ann',
      predicate: 'lives in',
      slot: 'place',
      entityIds: ['ann'],
      evidence: [],
      createdAt: at,
      confidence: 1,
      importance: 0.5,
      origin: 'caller' as const,
      saidBy: 'user' as const,
      properties: {},
      ...fields,
    });
    await memory.flush();
    await config?.graph.commit({
      ...emptyChangeSet(userId),
      entities: ['ann', 'lindby', 'corran', 'rome'].map((id) => ({
        id,
        userId,
        name: id,
        key: id,
        aliases: [],
        type: 'other' as const,
        createdAt: at,
      })),
      facts: [
        place('f1', { objectId: 'lindby' }),
        place('f2', { objectId: 'corran' }),
        place('f3', { objectId: 'rome', invalidAt: at, expiredAt: at }),
        place('f4', { objectId: 'rome', slot: 'employer' }),
      ],
    });
    expect((await memory.audit({ userId })).contradictions).toMatchObject({ count: 1, examples: [['f1', 'f2']] });
  });
});

describe('a memory without a lifecycle store', () => {
  it('stores and recalls, and says that the rest is unsupported', async () => {
    let bare: MemoryConfig | undefined;
    const { memory: template } = openTestMemory({
      onConfig: (config) => {
        bare = config;
      },
    });
    await template.flush();
    if (bare === undefined) throw new Error('no configuration');
    const { lifecycle: _, ...config } = bare;
    const memory = createMemory(config);
    await memory.store('tea', { userId });
    expect((await memory.retrieve('tea', { userId })).items).toHaveLength(1);
    for (const call of [
      () => memory.consent({ userId, granted: true }),
      () => memory.decay({ userId }),
      () => memory.store('tea', { userId, expiresAt: '2030-01-01' }),
    ]) {
      expect((await failureOf(call())).code).toBe('UNSUPPORTED');
    }
    expect((await memory.audit({ userId })).episodes).toBe(1);
    expect(await memory.forget({ userId })).toMatchObject({ erased: { episodes: 1 } });
  });
});
