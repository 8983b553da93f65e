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

function read(text: string, finishReason: 'stop' | 'length' | 'refusal' = 'stop', episodeCount = 1): ReadReply {
  return readReply({ text, finishReason }, messages(episodeCount));
}

function parts(text: string, episodeCount = 1) {
  const result = read(text, 'stop', episodeCount);
  if (result.status !== 'read') throw new Error(result.reason);
  return result;
}

function names(text: string): string[] {
  return parts(text).entities.map((entity) => entity.name);
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
    'a draft, then each part': `Draft: {"facts":["A draft"]}\n${Object.entries(GOOD)
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

  it('does not store words that a repair would change', () => {
    expect(read("{'facts': ['O'Neil likes tea']}").status).toBe('unusable');
  });
});

describe('shapes of items', () => {
  it.each([
    '{"facts":["Ana likes tea"]}',
    '{"facts":"Ana likes tea"}',
    '{"facts":[{"text":"Ana likes tea"}]}',
    '{"facts":[{"fact":"Ana likes tea"}]}',
    '{"facts":[{"content":" Ana likes tea "}]}',
    '{"Facts":[{"Memory":"Ana likes tea"}]}',
    '{"memory":[{"text":"Ana likes tea"}]}',
    '{"fact":"Ana likes tea"}',
    '["Ana likes tea"]',
    '[{"fact":"Ana likes tea"}]',
    '{"data":["Ana likes tea"]}',
    '{"facts":{"fact_1":"Ana likes tea"}}',
    '{"facts":[{"fact":{"text":"Ana likes tea"}}]}',
    '{"facts":"- Ana likes tea"}',
  ])('fact: %s', (text) => {
    expect(parts(text).facts).toEqual([{ text: 'Ana likes tea', episode: 0 }]);
  });

  it.each([
    '["Lena","tunes","piano"]',
    '{"source":"Lena","relation":"tunes","target":"piano"}',
    '{"subject":"Lena","predicate":"tunes","object":"piano"}',
    '{"from":"Lena","relationship":"tunes","to":"piano"}',
    '{"head":"Lena","type":"tunes","tail":"piano"}',
    '{"source":{"name":"Lena"},"label":"tunes","target":{"entity":"piano"}}',
    '{"source_entity":"Lena","relation_type":"tunes","target_entity":"piano"}',
    '{"sourceNodeId":"Lena","sourceNodeType":"person","targetNodeId":"piano","type":"tunes"}',
    '{"start_node":"Lena","type":"tunes","end_node":"piano"}',
    '{"entity1":"Lena","relation":"tunes","entity2":"piano"}',
  ])('relation: %s', (item) => {
    for (const text of [`{"relations":[${item}]}`, `{"facts":[${item}]}`, `{"triples":[${item}]}`]) {
      expect(parts(text).relations).toEqual([{ subject: 'Lena', predicate: 'tunes', object: 'piano', episode: 0 }]);
      expect(names(text)).toEqual(['Lena', 'piano']);
    }
  });

  it.each([
    '{"entities":["Lena"]}',
    '{"entities":[{"entity":"Lena"}]}',
    '{"nodes":[{"label":"Lena"}]}',
    '{"entities":[{"id":"Lena"}]}',
    '{"entities":[42,"Lena"]}',
  ])('entity: %s', (text) => {
    expect(names(text)).toContain('Lena');
  });

  it('ends of relations by the numbers of the entities', () => {
    for (const [one, two] of [
      [1, 2],
      ['n1', 'n2'],
    ]) {
      const result = parts(
        JSON.stringify({
          nodes: [
            { id: one, name: 'Lena' },
            { id: two, name: 'piano' },
          ],
          edges: [{ source_id: one, relation: 'tunes', target_id: two }],
        }),
      );
      expect(result.relations).toMatchObject([{ subject: 'Lena', object: 'piano' }]);
      expect(result.entities.map(({ name }) => name)).toEqual(['Lena', 'piano']);
    }
  });

  it('entities as lists by type, and with more than a type', () => {
    expect(parts('{"entities":{"person":["Lena"],"place":[{"name":"Blue Hall"}]}}').entities).toMatchObject([
      { name: 'Lena', type: 'person' },
      { name: 'Blue Hall', type: 'place' },
    ]);
    expect(parts('{"entities":{"Lena":{"type":"person"}}}').entities).toMatchObject([{ name: 'Lena', type: 'person' }]);
  });

  it('entities as a map of types', () => {
    expect(parts('{"entities":{"Lena":"person","Blue Hall":"place"}}').entities).toEqual([
      { name: 'Lena', type: 'person', episode: 0 },
      { name: 'Blue Hall', type: 'place', episode: 0 },
    ]);
  });

  it('one malformed item never takes the rest with it, and each is counted', () => {
    const result = parts(
      JSON.stringify({
        facts: ['Lena tunes pianos for Blue Hall', '', null, ['x'], true],
        entities: [
          { name: 'Lena', type: 'person' },
          { name: 'Blue Hall' },
          { type: 'place' },
          null,
          { name: '   ' },
          { name: 'piano', type: null },
          { name: null },
          'undefined',
          '\u200b',
        ],
        relations: [
          { source: 'Lena', relation: 'tunes_pianos_for', target: 'Blue Hall' },
          { source: 'Lena', relation: 'knows' },
          { source: null, relation: 'owns', target: 'piano' },
          { source: 'Lena', relation: '', target: 'piano' },
          { source: 'null', relation: 'owns', target: 'piano' },
          null,
          'Lena knows Marek',
          { source: 'Lena', relation: 'met', target: 'Marek' },
          { source: 'Roof', relation: 'part_of', target: ' roof ' },
        ],
      }),
    );
    expect(result.facts.map((fact) => fact.text)).toEqual(['Lena tunes pianos for Blue Hall']);
    expect(result.entities).toEqual([
      { name: 'Lena', type: 'person', episode: 0 },
      { name: 'Blue Hall', episode: 0 },
      { name: 'piano', episode: 0 },
      { name: 'Marek', episode: 0 },
    ]);
    expect(result.relations.map((relation) => relation.object)).toEqual(['Blue Hall', 'Marek']);
    expect(result.skipped.filter((item) => item.item === 'fact')).toHaveLength(4);
    expect(result.skipped.filter((item) => item.item === 'entity')).toHaveLength(6);
    expect(result.skipped.filter((item) => item.item === 'relation')).toHaveLength(7);
    expect(result.skipped).toContainEqual({ item: 'relation', reason: 'subject and object are the same' });
  });

  it('keeps awkward names and predicates character for character', () => {
    const awkward = 'O\'Neil "Ox" \\ {id: 1} $limit\nJr.';
    const result = parts(
      JSON.stringify({
        entities: [{ name: awkward, type: 'City/State' }],
        relations: [{ source: 'Bo', relation: 'a/b & c: d...', target: awkward }],
      }),
    );
    expect(result.entities[0]).toMatchObject({ name: awkward, type: 'City/State' });
    expect(result.relations[0]).toMatchObject({ predicate: 'a/b & c: d...', object: awkward });
  });

  it('an end of a relation is listed once, whatever its spelling', () => {
    expect(names('{"entities":["solar panel"],"relations":[["Solar_Panels","feed","Pump"],["pump","fills","Tank"]]}')).toEqual([
      'solar panel',
      'Pump',
      'Tank',
    ]);
  });

  it('reads circumstances, also as text, and leaves out what can not be', () => {
    const item = { message: '2', text: 'x', since: '2024-02-29', until: '2024', importance: '0.8', confidence: 80, about: 'Ana' };
    const { facts } = parts(
      JSON.stringify({ facts: [item, { text: 'y', since: '2024-02-30', message: 7 }, { text: 'z', since: '2019', until: '2020-05', message: 1.5 }] }),
      2,
    );
    expect(facts).toEqual([
      { text: 'x', about: ['Ana'], episode: 1, validAt: '2024-02-29', importance: 0.8 },
      { text: 'y' },
      { text: 'z', validAt: '2019-01-01', invalidAt: '2020-05-01' },
    ]);
  });

  it.each([
    [{ cause: 'rain', hours: 3, note: null }],
    [[{ name: 'cause', value: 'rain' }, { key: 'hours', value: 3 }, 'x', { name: '', value: 'y' }]],
  ])('reads properties: %j', (properties) => {
    const { relations } = parts(JSON.stringify({ relations: [{ subject: 'a', predicate: 'b', object: 'c', properties }] }));
    expect(relations[0]?.properties).toEqual({ cause: 'rain', hours: 3 });
  });

  it('skips endless texts, mends lone surrogates', () => {
    const result = parts(JSON.stringify({ facts: ['x'.repeat(5000), 'ok'], entities: ['y'.repeat(501)] }));
    expect(result.skipped).toEqual([
      { item: 'entity', reason: 'too long' },
      { item: 'fact', reason: 'too long' },
    ]);
    expect(parts('{"facts":["a\\ud800b\\u0000"]}').facts[0]?.text).toBe('a\ufffdb');
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
