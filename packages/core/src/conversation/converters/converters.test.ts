import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../domain/chat-message.ts';
import { type AiSdkMessage, fromAiSdk, toAiSdk } from './ai-sdk.ts';
import { fromLangChain, type LangChainMessage, toLangChain } from './langchain.ts';
import { toModelMessages } from './model-messages.ts';
import { fromOpenAi, toOpenAi } from './openai.ts';

const ODD = 'costs $5 {x} <|endoftext|> 두부 🐈\n"quoted"';
/** A talk with two calls in parallel. */
const TALK: ChatMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: ODD },
  {
    role: 'assistant',
    content: 'Let me look.',
    toolCalls: [
      { id: 'c1', name: 'look', arguments: '{"q":"두부"}' },
      { id: 'c2', name: 'price', arguments: '{}' },
    ],
  },
  { role: 'tool', content: 'found', toolCallId: 'c1', name: 'look' },
  { role: 'tool', content: ODD, toolCallId: 'c2', name: 'price' },
  { role: 'assistant', content: 'Here.' },
];
const withoutToolNames = TALK.map(({ name, ...message }) =>
  message.role === 'tool' ? message : { ...message, ...(name === undefined ? {} : { name }) },
);

describe('OpenAI chat messages', () => {
  it('go there and back without a change', () => {
    const out = toOpenAi(TALK);
    expect(out[2]).toEqual({
      role: 'assistant',
      content: 'Let me look.',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"q":"두부"}' } },
        { id: 'c2', type: 'function', function: { name: 'price', arguments: '{}' } },
      ],
    });
    expect(fromOpenAi(out)).toEqual(withoutToolNames);
  });

  it("of a refusal keep its words; a result of the calls before tools is nobody's words", () => {
    const refusal = { role: 'assistant', content: null, refusal: 'I will not.' };
    const legacy = [
      { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } },
      { role: 'function', name: 'look', content: 'found' },
    ];
    expect(fromOpenAi([refusal, ...legacy])).toEqual([
      { role: 'assistant', content: 'I will not.' },
      { role: 'assistant', content: '' },
    ]);
  });

  it('with null, parts, pictures, developer messages and damaged calls are read', () => {
    expect(
      fromOpenAi([
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'Be ' },
            { type: 'text', text: 'brief.' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this? ' },
            { type: 'image_url', image_url: { url: 'data:x' } },
          ],
          name: 'Mina',
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }, { id: 3 }, null],
        },
      ]),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is this? [image_url]', name: 'Mina' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'look', arguments: '{}' }] },
    ]);
    expect(toOpenAi([{ role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'look', arguments: '{}' }] }])[0]).toMatchObject({
      content: null,
    });
  });
});

describe('messages of the Vercel AI SDK', () => {
  it('leave out a call that the provider has answered itself, and keep what was said around it', () => {
    const content = [
      { type: 'text', text: 'I looked: ' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'web', input: {}, providerExecuted: true },
      { type: 'tool-result', toolCallId: 'a', toolName: 'web', output: { type: 'json', value: [] } },
      { type: 'text', text: 'nothing.' },
      { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: {} },
    ];
    expect(fromAiSdk([{ role: 'assistant', content }])).toEqual([
      { role: 'assistant', content: 'I looked: nothing.', toolCalls: [{ id: 'b', name: 'look', arguments: '{}' }] },
    ]);
  });

  it('go there and back without a change; results of parallel calls share a message there', () => {
    const out = toAiSdk(withoutToolNames);
    expect(out.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    expect(out[3]?.content).toEqual([
      { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'text', value: 'found' } },
      { type: 'tool-result', toolCallId: 'c2', toolName: 'price', output: { type: 'text', value: ODD } },
    ]);
    expect(fromAiSdk(out)).toEqual(TALK);
  });

  it('with the fields of version 4, JSON results, files and arguments that are no JSON are read', () => {
    const messages: AiSdkMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See ' },
          { type: 'file', data: 'x' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool-call', toolCallId: 'c', toolName: 'look', args: { q: 1 } },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'look', result: { rows: [1] } }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'look', output: { type: 'json', value: { rows: [2] } } }] },
    ];
    expect(fromAiSdk(messages)).toEqual([
      { role: 'user', content: 'See [file]' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'look', arguments: '{"q":1}' }] },
      { role: 'tool', content: '{"rows":[1]}', toolCallId: 'c', name: 'look' },
      { role: 'tool', content: '{"rows":[2]}', toolCallId: 'c', name: 'look' },
    ]);
    const [broken] = toAiSdk([{ role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'look', arguments: '{"q":' }] }]);
    expect(broken?.content).toEqual([{ type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{"q":' }]);
  });
});

describe('LangChain messages', () => {
  it('are read by their type and written in the plain form', () => {
    const of = (type: string, fields: object): LangChainMessage => ({ content: '', getType: () => type, ...fields });
    const messages = [
      of('system', { content: 'Be brief.' }),
      of('human', { content: [{ type: 'text', text: ODD }] }),
      of('ai', {
        content: 'Let me look.',
        tool_calls: [
          { id: 'c1', name: 'look', args: { q: '두부' } },
          { id: 'c2', name: 'price', args: {} },
        ],
      }),
      of('tool', { content: 'found', tool_call_id: 'c1', name: 'look' }),
      of('tool', { content: ODD, tool_call_id: 'c2', name: 'price' }),
      of('ai', { content: 'Here.', tool_calls: [] }),
    ];
    expect(fromLangChain(messages)).toEqual(TALK);
    const out = toLangChain(TALK);
    expect(out[2]?.tool_calls?.[0]).toEqual({ type: 'tool_call', id: 'c1', name: 'look', args: { q: '두부' } });
    expect(out[4]).toEqual({ role: 'tool', content: ODD, name: 'price', tool_call_id: 'c2' });
  });

  it('do not leave a model thinking out loud in the text', () => {
    expect(
      fromLangChain([
        {
          type: 'ai',
          content: [
            { type: 'reasoning', reasoning: 'Hm.', text: 'Hm.' },
            { type: 'text', text: 'Yes.' },
          ],
        },
      ]),
    ).toEqual([{ role: 'assistant', content: 'Yes.' }]);
  });
});

describe('messages for a language model', () => {
  it('alternate, and leave tool exchanges out but for what was said', () => {
    expect(toModelMessages([{ role: 'user', content: 'before' }, ...TALK.slice(1)])).toEqual([
      { role: 'user', content: `before\n\n${ODD}` },
      { role: 'assistant', content: 'Let me look.\n\nHere.' },
    ]);
  });
});
