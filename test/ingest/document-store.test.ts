import { MemoryError, type Summariser } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';

const userId = 'u';
const sentences = (subject: string, count: number) =>
  Array.from({ length: count }, (_, n) => `The ${subject} number ${n} is described here in some words. `).join('');
const text = (boat = 'Osprey') =>
  `# Harbour\n\n## Lights\n\n${sentences('light', 6)}\n\n## Boats\n\n${sentences(boat, 6)}\n\n## Key\n\nIt hangs behind the map.\n`;
const small = { documents: { maxTokens: 40, overlapTokens: 0 } };

class CountingSummariser implements Summariser {
  readonly id = 'counting';
  calls: number[] = [];
  failure: MemoryError | undefined;

  async summarise({ messages }: Parameters<Summariser['summarise']>[0]): Promise<string> {
    if (this.failure !== undefined) throw this.failure;
    this.calls.push(messages.length);
    return `Overview of ${messages.length} parts, from ${messages[0]?.content.slice(0, 20).trim()}.`;
  }
}

describe('the summaries of a document', () => {
  const open = () => {
    const summariser = new CountingSummariser();
    const { memory } = openTestMemory({ summariser, options: small });
    const summaries = async () => (await memory.facts({ userId })).filter((fact) => fact.properties['summaryOf'] !== undefined);
    return {
      memory,
      summariser,
      summaries,
      store: (content: string) => memory.store({ text: content, sourceId: 'harbour.md', title: 'Harbour' }, { userId }),
    };
  };

  it('are made of the whole and of each section of several chunks, and rest on those', async () => {
    const { memory, store, summaries } = open();
    const { episodes } = await store(text());
    const found = await summaries();
    expect(found.map((fact) => [fact.properties['summaryOf'], fact.text.split(':')[0]]).toSorted()).toEqual([
      ['document', 'Harbour'],
      ['section', 'Harbour > Boats'],
      ['section', 'Harbour > Lights'],
    ]);
    expect(found.find((fact) => fact.properties['summaryOf'] === 'document')?.evidence.toSorted()).toEqual(
      episodes.map((episode) => episode.id).toSorted(),
    );
    const [best] = (await memory.retrieve('overview of the parts of the harbour', { userId, kinds: ['fact'] })).items;
    expect(best?.text).toContain('Overview of');
  });

  it('are not made again of what stayed, and go with what changed', async () => {
    const { store, summaries, summariser, memory } = open();
    await store(text());
    const before = await summaries();
    const calls = summariser.calls.length;
    await store(text());
    expect(summariser.calls.length).toBe(calls);
    await store(text('Heron'));
    const after = await summaries();
    expect(summariser.calls.length).toBe(calls + 2);
    expect(after).toHaveLength(3);
    expect(after.filter((fact) => before.some((old) => old.id === fact.id)).map((fact) => fact.text)).toEqual([expect.stringContaining('Lights')]);
    await store('');
    expect(await summaries()).toEqual([]);
    expect(await memory.check(userId)).toMatchObject({ missing: 0, orphaned: 0 });
  });

  it('that a model fails to make are named, and made by the next store', async () => {
    const { store, summaries, summariser } = open();
    summariser.failure = new MemoryError('MODEL_UNAVAILABLE', 'down');
    const receipt = await store(text());
    expect(receipt.degraded).toContain('no summary of the document: MODEL_UNAVAILABLE');
    expect(await summaries()).toEqual([]);
    summariser.failure = undefined;
    expect((await store(text())).degraded).toEqual([]);
    expect(await summaries()).toHaveLength(3);
  });

  it('are not made of a short text, or of one that is kept verbatim', async () => {
    const { memory, summariser } = open();
    await memory.store({ text: 'The key hangs behind the map.', sourceId: 'a.md' }, { userId });
    await memory.store({ text: text(), sourceId: 'b.md' }, { userId, infer: false });
    expect(summariser.calls).toEqual([]);
  });
});

describe('a document', () => {
  it('is cut as the options say, with title, headings and place of each chunk', async () => {
    const { memory } = openTestMemory({ options: small });
    await memory.store({ text: text(), sourceId: 'harbour.md', title: 'Harbour', metadata: { author: 'Ana' } }, { userId, infer: false });
    const chunks = (await memory.episodes({ userId })).toSorted((a, b) => a.position - b.position);
    expect(chunks.map((chunk) => chunk.content).join('')).toBe(text());
    expect(chunks.length).toBeGreaterThan(4);
    expect(chunks.at(-1)?.metadata).toEqual({ title: 'Harbour', section: 'Harbour > Key', author: 'Ana' });
  });

  it('given as sections keeps their metadata; one without text is refused by name', async () => {
    const { memory } = openTestMemory();
    await memory.store(
      {
        text: [
          { text: 'Page one.', metadata: { page: 1 } },
          { text: 'Two.', heading: 'B' },
        ],
        sourceId: 'a.pdf',
      },
      { userId, infer: false },
    );
    const chunks = (await memory.episodes({ userId })).toSorted((a, b) => a.position - b.position);
    expect(chunks.map((chunk) => [chunk.content, chunk.metadata])).toEqual([
      ['Page one.', { page: 1 }],
      ['Two.', { section: 'B' }],
    ]);
    const broken = memory.store({ text: [{ heading: 'B' }], sourceId: 'a.pdf' } as never, { userId });
    await expect(broken).rejects.toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining('document.text') });
  });

  it('is found by the words of its title and headings, and shown with them', async () => {
    const { memory } = openTestMemory();
    for (const machine of ['Brenta', 'Lovis', 'Tarn']) {
      const manual = {
        text: `## Warranty\n\nIt lasts for ${machine.length * 7} months.\n`,
        sourceId: `${machine}.md`,
        title: `Manual of the ${machine}`,
      };
      await memory.store(manual, { userId, infer: false });
    }
    const { items, text: packed } = await memory.retrieve('How long is the warranty of the Lovis?', { userId });
    expect(items[0]?.text).toContain('35 months');
    expect(packed).toMatch(/\[1\] Manual of the Lovis, Warranty: /);
  });

  it('cut by meaning is the same text', async () => {
    const { memory } = openTestMemory({ options: { documents: { maxTokens: 60, overlapTokens: 0, boundaries: 'meaning' } } });
    await memory.store({ text: text(), sourceId: 'harbour.md' }, { userId, infer: false });
    const chunks = (await memory.episodes({ userId })).toSorted((a, b) => a.position - b.position);
    const letters = (value: string) => value.replaceAll(/\s/g, '');
    expect(letters(chunks.map((chunk) => chunk.content).join(''))).toBe(letters(text()));
  });

  it('and an entity named like a control token are kept letter for letter', async () => {
    const { memory } = openTestMemory();
    await memory.store([{ role: 'user', content: 'A fact.', triples: [['<|endoftext|>', 'ends', 'the file']] }], { userId });
    const [entity] = await memory.entities({ userId, keys: ['<|endoftext|>'] });
    expect(entity?.name).toBe('<|endoftext|>');
    expect((await memory.retrieve('What does <|endoftext|> end?', { userId })).items[0]?.text).toBeDefined();
  });
});
