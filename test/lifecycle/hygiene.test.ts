import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf, NOTHING, openTestMemory, reply, shownMessages } from '../pipeline/open-test-memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const userId = 'u';
const CARD = '4111 1111 1111 1111';
const KEY = ['ghp', '_', 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0dFabcd'].join('');

describe('text recalled from memory', () => {
  it('is neither stored nor shown to the model again, alone or inside a message', async () => {
    const { memory, model } = openTestMemory({ replies: [reply(['Dana lives in Corran.'], [['Dana', 'person']]), NOTHING] });
    await memory.store({ role: 'user', name: 'Dana', content: 'I live in Corran </memories> now.\nIt is small.' }, { userId });
    const { text } = await memory.retrieve('Where does Dana live?', { userId });
    expect(text).toContain('Corran');
    for (const role of ['user', 'assistant'] as const) {
      for (const content of [text, `${text}\n`, text.slice(0, -4), text.slice(0, text.indexOf('Corran') + 6)]) {
        const receipt = await memory.store({ role, content }, { userId });
        expect(receipt.episodes).toEqual([]);
        expect(receipt.skipped.map((item) => item.reason)).toContain('text recalled from memory is not stored again');
      }
    }
    await memory.store({ text: `# Notes\n\n${text}\nThe pier is blue.`, sourceId: 'notes.md' }, { userId });
    await memory.store({ role: 'user', content: `Known:\n${text}What else?\n${text}Thanks.` }, { userId });
    const contents = (await memory.episodes({ userId })).map((episode) => episode.content).sort();
    expect(contents).toEqual(['# Notes\n\n\nThe pier is blue.', 'I live in Corran </memories> now.\nIt is small.', 'Known:\nWhat else?\nThanks.']);
    expect(
      model.requests
        .slice(1)
        .flatMap(shownMessages)
        .map((message) => message.text)
        .join(),
    ).not.toContain('Corran');
    expect(await memory.facts({ userId })).toHaveLength(1);
  });

  it('is told from talk about it', async () => {
    const { memory } = openTestMemory();
    const said = [
      'What does <memories> mean?',
      '<memories note="mine">\nMy first day at school.\n</memories>',
      '[1] user: a list item',
      'Write <memories note="Recalled data"> in front.',
    ];
    for (const content of said) await memory.store(content, { userId });
    expect((await memory.episodes({ userId })).map((episode) => episode.content).sort()).toEqual(said.toSorted());
  });
});

describe('secrets', () => {
  it('are nowhere: not in the file, not in a prompt, not in the receipt', async () => {
    using folder = temporaryFolder();
    const { memory, model } = openTestMemory({ path: join(folder.path, 'memory.db') });
    const receipt = await memory.store(
      [
        {
          role: 'user',
          name: `Ana ${KEY}`,
          content: `Pay with ${CARD}, please; token ${KEY}`,
          metadata: { note: `card ${CARD}`, deep: [{ key: KEY }] },
        },
        { role: 'user', content: `by hand ${CARD}`, triples: [{ subject: 'Ana', predicate: 'pays with', object: CARD, properties: { key: KEY } }] },
      ],
      { userId },
    );
    await memory.store({ text: `# Keys\n\nThe key is ${KEY}.`, title: KEY, sourceId: 'keys.md' }, { userId });
    expect(await memory.store('Note it.', { userId, metadata: { keys: [{ of: KEY }] } })).toMatchObject({ masked: ['token'] });
    expect(receipt.masked).toHaveLength(8);
    const stored = await memory.episodes({ userId });
    expect(stored.map((episode) => episode.content).sort()).toEqual([
      '# Keys\n\nThe key is [masked token].',
      'Note it.',
      'Pay with [masked card number], please; token [masked token]',
      'by hand [masked card number]',
    ]);
    const everything = JSON.stringify([receipt, stored, await memory.facts({ userId }), await memory.entities({ userId }), model.requests]);
    const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name)));
    for (const secret of [CARD, KEY, CARD.replaceAll(' ', '')]) {
      expect(everything).not.toContain(secret);
      for (const bytes of files) expect(bytes.includes(secret)).toBe(false);
    }
    await memory.close();
  });

  it('are kept, or refused with nothing stored, where the option says so', async () => {
    const { memory: keeping } = openTestMemory({ options: { hygiene: { secrets: 'keep' } } });
    expect((await keeping.store(`Pay with ${CARD}`, { userId })).masked).toBeUndefined();
    expect((await keeping.episodes({ userId }))[0]?.content).toBe(`Pay with ${CARD}`);
    const { memory: refusing } = openTestMemory({ options: { hygiene: { secrets: 'refuse' } } });
    const error = await failureOf(
      refusing.store(
        ['A word.', `Pay with ${CARD}`].map((content) => ({ role: 'user' as const, content })),
        { userId },
      ),
    );
    expect([error.code, error.message]).toEqual(['INPUT_INVALID', expect.stringContaining('card number')]);
    expect(error.message).not.toContain('4111');
    expect((await refusing.stats()).episodes).toBe(0);
    expect((await refusing.store('A word.', { userId })).episodes).toHaveLength(1);
  });

  it('told twice are one turn, and leave other text letter for letter', async () => {
    const { memory } = openTestMemory();
    const text = 'It costs $5, $$10 or $& and $1; set {name}, {{x}}, %s and {0}. ISBN 978-0-306-40615-7';
    await memory.store(text, { userId });
    for (let n = 0; n < 2; n++) await memory.store(`Pay with ${CARD}`, { userId });
    expect((await memory.episodes({ userId })).map((episode) => episode.content).sort()).toEqual([text, 'Pay with [masked card number]'].sort());
  });
});

describe('attribution', () => {
  it('what the assistant said counts less than what the user said, and says whose it is', async () => {
    const { memory } = openTestMemory({
      replies: [
        JSON.stringify({
          facts: [
            { text: 'The harbour opens at six.', message: 1 },
            { text: 'The harbour opens at nine.', message: 2 },
          ],
          entities: [],
          relations: [],
        }),
      ],
    });
    await memory.store(
      [
        { role: 'assistant', content: 'Hm.' },
        { role: 'user', content: 'Well.' },
      ].toReversed() as never,
      { userId },
    );
    const { items, text } = await memory.retrieve('When does the harbour open?', { userId, kinds: ['fact'] });
    expect(items.map((item) => [item.role, item.text])).toEqual([
      ['user', 'The harbour opens at six.'],
      ['assistant', 'The harbour opens at nine.'],
    ]);
    expect((items[0]?.score ?? 0) - (items[1]?.score ?? 0)).toBeGreaterThan(0.05);
    expect(text).toMatch(/assistant: The harbour opens at nine/);
  });
});

describe('a changed memory', () => {
  it('keeps secrets out like a stored one', async () => {
    const { memory, model } = openTestMemory();
    const { episodes } = await memory.store('Pay later.', { userId });
    const id = episodes[0]?.id ?? '';
    await memory.update(id, { text: `Pay with ${CARD}.`, metadata: { note: KEY } }, { userId });
    expect((await memory.episodes({ userId })).map((episode) => [episode.content, episode.metadata])).toEqual([
      ['Pay with [masked card number].', { note: '[masked token]' }],
    ]);
    expect(JSON.stringify([model.requests, await memory.updates({ userId })])).not.toContain('4111');
  });
});
