import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReadReply, readReply } from './read-reply.ts';
import type { ShownMessage } from './said-by.ts';

const GOOD = {
  facts: ['User fires clay on Sundays'],
  entities: [
    { name: 'pottery wheel', type: 'object' },
    { name: 'garage', type: 'place' },
  ],
  relations: [{ source: 'pottery wheel', relation: 'kept_in', target: 'garage' }],
};
const JSON_TEXT = JSON.stringify(GOOD);

function messages(count: number): ShownMessage[] {
  return Array.from({ length: count }, () => ({ role: 'user', content: '' }));
}

function read(text: string, finishReason: 'stop' | 'length' | 'refusal' = 'stop'): ReadReply {
  return readReply({ text, finishReason }, messages(1));
}

function parts(text: string) {
  const result = read(text);
  if (result.status !== 'read') throw new Error(result.reason);
  return result;
}

describe('finding the JSON of a reply', () => {
  const wrapped: Record<string, string> = {
    plain: JSON_TEXT,
    'fences and small talk': `\`\`\`json\n${JSON_TEXT}\n\`\`\`\n\nI left the small talk out.`,
    'prose around, stray braces after': `Sure, here is what I found:\n\n${JSON_TEXT}\n\nTell me if you need {more} detail.`,
    'upper-case fence, CRLF': `\`\`\`JSON\r\n${JSON_TEXT}\r\n\`\`\``,
    'byte order mark': `\ufeff  \n${JSON_TEXT}\n\n`,
    'fence never closed': `\`\`\`\n${JSON_TEXT}`,
    'stray brace before': `Here {is the list: ${JSON_TEXT}`,
    'unclosed brace after': `${JSON_TEXT}\nTell me if you need {more detail.`,
    'stray bracket after': `${JSON_TEXT} [1] [see above]`,
    'closing brace too many': `${JSON_TEXT}}`,
    thinking: `<think>The user has a {wheel}. "Hm</think>\n${JSON_TEXT}`,
    'thinking that holds a draft': `<think>\n{"facts":["A draft"],"entities":[],"relations":[]}\n</think>${JSON_TEXT}`,
    'thinking that holds a broken draft': `<think>{"facts":["A draft</think>${JSON_TEXT}`,
    'thinking without its opening tag': `First {"facts":["A draft"]} then {"facts":["cut\n</think>\n${JSON_TEXT}`,
    'thinking in brackets': `[THINK]{"facts":["A draft"]}[/THINK]${JSON_TEXT}`,
    'harmony channels': `<|channel|>analysis<|message|>{"facts":["A draft"]}<|end|><|channel|>final<|message|>${JSON_TEXT}`,
    'a draft before the answer': `First try: {"facts":["A draft"]}\nBetter: ${JSON_TEXT}`,
    'whole object as a JSON string': JSON.stringify(JSON_TEXT),
    'trailing commas': JSON_TEXT.replaceAll(']', ',]').replaceAll('}', ',}'),
    'single quotes': JSON_TEXT.replaceAll('"', "'"),
    'bare keys, comment': JSON_TEXT.replace('"facts":', 'facts: /* one */'),
    'wrapped in data': `{"data":${JSON_TEXT}}`,
    'wrapped in result': `{"status":"ok","result":${JSON_TEXT}}`,
    'tool call': `{"name":"extract","arguments":${JSON_TEXT}}`,
    'tool call in tags': `<tool_call>\n{"name":"extract","arguments":${JSON_TEXT}}\n</tool_call>`,
    'tool call with arguments as text': JSON.stringify({ name: 'extract', arguments: JSON_TEXT }),
    'list of tool calls': JSON.stringify({ tool_calls: [{ id: 'c1', type: 'function', function: { name: 'extract', arguments: JSON_TEXT } }] }),
    'a whole message': JSON.stringify({ role: 'assistant', content: JSON_TEXT }),
    'a list of one object': `[${JSON_TEXT}]`,
    'lists as text': JSON.stringify(Object.fromEntries(Object.entries(GOOD).map(([key, list]) => [key, JSON.stringify(list)]))),
    'items as text': JSON.stringify(
      Object.fromEntries(
        Object.entries(GOOD).map(([key, list]) => [key, list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))]),
      ),
    ),
    'each part in an object of its own': Object.entries(GOOD)
      .map(([key, list]) => `### ${key}\n\`\`\`json\n${JSON.stringify({ [key]: list })}\n\`\`\``)
      .join('\n'),
    'a draft, then each part': `Draft: {"facts":["A draft"]}\nAnswer: ${Object.entries(GOOD)
      .map(([key, list]) => JSON.stringify({ [key]: list }))
      .join(',')}`,
    'keys with more words': JSON_TEXT.replace('"facts"', '"extracted_facts"')
      .replace('"entities"', '"entity_list"')
      .replace('"relations"', '"ExtractedRelations"'),
    'thinking of another model that holds a broken draft': `◁think▷{"facts":["A draft◁/think▷${JSON_TEXT}`,
    'quotes escaped, outer ones left out': JSON.stringify(JSON_TEXT).slice(1, -1),
  };
  for (const [title, text] of Object.entries(wrapped)) {
    it(`reads: ${title}`, () => {
      expect(parts(text)).toMatchObject({
        facts: [{ text: 'User fires clay on Sundays' }],
        entities: [
          { name: 'pottery wheel', type: 'object' },
          { name: 'garage', type: 'place' },
        ],
        relations: [{ subject: 'pottery wheel', predicate: 'kept_in', object: 'garage' }],
        skipped: [],
      });
    });
  }

  it('keeps tags that stand inside a string', () => {
    const result = parts('{"facts":["Ana writes </think> and <think> in code"],"entities":[],"relations":[]}');
    expect(result.facts[0]?.text).toBe('Ana writes </think> and <think> in code');
  });

  it.each([
    ['{"facts":["Omar keeps bees","Omar sells hon', 'length'],
    ['{"facts":["Omar keeps bees","Omar sells hon', 'stop'],
    ['{"facts":["Omar keeps bees"],"entities":[{"name":"Omar","type":"person"},{"na', 'stop'],
    ['{"facts":["Omar keeps bees"],"entities":[]', 'stop'],
    ['```json\n{"facts":["Omar keeps bees"', 'length'],
    ['["Omar keeps bees", "Omar se', 'stop'],
    ['<think>Omar keeps bees, so {"facts":[]} and', 'length'],
    ['{"facts":["A draft"]} Better: {"facts":["Omar', 'length'],
    ['Let me think about what', 'length'],
    ['{"', 'length'],
    ['{', 'length'],
  ] as const)('a reply that was cut is never half read: %s', (text, finishReason) => {
    expect(read(text, finishReason)).toMatchObject({ status: 'unusable', cut: true });
  });

  it('takes a whole object even where the limit was reached in the blanks after it', () => {
    expect(read(`${JSON_TEXT}\n\n\n  `, 'length').status).toBe('read');
    expect(read(`${JSON_TEXT}\nAnd also {`, 'length')).toMatchObject({ status: 'unusable', cut: true });
  });

  it.each([
    '',
    ' \n\t',
    '\ufeff',
    'I found nothing.',
    '{}',
    '{"answer":42}',
    '[1,2]',
    '{more}',
    'null',
    'true',
    '{"facts":[null]}',
    '{"facts":[{"colour":"red"}]}',
    'facts:\n- Ana likes tea\nentities: []',
    'facts: ["Ana likes tea"]\nentities: ["Ana"]',
  ])('is unusable: %j', (text) => {
    expect(read(text)).toMatchObject({ status: 'unusable', cut: false });
  });

  it('a repeated schema is no answer', () => {
    expect(read('{"type":"object","properties":{"facts":{"type":"array","items":{"type":"string"}}}}').status).toBe('unusable');
  });

  it('a refusal is unusable', () => {
    expect(read(JSON_TEXT, 'refusal')).toMatchObject({ status: 'unusable', reason: 'the model refused to answer' });
  });

  it.each(['{"facts":[],"entities":[],"relations":[]}', '{"facts":[]}', '{"memory":[]}', '{"facts":null,"entities":null}', '[]'])(
    'is plain nothing: %s',
    (text) => {
      expect(parts(text)).toMatchObject({ facts: [], entities: [], relations: [], skipped: [] });
    },
  );

  it.each([
    '{"facts":["Ana likes tea"],"entities":[],"facts":["Ana likes \\"jam\\""]}',
    '{"facts":["Ana likes tea"],"facts":[],"facts":["Ana likes \\"jam\\""]}',
    '{"fact_1":"Ana likes tea","fact_2":"Ana likes \\"jam\\""}',
  ])('reads all of a key that stands twice: %s', (text) => {
    expect(parts(text).facts.map((fact) => fact.text)).toEqual(['Ana likes tea', 'Ana likes "jam"']);
  });

  const [TEA, JAM] = ['{"facts":["Ana likes tea"],"entities":["Ana"]}', '{"facts":["Ana likes jam"],"entities":["Bo"],"relations":[]}'];
  const NOTHING = '{"facts":[],"entities":[],"relations":[]}';
  it.each([
    `${TEA}\n${JAM}`,
    `${TEA}, ${JAM}`,
    `\`\`\`json\n${TEA}\n\`\`\`\n\`\`\`json\n${JAM}\n\`\`\``,
    `Here they are.\n${TEA}\n---\n${JAM}`,
    `### Message 1\n${TEA}\n\n### Message 2:\n${JAM}`,
    `${TEA}\n${NOTHING}\n${JAM}`,
    `{"1":${TEA},"2":${JAM}}`,
    `{"status":"ok","result":{"message_1":${TEA},"message_2":${JAM}}}`,
    `{"messages":[${TEA},${JAM}]}`,
    `{"第一":${TEA},"第二":${JAM}}`,
    `<tool_call>{"name":"extraction","arguments":${TEA}}</tool_call>\n<tool_call>{"name":"extraction","arguments":${JAM}}</tool_call>`,
  ])('reads one answer a message: %s', (text) => {
    expect(parts(text)).toMatchObject({
      facts: [{ text: 'Ana likes tea' }, { text: 'Ana likes jam' }],
      entities: [{ name: 'Ana' }, { name: 'Bo' }],
      skipped: [],
    });
  });

  it.each([`${TEA}\nIf there is nothing: ${NOTHING}`, `${TEA}\n${NOTHING}`, `${NOTHING}\nRather: ${TEA}`])(
    'an answer with nothing in it takes no other away: %s',
    (text) => {
      expect(parts(text).facts).toMatchObject([{ text: 'Ana likes tea' }]);
    },
  );

  it.each([
    ['{"Fakten":["Ana mag Tee","Ana mag Saft"],"entities":["Ana"],"relations":[]}', 2],
    ['{"facts":["Ana likes tea"],"实体":[{"name":"Ana"}]}', 1],
    ['{"facts":["Ana likes tea"],"关系":"[[\\"Ana\\",\\"likes\\",\\"tea\\"]]"}', 1],
    ['{"facts":["Ana likes tea"],"notes":"one message read","numbers":[1,2]}', 0],
    ['{"facts":[],"entities":[],"relations":[],"notes":["nothing to keep"]}', 1],
  ])('counts what stands under a key that it does not know: %s', (text, count) => {
    expect(parts(text).skipped).toHaveLength(count);
  });

  it('is unusable where all that it says stands under keys that it does not know', () => {
    expect(read('{"Fakten":["Ana mag Tee"],"entities":[],"relations":[]}').status).toBe('unusable');
  });

  it.each([
    '{"output":{"facts":["Ana likes tea"],"facts":["Ana likes \\"jam\\""]}}',
    JSON.stringify({ name: 'extraction', arguments: '{"facts":["Ana likes tea"],"facts":["Ana likes \\"jam\\""]}' }),
    '{"tool_calls":[{"arguments":{"facts":["Ana likes tea"],"facts":["Ana likes \\"jam\\""]}}]}',
  ])('reads all of a key that stands twice further in: %s', (text) => {
    expect(parts(text).facts.map((fact) => fact.text)).toEqual(['Ana likes tea', 'Ana likes "jam"']);
  });

  it('a name that stands twice stays one name', () => {
    expect(parts('{"entities":{"Ana":"person","Ana":"person"}}').entities).toEqual([{ name: 'Ana', type: 'person', episode: 0 }]);
  });

  it('gives the items of an answer the number of its message', () => {
    for (const text of [
      '{"results":[{"message":1,"facts":[]},{"message":2,"facts":["Ana likes tea"],"entities":["Ana"],"relations":[["Ana","likes","tea"]]}]}',
      '{"1":{"facts":[]},"2":{"facts":[{"text":"Ana likes tea"}],"entities":[{"name":"Ana"}],"relations":[{"subject":"Ana","predicate":"likes","object":"tea"}]}}',
      '{"message":2,"facts":["Ana likes tea"],"entities":["Ana"],"relations":[["Ana","likes","tea"]]}\n{"message":1,"facts":[]}',
    ]) {
      const result = readReply({ text, finishReason: 'stop' }, messages(2));
      expect(result).toMatchObject({
        facts: [{ text: 'Ana likes tea', episode: 1 }],
        entities: [
          { name: 'Ana', episode: 1 },
          { name: 'tea', episode: 1 },
        ],
        relations: [{ subject: 'Ana', episode: 1 }],
      });
    }
    const own = readReply({ text: '{"message":2,"facts":[{"text":"Ana likes tea","message":1}]}' }, messages(2));
    expect(own).toMatchObject({ facts: [{ episode: 0 }] });
  });

  it('keeps what an item that stands alone says besides its text', () => {
    const text = '{"message":2,"fact":"Ana likes tea","since":"2024-02-03","about":["Ana"]}\n{"message":1,"fact":"Ana likes jam"}';
    expect(readReply({ text }, messages(2))).toMatchObject({
      facts: [
        { text: 'Ana likes tea', episode: 1, validAt: '2024-02-03', about: ['Ana'] },
        { text: 'Ana likes jam', episode: 0 },
      ],
    });
  });

  it('reads items one a line', () => {
    expect(parts('{"fact":"Ana likes tea"}\n{"fact":"Ana likes jam"},\n{"subject":"Ana","predicate":"likes","object":"jam"}')).toMatchObject({
      facts: [{ text: 'Ana likes tea' }, { text: 'Ana likes jam' }],
      relations: [{ subject: 'Ana', object: 'jam' }],
    });
  });

  it.each([
    ['C:\\data', 'C:\\data'],
    ['\\x27 \\u12', '\\x27 \\u12'],
    ['a\tb', 'a\tb'],
    ['a\\u00e9b\\nc', 'aéb\nc'],
  ])('keeps a backslash that JSON does not know: %j', (written, read) => {
    expect(parts(`{"facts":["Ana wrote ${written}"],}`).facts[0]?.text).toBe(`Ana wrote ${read}`);
  });

  it.each(['\u0000', '\u0001', '\u0007', '\u000b', '\u001b', '\u001f', '\u0085', '\u007f', '\b', '\f', '\n', '\r', '\t'])(
    'reads a reply with a raw %j',
    (control) => {
      const wanted = { facts: [{ text: expect.stringMatching(/^Ana likes\W*tea$/) }], entities: [{ name: 'Ana' }] };
      for (const text of [
        `{"facts":["Ana likes${control}tea"],"entities":["Ana"]}`,
        `{'facts':['Ana likes${control}tea'],'entities':['Ana'],}`,
        JSON.stringify({ arguments: `{"facts":["Ana likes${control}tea"],"entities":["Ana"]}` }),
        `"{\\"facts\\":[\\"Ana likes${control}tea\\"],\\"entities\\":[\\"Ana\\"]}"`,
      ])
        expect(parts(text)).toMatchObject(wanted);
    },
  );

  it('does not store words that a repair would change', () => {
    expect(read("{'facts': ['O'Neil likes tea']}").status).toBe('unusable');
  });
});

