import { createHash } from 'node:crypto';
import type { Memory } from '@tandem-memory/core';
import { assert, asyncProperty, constantFrom, option, record, string, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureOf, onServers, openTestMemory, propertyRuns, reply } from '../pipeline/open-test-memory.ts';

const userId = 'u';

async function exported(memory: Memory, user = userId): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of memory.export({ userId: user })) lines.push(line);
  return lines;
}

/** A memory with every kind of record, a gap in its thread, a closed fact, and another user beside it. */
async function filled(): Promise<Memory> {
  const { memory } = openTestMemory({
    replies: [
      reply(
        ['Dana likes 국수.', 'Dana moved.'],
        [
          ['Dana', 'person'],
          ['국수', 'stew'],
        ],
        [['Dana', 'likes', '국수']],
      ),
    ],
  });
  const turns = ['Dana likes 국수. 👩‍👩‍👧', 'Dana moved.\n"quoted" \\ <|endoftext|>', 'Nothing.'].map((content, n) => ({
    role: n === 1 ? ('assistant' as const) : ('user' as const),
    name: 'Zoë',
    content,
    at: `2024-03-0${n + 1}T09:00:00+09:00`,
    metadata: { n, nested: { list: [1, null, 'x'] }, '': 'empty' },
  }));
  const { episodes } = await memory.store(turns, { userId, agentId: 'a', sessionId: 's', sourceId: 'chat.jsonl' });
  await memory.store({ text: '# Pumps\n\nPump B opens at 06:00.', sourceId: 'pump.md', title: 'Pumps' }, { userId });
  await memory.store(
    {
      role: 'user',
      content: 'by hand',
      triples: [
        { subject: 'Dana', predicate: 'lives in', object: 'Lindby', validAt: '2020-01-01', invalidAt: '2021-01-01', properties: { why: 'work' } },
      ],
    },
    { userId },
  );
  await memory.store('verbatim', { userId, infer: false });
  await memory.delete(episodes[1]?.id ?? '', { userId });
  await memory.store('of another', { userId: 'other' });
  return memory;
}

const strip = (lines: readonly string[]) => lines.map((line) => line.slice(0, -1));

