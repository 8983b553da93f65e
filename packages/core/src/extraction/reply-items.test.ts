import { describe, expect, it } from 'vitest';
import { readReply } from './read-reply.ts';

function parts(text: string, count = 1) {
  const messages = Array.from({ length: count }, () => ({ role: 'user' as const, content: '' }));
  const result = readReply({ text, finishReason: 'stop' }, messages);
  if (result.status !== 'read') throw new Error(result.reason);
  return result;
}

function names(text: string): string[] {
  return parts(text).entities.map((entity) => entity.name);
}

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
    ['["Ana likes tea","Ana likes jam",]'],
    ["['Ana likes tea', 'Ana likes jam']"],
    ['{"text":"Ana likes tea"}\n{"text":"Ana likes jam"}'],
    ['{"text":"Ana likes tea"}, {"text":"Ana likes jam"}'],
    ['```json\n["Ana likes tea","Ana likes jam"]\n```'],
    ['- {"text":"Ana likes tea"}\n- Ana likes jam'],
  ])('facts as text: %s', (facts) => {
    expect(parts(JSON.stringify({ facts }))).toMatchObject({ facts: [{ text: 'Ana likes tea' }, { text: 'Ana likes jam' }], skipped: [] });
  });

  it.each([
    ['["Ana likes tea", "Ana li'],
    ['[\n  "Ana likes tea",\n  "Ana li'],
    ['{"text":"Ana likes tea"'],
    ['{'],
    ["{'text':'Ana likes tea'"],
    ['{text: "Ana likes tea"'],
    ['{"text":"Ana likes tea"} {"text":"Ana li'],
    ['["Ana likes tea"] and more'],
    ['[{"text":"Ana likes tea"},'],
    ['```json\n["Ana likes tea",'],
  ])('a list or an item that was broken off is counted and never kept as it is: %s', (broken) => {
    for (const facts of [broken, [broken], [{ text: broken }]]) {
      expect(parts(JSON.stringify({ facts, entities: ['Ana'] }))).toMatchObject({ facts: [], skipped: [{ item: 'fact' }] });
      // Nothing else to keep: the model is asked again.
      expect(readReply({ text: JSON.stringify({ facts }) }, []).status).toBe('unusable');
    }
    expect(names(JSON.stringify({ facts: ['Ana likes tea'], entities: [broken, 'Ana'] }))).toEqual(['Ana']);
    expect(parts(JSON.stringify({ facts: ['Ana likes tea'], relations: [broken] }))).toMatchObject({
      relations: [],
      skipped: [{ item: 'relation' }],
    });
  });

  it.each(['[Ana] likes tea', '[[Blue Hall]] opens at 9', '[#12] is assigned to Ana', '"Dune" is what Ana reads', '{Ana} is a variable'])(
    'a sentence that begins with a bracket or a quotation stays one: %s',
    (text) => {
      expect(parts(JSON.stringify({ facts: [text] })).facts).toMatchObject([{ text }]);
      expect(parts(JSON.stringify({ facts: text })).facts).toMatchObject([{ text }]);
    },
  );

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

  it.each([
    'unknown',
    'Unknown',
    '(none)',
    'none.',
    'None',
    'nil',
    'NaN',
    'N/A',
    '-',
    '—',
    '?',
    '...',
    '\u3164',
    '\u2800',
    'he',
    'She',
    'it',
    'them',
    'someone',
  ])('what names nothing is no thing: %j', (placeholder) => {
    const result = parts(
      JSON.stringify({
        facts: [{ text: 'Ana likes tea', about: [placeholder, 'Ana'] }],
        entities: [placeholder, { name: placeholder, type: 'person' }, { name: 'Ana', aliases: [placeholder] }],
        relations: [
          ['Ana', 'likes', placeholder],
          [placeholder, 'likes', 'Ana'],
        ],
      }),
    );
    expect(result).toMatchObject({ facts: [{ about: ['Ana'] }], entities: [{ name: 'Ana' }], relations: [] });
    expect(result.entities[0]).not.toHaveProperty('aliases');
    expect(result.skipped).toHaveLength(4);
  });

  it.each(['unknown', '(none)', 'none.', 'NaN', '-', '...', '\u3164'])('a fact of nothing is none: %j', (text) => {
    expect(parts(JSON.stringify({ facts: [text, { text }, 'Ana likes tea'] }))).toMatchObject({
      facts: [{ text: 'Ana likes tea' }],
      skipped: [{}, {}],
    });
  });

  it.each(['IT', 'US', 'Nan', 'Nil', 'Na', 'Ana', 'Unknown Pleasures', 'C++', '🐈', '他', 'None of the Above', '!!!x', 'Who'])(
    'a name is a name: %s',
    (name) => {
      expect(names(JSON.stringify({ entities: [name] }))).toEqual([name]);
    },
  );

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
    ...['2025-1-2', '2025/01/02', '2025/1/2', '2025.01.02', '2025.1.2.', '20250102', 20250102, '2025年1月2日', '2025년 1월 2일'],
    '2025-01-02',
  ])('reads the day %j', (since) => {
    expect(parts(JSON.stringify({ facts: [{ text: 'x', since }] })).facts[0]?.validAt).toBe('2025-01-02');
  });

  it.each(['2025-13-01', '20251301', '2025/02/30', '2025/1-2', '01/02/2025', '2025年2月30日'])('leaves out the day %j', (since) => {
    expect(parts(JSON.stringify({ facts: [{ text: 'x', since }] })).facts[0]?.validAt).toBeUndefined();
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
