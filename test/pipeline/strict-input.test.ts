import type { MessageInput } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { failureOf, openTestMemory } from './open-test-memory.ts';

const USER = { userId: 'u' };

describe('a condition that is not known', () => {
  it('is refused by every way to read, where it would show more than was asked for', async () => {
    const { memory } = openTestMemory();
    for (const agentId of ['a', 'b']) await memory.store('The owl box faces north.', { ...USER, agentId });
    // As callers in JavaScript do.
    const filters: readonly { readonly userId: string }[] = [{ ...USER, agent_id: 'a' } as never, { ...USER, agentID: 'a' } as never];
    for (const filter of filters)
      for (const read of ['episodes', 'facts', 'entities', 'updates'] as const)
        expect(await failureOf(memory[read](filter)), read).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringMatching(/agent_?ID/i) });
    expect((await failureOf(memory.facts({ ...USER, agentId: 'a' } as never))).message).toContain('agentId');
    expect(await memory.episodes({ ...USER, agentId: 'a' })).toHaveLength(1);
  });

  it('and no user at all', async () => {
    const { memory } = openTestMemory();
    for (const filter of [undefined, null, {}, { userId: '' }] as never[])
      for (const read of ['episodes', 'facts', 'entities', 'updates'] as const)
        expect(await failureOf(memory[read](filter)), read).toMatchObject({ code: 'SCOPE_REQUIRED' });
  });
});

describe('a change', () => {
  it.each([
    ['of another name', { txt: 'new' }, 'txt'],
    ['that refers back to itself', { metadata: circular() }, 'refers back'],
    ['of metadata that are no JSON', { metadata: { at: new Map() } }, 'metadata.at'],
    ['that is too long', { text: 'x'.repeat(9 * 1024 * 1024) }, '8388608'],
    ['that is none', null, 'change'],
  ])('%s is refused, and nothing changes', async (_, change, named) => {
    const { memory } = openTestMemory();
    const { episodes } = await memory.store('The bike is red.', USER);
    const id = episodes[0]?.id ?? '';
    const before = await memory.episodes(USER);
    expect(await failureOf(memory.update(id, change as never, USER))).toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining(named),
    });
    expect(await memory.episodes(USER)).toEqual(before);
  });

  function circular(): Record<string, unknown> {
    const metadata: Record<string, unknown> = {};
    metadata['self'] = metadata;
    return metadata;
  }

  it('of metadata moves no memory to another user or agent', async () => {
    const { memory } = openTestMemory();
    const { episodes } = await memory.store('The bike is red.', { ...USER, agentId: 'a' });
    await memory.update(episodes[0]?.id ?? '', { metadata: { userId: 'v', user_id: 'v', agentId: 'b', id: 'x' } }, USER);
    expect(await memory.episodes({ userId: 'v' })).toEqual([]);
    expect(await memory.episodes({ ...USER, agentId: 'b' })).toEqual([]);
    expect(await memory.episodes({ ...USER, agentId: 'a' })).toMatchObject([{ id: episodes[0]?.id, metadata: { userId: 'v', id: 'x' } }]);
  });
});

