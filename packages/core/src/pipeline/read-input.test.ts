import { describe, expect, it } from 'vitest';
import { cleanText } from '../domain/clean-text.ts';
import type { StoreInput, StoreOptions } from '../domain/store-input.ts';
import { MemoryError } from '../errors.ts';
import { cleanInput } from './hygiene.ts';
import { isBlank, readInput } from './read-input.ts';

const NOW = new Date('2026-06-15T12:00:00.000Z');
const COUNTER = { id: 'words', count: (text: string) => text.split(/\s+/).length };

function read(input: unknown, options: unknown = { userId: 'u' }) {
  const { metadata } = (options ?? {}) as StoreOptions;
  return readInput(cleanInput(input as StoreInput, 'keep', metadata).input, options as StoreOptions, NOW, COUNTER);
}

function episodes(input: unknown, options?: unknown) {
  return read(input, options).incoming.map((item) => item.episode);
}

function ids(input: unknown, options?: unknown): string[] {
  return episodes(input, options).map((episode) => episode.id);
}

function failure(input: unknown, options?: unknown): MemoryError {
  try {
    read(input, options);
  } catch (error) {
    if (MemoryError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

const period = (validAt: string, invalidAt: string) => ({ subject: 'a', predicate: 'b', object: 'c', validAt, invalidAt });
const user = (content: string, fields: Record<string, unknown> = {}) => ({ role: 'user', content, ...fields });

describe('wrong input', () => {
  const circle: Record<string, unknown> = {};
  circle['list'] = [{ back: circle }];
  let deep: unknown = 'x';
  for (let level = 0; level < 20_000; level++) deep = { in: deep };

  it.each([
    ['circular', circle, 'metadata.list.0.back: refers back'],
    ['circular, without a prototype', Object.assign(Object.create(null), { circle }), 'metadata.circle.list.0.back: refers back'],
    ['too deep', { deep }, 'metadata.deep.in.in'],
    ['a BigInt', { big: 5n }, 'metadata.big'],
    ['a function', { call: () => 1 }, 'metadata.call'],
  ])('names metadata that is no JSON: %s', (_, metadata, where) => {
    for (const [error, what] of [
      [failure('x', { userId: 'u', metadata }), 'options'],
      [failure(user('x', { metadata })), 'message'],
      [failure([user('x'), user('y', { metadata })]), 'messages[1]'],
      [failure({ text: 'x', sourceId: 's', metadata }), 'document'],
    ] as const) {
      expect([error.code, error.message]).toEqual(['INPUT_INVALID', expect.stringContaining(`${what}.${where}`)]);
      expect(error.message.length).toBeLessThan(600);
    }
    const triple = { subject: 'a', predicate: 'b', object: 'c', properties: metadata };
    expect(failure(user('x', { triples: [triple] })).message).toContain('message.triples.0');
  });

  it('takes the same object twice, which is no circle', () => {
    const tag = { name: 'x' };
    expect(episodes(user('x', { metadata: { first: tag, second: [tag, tag] } }))[0]?.metadata).toEqual({ first: tag, second: [tag, tag] });
  });

  it.each([
    undefined,
    null,
    {},
    { userId: '' },
    { userId: '  ' },
    { userId: '\u200b' },
    { userId: 5 },
    { userId: null },
    { userId: 'x'.repeat(4097) },
    { userId: 'a\ud800' },
  ])('needs a user: %j', (options) => {
    const error = failure('x', options ?? null);
    expect(error.code).toBe('SCOPE_REQUIRED');
    expect(error.message).toContain('userId');
  });

  it.each([
    [{ userId: 'u', sessionId: '' }, 'options.sessionId'],
    [{ userId: 'u', agentId: ' ' }, 'options.agentId'],
    [{ userId: 'u', key: 'x'.repeat(4097) }, 'options.key'],
    [{ userId: 'u', infer: 'no' }, 'options.infer'],
    [{ userId: 'u', metadata: { f: () => 1 } }, 'options.metadata'],
    [{ userId: 'u', metadata: 'x' }, 'options.metadata'],
    [{ userId: 'u', at: 5 }, 'options.at'],
    [{ userId: 'u', signal: {} }, 'options.signal'],
    [{ userId: 'u', sesionId: 's' }, 'sesionId'],
    [{ userId: 'u', user_id: 'v' }, 'user_id'],
  ])('options %j: names %s', (options, field) => {
    const error = failure('x', options);
    expect(error.code).toBe('INPUT_INVALID');
    expect(error.message).toContain(field);
  });

  it.each([
    [null, 'message'],
    [undefined, 'message'],
    [5, 'message'],
    [{}, 'message.role'],
    [{ text: 'a document without its name' }, 'message.role'],
    [{ role: 'boss', content: 'x' }, 'message.role'],
    [{ role: 'user' }, 'message.content'],
    [{ role: 'user', content: 5 }, 'message.content'],
    [{ role: 'user', content: [{ type: 'text', text: 'x' }] }, 'message.content'],
    [user('x', { at: 'yesterday' }), 'message.at'],
    [user('x', { at: new Date('x') }), 'message.at'],
    [user('x', { id: '' }), 'message.id'],
    [user('x', { colour: 'red' }), 'colour'],
    [user('x', { metadata: { n: Number.NaN } }), 'message.metadata.n'],
    [user('x', { triples: [['a', 'b']] }), 'message.triples.0'],
    [user('x', { triples: [{ subject: 'a', predicate: 'b', object: 'c', confidence: 2 }] }), 'message.triples.0'],
    [user('x', { triples: [period('2024-03-02', '2024-03-01')] }), 'message.triples.0.invalidAt: is before validAt'],
    [user('x', { triples: [period('2024-03-01T01:00:00+09:00', '2024-02-29T15:00:00Z')] }), 'message.triples.0.invalidAt: is before validAt'],
    [[user('x'), null], 'messages[1]'],
    [[user('x'), user('y'), { role: 'user', content: null }], 'messages[2].content'],
    [{ text: 5, sourceId: 'd' }, 'document.text'],
    [{ text: 'x', sourceId: ' ' }, 'document.sourceId'],
    [{ text: 'x', sourceId: 'd', at: 'soon' }, 'document.at'],
    [user('x'.repeat(8 * 1024 * 1024 + 1)), 'message.content'],
  ])('input %#: names %s', (input, field) => {
    const error = failure(input);
    expect(error.code).toBe('INPUT_INVALID');
    expect(error.message).toContain(field);
  });

  it('never repeats the text of a message', () => {
    expect(failure([user('my secret', { at: 'my secret' })]).message).not.toContain('secret');
    expect(failure({ role: 'my secret', content: 'my secret' }).message).not.toContain('secret');
  });
});

describe('what becomes of messages', () => {
  it('takes a string, a message, a list', () => {
    expect(episodes('I like tea.')).toMatchObject([
      {
        userId: 'u',
        kind: 'text',
        role: 'user',
        content: 'I like tea.',
        at: NOW.toISOString(),
        createdAt: NOW.toISOString(),
        utcOffsetMinutes: 0,
        metadata: {},
        state: 'pending',
      },
    ]);
    expect(episodes('I like tea.')[0]).not.toHaveProperty('threadId');
    expect(
      episodes(user('x', { name: ' Ana ', at: '2025-01-01T01:30:00+09:00', metadata: { b: 2 } }), {
        userId: 'u',
        agentId: 'a',
        sessionId: 's',
        sourceId: 'f',
        metadata: { a: 1, b: 1 },
      }),
    ).toMatchObject([
      {
        kind: 'message',
        speaker: 'Ana',
        at: '2024-12-31T16:30:00.000Z',
        utcOffsetMinutes: 540,
        agentId: 'a',
        sessionId: 's',
        threadId: 's',
        sourceId: 'f',
        metadata: { a: 1, b: 2 },
      },
    ]);
    expect(episodes([user('a'), user('b', { at: '2024-01-01' })], { userId: 'u', at: '2024-03-01' }).map((episode) => episode.at)).toEqual([
      '2024-03-01T00:00:00.000Z',
      '2024-01-01T00:00:00.000Z',
    ]);
    expect(episodes('x', { userId: 'u', infer: false })[0]?.state).toBe('verbatim');
  });

  it('skips blank, system and tool messages and says so', () => {
    const { incoming, skipped } = read([
      user(''),
      user(' \n\t'),
      user('\u200b\u2060\ufeff'),
      user('\0'),
      { role: 'system', content: 'likes jazz' },
      { role: 'tool', content: '{"x":1}' },
      user('hi'),
    ]);
    expect(incoming.map((item) => item.episode.content)).toEqual(['hi']);
    expect(skipped.map((item) => item.item)).toEqual(Array.from({ length: 6 }, () => 'message'));
    expect(skipped.map((item) => item.reason).join()).not.toContain('jazz');
  });

  it.each(['', '  \n', '\u200b', []])('gives nothing for %j', (input) => {
    expect(read(input).incoming).toEqual([]);
  });

  it('keeps a text letter for letter, save NUL and halves of surrogate pairs', () => {
    const text = ' \r\n $& {x} <|endoftext|> 👩‍🚀 한국 \u2028 ';
    expect(episodes(text)[0]?.content).toBe(text);
    expect(episodes('a\0b\ud800c')[0]?.content).toBe('ab\ufffdc');
  });

  it('puts messages of one call into one thread', () => {
    const [a, b] = episodes([user('x'), user('y')]);
    expect(a?.threadId).toBeDefined();
    expect(a?.threadId).toBe(b?.threadId);
    expect(episodes([user('x'), user('z')])[0]?.threadId).not.toBe(a?.threadId);
    expect(episodes([user('x'), user('y')], { userId: 'v' })[0]?.threadId).not.toBe(a?.threadId);
  });

  it('reads relations of the caller, as triples or in full', () => {
    const full = {
      subject: 'Dana',
      predicate: 'knows',
      object: 'Bo',
      subjectType: 'person',
      objectType: 'dog',
      confidence: 0.5,
      validAt: '2024-01-01',
      properties: { since: 'school' },
    };
    const [item] = read(
      user('x', {
        triples: [['Dana', 'works_at', 'Harbor Cafe'], full],
      }),
    ).incoming;
    expect(item?.relations).toEqual([{ subject: 'Dana', predicate: 'works_at', object: 'Harbor Cafe', confidence: 1 }, full]);
    const hour = period('2024-03-01T23:00:00+09:00', '2024-03-01T14:30:00Z');
    expect(read(user('x', { triples: [hour] })).incoming[0]?.relations).toMatchObject([hour]);
    expect(read(user('x')).incoming[0]?.relations).toBeUndefined();
    expect(read(user('x', { triples: [] })).incoming[0]?.relations).toEqual([]);
  });
});

describe('ids', () => {
  it('are the same for the same call, also later', () => {
    const call = [user('ok'), user('ok'), { role: 'assistant', content: 'ok' }];
    const later = readInput(call as StoreInput, { userId: 'u' }, new Date('2027-01-01T00:00:00.000Z'), COUNTER).incoming.map(
      (item) => item.episode.id,
    );
    expect(ids(call)).toEqual(later);
    expect(new Set(later).size).toBe(3);
  });

  it.each([
    [{ userId: 'v' }],
    [{ userId: 'u', sessionId: 's' }],
    [{ userId: 'u', agentId: 's' }],
    [{ userId: 'u', sourceId: 's' }],
    [{ userId: 'u', key: 's' }],
    [{ userId: 'u', at: '2024-01-01' }],
  ])('are others for %j', (options) => {
    expect(ids('x', options)).not.toEqual(ids('x'));
    expect(ids('x', options)).toEqual(ids('x', options));
  });

  it('of a call with a key rest on it and on the place, whatever the text', () => {
    const first = ids([user('one'), user('two')], { userId: 'u', key: 'k' });
    expect(new Set(first).size).toBe(2);
    expect(ids([user('One!', { at: '2024-01-01' }), user('two'), user('three')], { userId: 'u', key: 'k' }).slice(0, 2)).toEqual(first);
    expect(ids('one', { userId: 'u', key: 'k' })).toEqual(first.slice(0, 1));
    for (const other of [{ userId: 'v', key: 'k' }, { userId: 'u', key: 'l' }, { userId: 'u' }])
      expect(ids('one', other)).not.toEqual(first.slice(0, 1));
  });

  it('tell role, speaker, text and time apart', () => {
    const all = [
      user('x'),
      user('y'),
      { role: 'assistant', content: 'x' },
      user('x', { name: 'Ana' }),
      user('x', { at: '2024-01-01' }),
      user('x', { at: '2024-01-02' }),
      user('z', { id: 'x' }),
    ].map((message) => ids(message)[0]);
    expect(new Set(all).size).toBe(all.length);
  });

  it('of the caller name the turn, whatever its text or time', () => {
    expect(ids(user('before', { id: 'm1' }))).toEqual(ids(user('after', { id: 'm1', at: '2024-01-01' })));
    expect(ids(user('x', { id: 'm1' }))).not.toEqual(ids(user('x', { id: 'm2' })));
    const { incoming, skipped } = read([user('before', { id: 'm1' }), user('after', { id: 'm1' }), user('other', { id: 'm2' })]);
    expect(incoming.map((item) => item.episode.content)).toEqual(['before', 'other']);
    expect(skipped).toHaveLength(1);
  });
});

describe('documents', () => {
  it('become chunks of the thread that their name is', () => {
    const input = {
      text: '# Pier\nThe pier light is green.\n# Mill\nThe mill wheel turns.',
      sourceId: 'notes.md',
      title: 'Notes',
      metadata: { a: 1 },
      at: '2024-03-01',
    };
    const chunks = episodes(input);
    expect(chunks.map(({ kind, sourceId, threadId, at, metadata }) => ({ kind, sourceId, threadId, at, metadata }))).toEqual([
      {
        kind: 'chunk',
        sourceId: 'notes.md',
        threadId: 'notes.md',
        at: '2024-03-01T00:00:00.000Z',
        metadata: { a: 1, title: 'Notes', section: 'Pier' },
      },
      {
        kind: 'chunk',
        sourceId: 'notes.md',
        threadId: 'notes.md',
        at: '2024-03-01T00:00:00.000Z',
        metadata: { a: 1, title: 'Notes', section: 'Mill' },
      },
    ]);
    expect(ids(input)).toEqual(ids(input));
    expect(ids({ ...input, sourceId: 'copy.md' })).not.toEqual(ids(input));
    expect(episodes({ text: ' \n\n', sourceId: 'd' })).toEqual([]);
  });
});

describe('cleanText and isBlank', () => {
  it.each([
    ['', true],
    [' \n', true],
    ['\u200b\u200d\ufeff', true],
    ['\u3000', true],
    ['x', false],
    ['🙂', false],
    ['👩‍🚀', false],
    ['.', false],
  ])('%j', (text, blank) => {
    expect(isBlank(text)).toBe(blank);
    expect(cleanText(text)).toBe(text);
  });
});
