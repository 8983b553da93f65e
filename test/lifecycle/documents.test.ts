import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MetadataFilter } from '@tandem-memory/core';
import { HashEmbeddingModel } from '@tandem-memory/core/testing';
import { ingest } from '@tandem-memory/ingest';
import { describe, expect, it } from 'vitest';
import { openTestMemory, replaceMethod, reply } from '../pipeline/open-test-memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const userId = 'u';
const V1 = 'Pump B opens at 06:00.\nPump C is spare.\n';
const V2 = 'Pump B opens at 07:00.\nPump C is spare.\n';

describe('ingest-03: a file again, edited, and under two names', () => {
  it('replaces what vanished, repeats nothing, and keeps the copy by its own name', async () => {
    using folder = temporaryFolder();
    const embedding = new HashEmbeddingModel();
    const facts = (time: string) =>
      reply(
        [`Pump B opens at ${time}.`, 'Pump C is spare.'],
        [
          ['Pump B', 'object'],
          ['Pump C', 'object'],
        ],
      );
    const { memory, model } = openTestMemory({ embedding, replies: [facts('06:00'), facts('07:00'), facts('06:00')] });
    const run = async (name: string, text: string) => {
      writeFileSync(join(folder.path, name), text);
      return (await ingest(memory, [name], { userId, cwd: folder.path })).files[0]?.status;
    };
    const counts = async () => ({ ...(await memory.stats(userId)), calls: model.requests.length, embedded: embedding.embedded });
    const found = async () => (await memory.retrieve('When does pump B open?', { userId })).items;
    const texts = async () => JSON.stringify((await found()).map((item) => [item.text, item.facts, item.sourceId]));

    await run('pump.md', V1);
    const before = await counts();
    expect(await run('pump.md', V1)).toBe('unchanged');
    expect(await counts()).toEqual(before);

    expect(await run('pump.md', V2)).toBe('ingested');
    expect(await texts()).toContain('07:00');
    expect(await texts()).not.toContain('06:00');
    expect((await memory.episodes({ userId })).map((episode) => episode.content)).toEqual([V2]);
    expect((await memory.facts({ userId })).map((fact) => fact.text).sort()).toEqual(['Pump B opens at 07:00.', 'Pump C is spare.']);

    await run('pump-copy.md', V1);
    for (const item of (await found()).filter((each) => each.kind === 'episode' && each.text.includes('06:00')))
      expect(item.sourceId).toBe('pump-copy.md');
    // The one entity is the document's own title.
    expect(await memory.forget({ userId, sourceId: 'pump-copy.md' })).toMatchObject({ erased: { episodes: 1, facts: 1, entities: 1 } });
    expect(await texts()).toContain('07:00');
    expect(await texts()).not.toContain('06:00');
    expect((await memory.retrieve('What is spare?', { userId })).text).toContain('Pump C is spare');
  });
});

describe('a document that is stored again', () => {
  const paragraphs = (words: readonly string[]) => words.map((word) => `# ${word}\n\n${`${word} is told here at length. `.repeat(60)}`).join('\n\n');
  const open = (options: Parameters<typeof openTestMemory>[0] = {}) => openTestMemory({ options: {}, ...options });

  it.each([
    ['with a part less', ['alpha', 'gamma']],
    ['with a part more', ['alpha', 'beta', 'delta', 'gamma']],
    ['with its parts in another order', ['gamma', 'beta', 'alpha']],
    ['with nothing left of it', ['omega']],
    ['empty', []],
  ])('%s holds what a new one would', async (_, words) => {
    const { memory } = open();
    await memory.store({ text: paragraphs(['alpha', 'beta', 'gamma']), sourceId: 'doc.md' }, { userId });
    const before = new Set((await memory.episodes({ userId })).map((episode) => episode.id));
    const text = paragraphs(words);
    const receipt = await memory.store({ text, sourceId: 'doc.md' }, { userId });
    const { memory: fresh } = open();
    await fresh.store({ text, sourceId: 'doc.md' }, { userId });
    const after = (await memory.episodes({ userId })).map((episode) => episode.id);
    expect(after).toEqual((await fresh.episodes({ userId })).map((episode) => episode.id));
    expect(receipt.replaced ?? 0).toBe([...before].filter((id) => !after.includes(id)).length);
    expect(await memory.stats(userId)).toMatchObject({ vectors: after.length, keywords: after.length, outbox: 0 });
  });

  it('leaves documents of other names, agents, sessions and users, and chat turns of that name', async () => {
    const { memory } = open();
    const scopes = [{ userId }, { userId, agentId: 'a' }, { userId, sessionId: 's' }, { userId: 'other' }];
    for (const scope of scopes) await memory.store({ text: V1, sourceId: 'pump.md' }, scope);
    await memory.store({ text: V1, sourceId: 'copy.md' }, { userId });
    await memory.store({ role: 'user', content: 'a turn' }, { userId, sourceId: 'pump.md' });
    await memory.store({ text: V2, sourceId: 'pump.md' }, { userId });
    expect((await memory.stats(userId)).episodes).toBe(5);
    expect((await memory.stats('other')).episodes).toBe(1);
  });

  it('in two versions at once ends as the one given last, whichever call the store answers first', async () => {
    const answered = Promise.withResolvers<void>();
    let asked = 0;
    const { memory } = open({
      wrapGraph: (graph) =>
        replaceMethod(graph, 'erasures', async (...given) => {
          const first = asked++ === 0;
          const answer = await graph.erasures(...given);
          if (first) await answered.promise;
          else answered.resolve();
          return answer;
        }),
    });
    await Promise.all([V1, V2].map((text) => memory.store({ text, sourceId: 'pump.md' }, { userId })));
    expect((await memory.episodes({ userId })).map((episode) => episode.content)).toEqual([V2]);
  });
});

