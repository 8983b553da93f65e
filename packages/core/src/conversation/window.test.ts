import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../domain/chat-message.ts';
import { selectWindow, type WindowOptions } from './window.ts';

const counter = { id: 'words', count: (text: string) => text.split(/\s+/).filter((word) => word !== '').length };
const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const call = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })),
});
const result = (toolCallId: string, content = 'found'): ChatMessage => ({ role: 'tool', content, toolCallId });
const system = { message: { role: 'system', content: 'Be brief.' } as ChatMessage, position: 0 };
const roles = (messages: readonly ChatMessage[], options: WindowOptions) =>
  selectWindow({ messages, system }, options, counter)
    .messages.map((message) => message.role[0])
    .join('');

describe('window', () => {
  it('keeps the question while a loop of calls goes on, and drops the older calls', () => {
    const loop = [user('Where?'), call('a'), result('a'), call('b'), result('b'), call('c'), result('c')];
    expect(roles(loop, { maxMessages: 7 })).toBe('suatatat');
    expect(roles(loop, { maxMessages: 5 })).toBe('suatat');
    expect(roles(loop, { maxMessages: 4 })).toBe('suat');
    expect(roles(loop, { maxMessages: 3 })).toBe('suat');
    expect(roles(loop, { maxMessages: 2 })).toBe('su');
    expect(roles(loop, { maxMessages: 2, startWithUser: false })).toBe('sat');
  });

  it('keeps parallel calls with all their results or not at all', () => {
    const parallel = [user('Both?'), call('a', 'b'), result('b'), result('a'), assistant('Yes.'), user('And now?')];
    expect(roles(parallel, { maxMessages: 6 })).toBe('suattau');
    expect(roles(parallel, { maxMessages: 4, startWithUser: false })).toBe('sau');
    expect(roles([user('Both?'), call('a', 'b'), result('a')], {})).toBe('su');
    expect(roles([user('Both?'), call('a', 'b')], {})).toBe('sua');
    expect(roles([user('Both?'), call('a', 'b'), result('a'), user('Hurry!'), result('b')], {})).toBe('suu');
    expect(roles([user('One?'), call('a'), result('a'), result('a'), assistant('Yes.')], {})).toBe('suata');
  });

  it('never puts the system message between a call and its results', () => {
    const messages = [user('Both?'), call('a', 'b'), result('a'), result('b'), assistant('Yes.')];
    const placed = (position: number) =>
      selectWindow({ messages, system: { ...system, position } }, { systemFirst: false }, counter).messages.map((message) => message.role[0]);
    expect([0, 1, 2, 3, 4].map((position) => placed(position).join(''))).toEqual(['suatta', 'usatta', 'uattsa', 'uattsa', 'uattsa']);
  });

  it('says why a message is not shown', () => {
    const { omitted } = selectWindow({ messages: [result('x'), user('1'), assistant('2'), user('3')] }, { maxMessages: 2 }, counter);
    expect(omitted).toEqual([
      { position: 0, reason: 'orphan' },
      { position: 1, reason: 'window' },
      { position: 2, reason: 'start' },
    ]);
  });

  it('lets decisions, constraints and errors stay longer than small talk', () => {
    const talk = [
      user('We decided to use the harbour key, it must never leave the box.'),
      assistant('Fine.'),
      ...Array.from({ length: 6 }, (_, index) => [user(`Nice weather, right? It is number ${index}.`), assistant('It is.')]).flat(),
      user('What now?'),
    ];
    const kept = (keep: 'newest' | 'important') =>
      selectWindow({ messages: talk, system }, { maxMessages: 5, keep }, counter).messages.map((message) => message.content);
    expect(kept('newest')).not.toContain(talk[0]?.content);
    expect(kept('important')).toContain(talk[0]?.content);
    expect(kept('important')[0]).toBe('Be brief.');
    expect(kept('important').at(-1)).toBe('What now?');
  });

  it('shortens a giant result of a tool before the question, beginning and end visible', () => {
    const { messages, shortened, tokens } = selectWindow(
      { messages: [user('What does the log say?'), call('a'), result('a', `first ${'noise '.repeat(3000)}last`)], system },
      { maxTokens: 60 },
      counter,
    );
    expect(messages[1]?.content).toBe('What does the log say?');
    expect(messages[3]?.content).toMatch(/^first .*\[… \d+ characters left out …\].*last$/);
    expect(shortened).toEqual([2]);
    expect(tokens.total).toBeLessThanOrEqual(60);
  });

  it('cuts no emoji in two', () => {
    const { messages } = selectWindow(
      { messages: [user('🌱'.repeat(500))] },
      { maxTokens: 60 },
      { id: 'characters', count: (text) => [...text].length },
    );
    expect(messages[0]?.content.isWellFormed()).toBe(true);
    expect(messages[0]?.content).toContain('🌱');
  });

  it('leaves the summary out where the last message needs its room, and says so', () => {
    const input = { messages: [user('one two three four five')], summary: user('a b c d e f g h i j') };
    expect(selectWindow(input, { maxTokens: 30 }, counter)).toMatchObject({ summaryOmitted: false, messages: [input.summary, input.messages[0]] });
    expect(selectWindow(input, { maxTokens: 12 }, counter)).toMatchObject({ summaryOmitted: true, messages: input.messages, shortened: [] });
  });

  it('leaves the system message at its place where that is asked', () => {
    const moved = { message: system.message, position: 2 };
    const { messages } = selectWindow({ messages: [user('1'), assistant('2'), user('3')], system: moved }, { systemFirst: false }, counter);
    expect(messages.map((message) => message.role[0]).join('')).toBe('uasu');
  });
});