describe('an option that is wrong', () => {
  const never = new Date('never');
  it.each([
    [{ budget: 1.5 }, 'options.budget: must be a whole number of tokens, 0 or more, or Infinity; got 1.5.'],
    [{ budget: Number.NaN }, 'got NaN.'],
    [{ budget: '500' }, 'got the text "500".'],
    [{ hops: 3 }, 'options.hops: must be 0, 1 or 2; got 3.'],
    [{ hops: '1' }, 'got the text "1".'],
    [{ since: never }, 'options.since: Give ISO 8601 or a Date'],
    [{ until: 5 }, 'options.until: Give ISO 8601 or a Date'],
    [{ asOf: 'yesterday' }, '(CLI: --as-of)'],
    [{ recordedAsOf: 'yesterday' }, '(CLI: --recorded-as-of)'],
    [{ signal: {} }, 'options.signal: must be an AbortSignal'],
  ])('of retrieve is named with its remedy: %j', async (options, message) => {
    const { memory } = openTestMemory();
    const error = await failureOf(memory.retrieve('owls', { ...USER, ...(options as object) }));
    expect(error).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining(message) });
  });

  it.each([
    [{ triples: ['a'] }, 'message.triples.0: Give [subject, predicate, object]'],
    [{ triples: [['a', 'b']] }, 'message.triples.0: Give [subject, predicate, object]'],
    [{ triples: [['a', 'b', 5]] }, 'message.triples.0.2'],
    [{ triples: [{ subject: 'a', predicate: 'b', objct: 'c' }] }, 'message.triples.0: Unrecognized key: "objct"'],
  ])('of a message is named with its remedy: %j', async (fields, message) => {
    const { memory } = openTestMemory();
    const error = await failureOf(memory.store({ role: 'user', content: 'x', ...fields } as never, USER));
    expect(error).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining(message) });
  });

  it('of any other call says what it should be', async () => {
    const { memory } = openTestMemory();
    const calls = [
      () => memory.store({ text: 5, sourceId: 'd' } as never, USER),
      () => memory.store('x', { ...USER, onProgress: 5 } as never),
      () => memory.forget({ ...USER, before: never }),
      () => memory.consent({ ...USER, granted: true, at: never }),
      () => memory.reextract({ ...USER, signal: 5, onProgress: 5 } as never),
      () => memory.assemble({ question: 'x', history: 5 } as never, USER),
    ];
    for (const call of calls) expect((await failureOf(call())).message).not.toMatch(/Invalid input[.;]/);
  });
});

describe('a time', () => {
  it.each([1_709_285_400, 1_709_285_400_000, '1709285400', 'yesterday', null])(
    'that can be read in two ways, or in none, says how to give it: %j',
    async (at) => {
      const { memory } = openTestMemory();
      const message = { role: 'user', content: 'The kiln arrived today.', at } as unknown as MessageInput;
      expect(await failureOf(memory.store([message], USER))).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining('ISO 8601') });
      expect(await memory.episodes(USER)).toEqual([]);
    },
  );
});

describe('a limit of a page', () => {
  it.each([-1, Number.NaN, 2.5, '2', Number.POSITIVE_INFINITY, null])('of %s is refused by every list, with what it may be', async (limit) => {
    const { memory } = openTestMemory();
    const page = { limit } as { limit: number };
    const lists = [
      ...(['episodes', 'facts', 'entities', 'updates', 'sources'] as const).map((read) => () => memory[read](USER, page)),
      () => memory.users(page),
      () => memory.audit({ ...USER, ...page } as { userId: string; limit: number }),
    ];
    for (const list of limit === null ? lists.slice(0, -1) : lists)
      expect(await failureOf(list())).toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringMatching(/\.limit: must be (?:a whole number, )?0 or more/),
      });
  });

  it('may be nothing, and says when its cursor is none', async () => {
    const { memory } = openTestMemory();
    await memory.store('The owl box faces north.', USER);
    expect([await memory.users({ limit: 0 }), await memory.users({ limit: 1 })]).toEqual([[], ['u']]);
    expect((await failureOf(memory.episodes(USER, { limit: 1, after: 3 as never }))).message).toContain('page.after: must be');
  });
});

describe('a user that is no text', () => {
  it('is refused where none would mean all', async () => {
    const { memory } = openTestMemory();
    for (const read of ['stats', 'check', 'repair'] as const)
      for (const user of [{}, null, { userId: 'u' }, 4, ''] as never[])
        expect(await failureOf(memory[read](user) as Promise<unknown>), read).toMatchObject({ code: 'SCOPE_REQUIRED' });
    expect(await memory.stats()).toMatchObject({ episodes: 0 });
  });
});