describe('export and import', () => {
  it('give the same memory back, byte by byte, found by the same questions', async () => {
    const memory = await filled();
    const lines = await exported(memory);
    const { memory: copy } = openTestMemory({ embedded: true });
    const receipt = await copy.import(strip(lines));
    const stats = await memory.stats(userId);
    expect(receipt).toMatchObject({ userId, episodes: stats.episodes, entities: stats.entities, facts: stats.facts, indexed: true, degraded: [] });
    expect(receipt.created).toBe(stats.episodes + stats.entities + stats.facts);
    expect(await exported(copy)).toEqual(lines);
    const { graphStore: _, vectorIndex: __, keywordIndex: ___, ...counts } = stats;
    expect(await copy.stats(userId)).toMatchObject(counts);
    for (const query of ['What does Dana like?', '국수', 'When does pump B open?', 'Lindby']) {
      const ask = async (one: Memory) => {
        const { items, text } = await one.retrieve(query, { userId });
        // The copy is always in a file, whose scores differ from a server's in the last digits.
        return onServers ? items.map((item) => item.text).sort() : { items, text };
      };
      expect(await ask(copy)).toEqual(await ask(memory));
    }
    expect(lines.join('')).not.toContain('of another');
    expect(await copy.users()).toEqual([userId]);
  });

  it('keep decisions, marks and conversations', async () => {
    const { memory, clock, conversations } = openTestMemory();
    const open = { userId, sessionId: 'talk' };
    await memory.consent({ userId, granted: true, actor: 'form 7', note: 'asked', at: '2024-01-01' });
    await memory.consent({ userId, granted: false, purpose: 'support' });
    const { episodes } = await memory.store('Dana likes 국수.', { userId, expiresAt: '2040-01-01' });
    await memory.store('Dana sings.', { userId });
    await memory.retrieve('국수', { userId });
    await conversations.update(open, [
      { type: 'start', epoch: 'e' },
      { type: 'message', message: { role: 'user', content: 'Hi \ud83d "there"', at: '2024-01-01T00:00:00.000Z', metadata: { n: [1, null] } } },
      { type: 'archived', epoch: 'e', upTo: 1, episodes: [[0, episodes[0]?.id ?? '']] },
    ]);
    clock.advance(1000 * 86_400_000);
    await memory.decay({ userId, halfLifeDays: 1 });
    const lines = await exported(memory);
    expect(['mark', 'consent', 'conversation'].map((type) => lines.filter((line) => line.includes(`"type":"${type}"`)).length)).toEqual([2, 2, 1]);
    const { memory: copy, conversations: copied } = openTestMemory();
    expect(await copy.import(strip(lines))).toMatchObject({ conversations: 1 });
    expect(await exported(copy)).toEqual(lines);
    expect(await copy.consents(userId)).toEqual(await memory.consents(userId));
    expect(await copy.stats(userId)).toMatchObject({ episodes: 2, vectors: 0 });
    expect(await copied.get(open)).toEqual(await conversations.get(open));
    // Once more, after a decision of the user's own: that one stands, and nothing comes twice.
    await copy.consent({ userId, granted: false });
    await copy.import(strip(lines));
    expect((await copy.consents(userId)).now.map(({ granted }) => granted)).toEqual([false, false]);
    expect((await copied.get(open)).length).toBe(3);
  });

  it('take a file of the first version', async () => {
    const lines = strip(await exported(await filled())).map((line) => line.replace('"version":2', '"version":1'));
    const last = lines.at(-2) ?? '';
    const old = withLine([...lines.slice(0, -2), ''], last);
    const { memory } = openTestMemory();
    expect((await memory.import(old)).created).toBeGreaterThan(0);
  });

  it('go round with any turns', async () => {
    const turn = record({
      content: string({ unit: 'grapheme', minLength: 1 }),
      name: option(constantFrom('Ana', 'Bo')),
      sessionId: constantFrom('s', 't'),
    });
    await assert(
      asyncProperty(uniqueArray(turn, { maxLength: 8, selector: (each) => each.content }), async (turns) => {
        const { memory } = openTestMemory();
        for (const { content, name, sessionId } of turns) {
          await memory.store(
            { role: 'user', content, ...(name === null ? {} : { name }), triples: [[name ?? 'Cy', 'said', content]] },
            { userId, sessionId },
          );
        }
        const lines = await exported(memory);
        const { memory: copy } = openTestMemory({ embedded: true });
        await copy.import(strip(lines));
        expect(await exported(copy)).toEqual(lines);
        await memory.close();
        await copy.close();
      }),
      { numRuns: propertyRuns(20) },
    );
  });

  it('keep what ended, and why; and what ended holds again where the turn that ended it is forgotten', async () => {
    const { memory } = openTestMemory();
    const said = async (place: string, at: string) =>
      (await memory.store({ role: 'user', content: `Ann lives in ${place}.`, at, triples: [['Ann', 'lives in', place]] }, { userId })).episodes[0]
        ?.id ?? '';
    await said('Lindby', '2024-01-01');
    const second = await said('Corran', '2024-02-01');
    const lines = await exported(memory);
    expect(lines.some((line) => line.includes('"type":"update"'))).toBe(true);
    const { memory: copy } = openTestMemory({ embedded: true });
    await copy.import(strip(lines));
    expect(await exported(copy)).toEqual(lines);
    const updates = async (one: Memory) => (await one.updates({ userId })).map(({ sequence: _, ...update }) => update);
    expect(await updates(copy)).toEqual(await updates(memory));
    for (const one of [memory, copy]) {
      expect(await one.facts({ userId, currentOnly: true })).toHaveLength(1);
      await one.delete(second, { userId });
      expect((await one.facts({ userId, currentOnly: true })).map((fact) => [fact.text, fact.invalidAt])).toEqual([
        ['Ann lives in Lindby', undefined],
      ]);
      expect(await updates(one)).toEqual([]);
      expect((await one.episodes({ userId })).map((episode) => episode.outdated)).toEqual([undefined]);
    }
  });

  it('of the same again changes nothing, completes what lacks, and leaves others alone', async () => {
    const memory = await filled();
    const lines = await exported(memory);
    const others = await exported(memory, 'other');
    expect(await memory.import(strip(lines))).toMatchObject({ created: 0 });
    await memory.forget({ userId, sessionId: 's' });
    expect((await memory.import(strip(lines))).created).toBeGreaterThan(0);
    expect((await memory.episodes({ userId })).length).toBe((await exported(memory)).filter((line) => line.includes('"episode"')).length);
    expect(await exported(memory, 'other')).toEqual(others);
  });

  it('of nobody known is an empty file, which can be imported', async () => {
    const { memory } = openTestMemory();
    const lines = await exported(memory, 'nobody');
    expect(lines).toHaveLength(2);
    expect(await memory.import(strip(lines))).toMatchObject({ created: 0, episodes: 0 });
    expect(await memory.users()).toEqual([]);
  });
});