describe('a document that is stored again with the same text', () => {
  const text = 'It lasts for 24 months.';
  const open = () => {
    const embedding = new HashEmbeddingModel();
    const opened = openTestMemory({ embedding, replies: [reply(['The pump lasts for 24 months.'])] });
    const find = async (metadata?: MetadataFilter) =>
      (await opened.memory.retrieve('How long does it last?', { userId, kinds: ['episode'], ...(metadata === undefined ? {} : { metadata }) })).items;
    const names = async () => (await opened.memory.entities({ userId })).map(({ name }) => name).sort();
    return { ...opened, embedding, find, names };
  };

  it('under another heading, on another page and with other metadata, has those, and is read by no model again', async () => {
    const { memory, model, find } = open();
    const store = (heading: string, page: number, status: string) =>
      memory.store({ text: [{ text, heading, metadata: { page } }], sourceId: 'x', metadata: { status } }, { userId });
    const first = await store('Pump A', 3, 'draft');
    const second = await store('Pump B', 7, 'final');
    expect(second).toMatchObject({ revised: 1, indexed: true, episodes: [{ id: first.episodes[0]?.id, created: false }] });
    expect(await find()).toMatchObject([{ metadata: { page: 7, section: 'Pump B', status: 'final' } }]);
    expect(await find({ status: 'final' })).toHaveLength(1);
    expect(await find({ status: 'draft' })).toEqual([]);
    // The heading is a part of what the indexes hold of the chunk.
    const [byHeading] = (await memory.retrieve('Pump B', { userId, kinds: ['episode'] })).items;
    expect(byHeading?.parts['keywords']).toBeGreaterThan(0);
    expect((await memory.history(String(first.episodes[0]?.id), { userId })).map(({ reason }) => reason)).toContain(
      'the document was stored again with other metadata',
    );
    expect(model.requests).toHaveLength(1);
    expect(await memory.check()).toMatchObject({ missing: 0, orphaned: 0 });
  });

  it('under another title leads to the new one only', async () => {
    const { memory, model, names, find } = open();
    const store = (title: string) => memory.store({ text, sourceId: 'x', title }, { userId });
    await store('Draft of Corran');
    expect(await names()).toEqual(['Draft of Corran']);
    await store('Tapir handbook');
    expect(await names()).toEqual(['Tapir handbook']);
    expect(await find()).toMatchObject([{ metadata: { title: 'Tapir handbook' } }]);
    const [entity] = await memory.entities({ userId });
    expect(entity).toMatchObject({ name: 'Tapir handbook', aliases: [] });
    expect(model.requests).toHaveLength(1);
  });

  it('under another title leaves an old one that something else names', async () => {
    const { memory, names } = open();
    await memory.store({ text: 'Of the Corran plan.', sourceId: 'y', title: 'Corran plan' }, { userId });
    await memory.store({ text: 'The Corran plan lasts.', sourceId: 'x', title: 'Corran plan' }, { userId });
    await memory.store({ text: 'The Corran plan lasts.', sourceId: 'x', title: 'Tapir handbook' }, { userId });
    expect(await names()).toEqual(['Corran plan', 'Tapir handbook']);
    await memory.forget({ userId, sourceId: 'y' });
    expect(await names()).toEqual(['Corran plan', 'Tapir handbook']);
  });

  it('and nothing else costs nothing', async () => {
    const { memory, model, embedding } = open();
    const store = () => memory.store({ text, sourceId: 'x', title: 'Handbook', metadata: { b: 1, a: { d: 1, c: 2 } } }, { userId });
    await store();
    const calls = [model.requests.length, embedding.embedded, (await memory.updates({ userId })).length];
    expect(await store()).toMatchObject({ indexed: true });
    expect([model.requests.length, embedding.embedded, (await memory.updates({ userId })).length]).toEqual(calls);
  });

  it('keeps the metadata that somebody gave a chunk by hand', async () => {
    const { memory, find } = open();
    const store = (status: string) => memory.store({ text, sourceId: 'x', metadata: { status } }, { userId });
    const id = String((await store('draft')).episodes[0]?.id);
    await store('review');
    await memory.update(id, { metadata: { status: 'checked' } }, { userId });
    await store('final');
    expect(await find()).toMatchObject([{ metadata: { status: 'checked' } }]);
  });

  it('is ingested, not unchanged, where its front matter is another', async () => {
    using folder = temporaryFolder();
    const { memory, find } = open();
    const run = async (status: string) => {
      writeFileSync(join(folder.path, 'pump.md'), `---\nstatus: ${status}\n---\n${text}\n`);
      return (await ingest(memory, ['pump.md'], { userId, cwd: folder.path })).files[0]?.status;
    };
    expect([await run('draft'), await run('final'), await run('final')]).toEqual(['ingested', 'ingested', 'unchanged']);
    expect(await find({ status: 'draft' })).toEqual([]);
    expect(await find({ status: 'final' })).toHaveLength(1);
  });

  it('takes over what the first store of it left unread too', async () => {
    const { memory, find } = open();
    const store = (page: number, infer: boolean) => memory.store({ text: [{ text, metadata: { page } }], sourceId: 'x' }, { userId, infer });
    await store(3, false);
    await store(7, false);
    expect(await find()).toMatchObject([{ metadata: { page: 7 } }]);
    expect(await store(8, true)).toMatchObject({ episodes: [{ state: 'extracted' }] });
    expect(await find()).toMatchObject([{ metadata: { page: 8 } }]);
  });
});
