import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