/** A file that holds one line more, with the count and checksum that fit. */
function withLine(lines: readonly string[], line: string): string[] {
  const body = [...lines.slice(0, -1), line];
  const sha256 = createHash('sha256')
    .update(body.map((each) => `${each}\n`).join(''))
    .digest('hex');
  return [...body, JSON.stringify({ type: 'end', records: body.length - 1, sha256 })];
}

describe('a file that is no sound export', () => {
  const damage: [string, (lines: string[]) => string[]][] = [
    ['an empty file', () => []],
    ['a foreign file', () => ['{"role":"user","content":"hello"}']],
    ['no JSON', () => ['PK\u0003\u0004']],
    ['a cut file', (lines) => lines.slice(0, -1)],
    ['a cut line', (lines) => [...lines.slice(0, 3), lines[3]?.slice(0, -5) ?? '']],
    ['a line less', (lines) => lines.filter((_, n) => n !== 2)],
    ['a line twice', (lines) => lines.flatMap((line, n) => (n === 2 ? [line, line] : [line]))],
    ['a changed text', (lines) => lines.map((line) => line.replace('Pump B', 'Pump X'))],
    ['another user', (lines) => lines.map((line) => line.replace('"userId":"u"', '"userId":"v"'))],
    ['a newer version', (lines) => lines.map((line) => line.replace('"version":2', '"version":3'))],
    ['no conversation', (lines) => withLine(lines, '{"type":"conversation","sessionId":"s","entries":[{"type":"shell"}]}')],
    ['an unknown field', (lines) => lines.map((line) => line.replace('"type":"episode",', '"type":"episode","admin":true,'))],
    ['lines behind the end', (lines) => [...lines, lines[1] ?? '']],
  ];

  it.each(damage)('(%s) is refused with its line, and nothing of it is written', async (_, harm) => {
    const lines = strip(await exported(await filled()));
    const { memory } = openTestMemory();
    const error = await failureOf(memory.import(harm(lines)));
    expect([error.code, error.message]).toEqual(['INPUT_INVALID', expect.stringMatching(/line \d+/)]);
    expect(error.message).not.toContain('Pump');
    expect(await memory.stats()).toMatchObject({ episodes: 0, entities: 0, facts: 0, users: 0, outbox: 0 });
  });

  it('is not given to another user', async () => {
    const lines = strip(await exported(await filled()));
    const { memory } = openTestMemory();
    expect((await failureOf(memory.import(lines, { userId: 'other' }))).code).toBe('INPUT_INVALID');
    expect(await memory.users()).toEqual([]);
  });
});