describe('properties', () => {
  it('never throws and never invents, whatever the reply', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom('stop', 'length', 'other', 'refusal'), (text, finishReason) => {
        expect(['read', 'unusable']).toContain(readReply({ text, finishReason }, messages(3)).status);
      }),
    );
  });

  it('reads any JSON value without throwing', () => {
    const item = fc.jsonValue({ maxDepth: 3 });
    const record = fc.record({ facts: fc.array(item), entities: fc.array(item), relations: fc.array(item) });
    fc.assert(
      fc.property(record, (value) => {
        const result = readReply({ text: JSON.stringify(value), finishReason: 'stop' }, messages(2));
        if (result.status === 'unusable') return;
        for (const entity of result.entities) expect(entity.name.trim()).not.toBe('');
      }),
    );
  });

  it('a prefix of a reply is either unusable or nothing but the reply', () => {
    fc.assert(
      fc.property(fc.nat({ max: JSON_TEXT.length - 1 }), (length) => {
        expect(read(JSON_TEXT.slice(0, length)).status).toBe('unusable');
      }),
    );
  });

  it('reads a hostile megabyte in bounded work', () => {
    expect(read('{'.repeat(1_000_000)).status).toBe('unusable');
    expect(read('{x '.repeat(300_000)).status).toBe('unusable');
    expect(read('[THINK]'.repeat(100_000)).status).toBe('unusable');
    for (const [open, close] of [
      ['{"fact":', '}'],
      ['{"facts":[', ']}'],
      ['{"entities":{"a":', '}}'],
      ['[', ']'],
    ] as const)
      expect(read(open.repeat(100_000) + close.repeat(100_000)).status).toBeDefined();
  });
});
