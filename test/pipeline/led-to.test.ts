import { describe, expect, it } from 'vitest';
import { ConstantEmbeddingModel, openTestMemory, reply } from './open-test-memory.ts';

const verbatim = (content: string) => ({ role: 'user' as const, content });

describe('what the walk leads to', () => {
  it('is ranked also where many memories fit the words better', async () => {
    const { memory } = openTestMemory({
      embedding: new ConstantEmbeddingModel(),
      options: { recall: { candidates: 500 } },
      replies: [
        reply(
          [],
          [
            ['Ana', 'person'],
            ['Doctor Lund', 'person'],
          ],
        ),
        reply([], [['Doctor Lund', 'person']]),
      ],
    });
    await memory.store('Ana visits Doctor Lund.', { userId: 'u' });
    const moved = 'Doctor Lund moved to Corran one day, with forty boxes, two cats, a piano and every book that could be carried.';
    await memory.store(moved, { userId: 'u' });
    const notes = Array.from({ length: 120 }, (_, i) => verbatim(`note ${i} of the day`));
    await memory.store(notes, { userId: 'u', infer: false });
    const { items, omitted } = await memory.retrieve('Which day notes has Ana?', { userId: 'u', budget: 1e6, topK: 80 });
    const ranked = [...items.map((item) => item.text), ...omitted.map((item) => item.preview)];
    expect(ranked).toContainEqual(expect.stringContaining('Doctor Lund moved'));
  });
});

describe('what was said beside the best', () => {
  const talk = ['Where did you learn to sail, Bo?', 'Oh, that was my aunt, in Varnes.'].map(verbatim);

  async function openTalk() {
    const { memory } = openTestMemory();
    await memory.store(talk, { userId: 'u', sessionId: 's', infer: false });
    // More that fits better than any channel is asked for.
    const others = Array.from({ length: 120 }, (_, i) => verbatim(`sail ${i} learn where`));
    await memory.store(others, { userId: 'u', sessionId: 'other', infer: false });
    return memory;
  }

  it('is found, though it shares no word with the question', async () => {
    const memory = await openTalk();
    const { items, omitted } = await memory.retrieve('Where did you learn to sail, Bo?', { userId: 'u', budget: 1e6, hops: 0 });
    expect([...items.map((item) => item.text), ...omitted.map((item) => item.preview)]).toContain(talk[1]?.content);
  });

  it('keeps to the filter', async () => {
    const memory = await openTalk();
    const question = 'Where did you learn to sail, Bo?';
    expect((await memory.retrieve(question, { userId: 'u', kinds: ['fact'] })).items).toEqual([]);
    const elsewhere = await memory.retrieve(question, { userId: 'u', sessionId: 'other' });
    expect(new Set(elsewhere.items.map((item) => item.sessionId))).toEqual(new Set(['other']));
  });
});

describe('the first word of a question', () => {
  /** The memories that hold an entity which the question names. */
  async function named(question: string, type: string): Promise<string[]> {
    const { memory } = openTestMemory({ replies: [reply([], [['Team', type]]), reply([], [['Orla Byrne', 'person']])] });
    await memory.store('Team spirit is high.', { userId: 'u' });
    await memory.store('Orla Byrne sails.', { userId: 'u' });
    const { items } = await memory.retrieve(question, { userId: 'u' });
    return items.flatMap(({ text, channels }) => (channels.some(({ channel }) => channel === 'entity') ? [text] : [])).sort();
  }

  it('is no name where its capital is all that speaks for one', async () => {
    expect(await named('Team of Orla Byrne?', 'other')).toEqual(['Orla Byrne sails.']);
  });

  it('is one where it is known for an organization, stands elsewhere, or is all that is named', async () => {
    expect(await named('Team of Orla Byrne?', 'organization')).toEqual(['Orla Byrne sails.', 'Team spirit is high.']);
    expect(await named('Is Orla Byrne in Team?', 'other')).toEqual(['Orla Byrne sails.', 'Team spirit is high.']);
    expect(await named('Team?', 'other')).toEqual(['Team spirit is high.']);
  });
});
