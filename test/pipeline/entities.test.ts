import { modelEntityJudge } from '@tandem-memory/core';
import { ScriptedLanguageModel } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { ConstantEmbeddingModel, failureOf, openTestMemory, reply } from './open-test-memory.ts';

const USER = { userId: 'u' };

async function met(...names: readonly (readonly [name: string, type: string])[]) {
  const opened = openTestMemory({ replies: names.map((name) => reply([`Something about ${name[0]}`], [name])) });
  for (const [index, [name]] of names.entries()) await opened.memory.store([{ role: 'user', content: `Note ${index}: ${name}.` }], USER);
  return { ...opened, entities: (await opened.memory.entities(USER)).map((entity) => entity.name).sort() };
}

describe('entity resolution', () => {
  it('entity-01: spellings are one, and nothing is related to itself', async () => {
    const { memory } = openTestMemory({
      replies: [
        reply(
          ['The solar panel is on the roof'],
          [
            ['Solar_Panel', 'object'],
            ['Roof', 'place'],
          ],
          [['Solar_Panel', 'is_on', 'Roof']],
        ),
        reply(['The solar panel was cleaned in May'], [['solar panel', 'object']]),
        reply(
          ['Solar panels feed the pump'],
          [
            [' Solar   Panels ', 'object'],
            ['Pump', 'object'],
          ],
          [
            [' Solar   Panels ', 'feed', 'Pump'],
            ['Roof', 'part_of', 'roof'],
          ],
        ),
      ],
    });
    for (const text of ['It is on the roof.', 'Cleaned in May.', 'They feed the pump.'])
      await memory.store([{ role: 'user', content: text }], { userId: 'u' });
    const entities = await memory.entities(USER);
    expect(entities.map((entity) => entity.name).sort()).toEqual(['Pump', 'Roof', 'Solar_Panel']);
    expect(entities.find((entity) => entity.name === 'Solar_Panel')?.aliases).toEqual(['solar panel', 'Solar   Panels']);
    expect((await memory.facts(USER)).filter((fact) => fact.subjectId !== undefined && fact.subjectId === fact.objectId)).toEqual([]);
    const { items } = await memory.retrieve('solar panel', { userId: 'u', kinds: ['fact'] });
    expect(items.map((item) => item.text)).toEqual(expect.arrayContaining(['The solar panel is on the roof', 'The solar panel was cleaned in May']));
    expect((await memory.retrieve('Solar_Panels', USER)).text).toContain('feed the pump');
  });

  it('entity-02: codes one digit apart stay apart, whatever the vectors say', async () => {
    const { memory } = openTestMemory({
      embedding: new ConstantEmbeddingModel(),
      options: { resolution: { embeddingThreshold: 0.9 } },
      replies: [
        reply(['Permit HB-2031-07 has expired'], [['Permit HB-2031-07', 'document']]),
        reply(['Permit HB-2031-08 is valid'], [['Permit HB-2031-08', 'document']]),
      ],
    });
    for (const text of ['One.', 'Two.']) await memory.store([{ role: 'user', content: text }], USER);
    expect(await memory.entities(USER)).toHaveLength(2);
    expect((await memory.facts(USER)).every((fact) => fact.invalidAt === undefined)).toBe(true);
    const { text } = await memory.retrieve('Is permit HB-2031-08 valid?', { userId: 'u', kinds: ['fact'] });
    expect(text).toContain('Permit HB-2031-08 is valid');
    expect(text).toContain('Permit HB-2031-07 has expired');
  });

  it.each<[readonly (readonly [string, string])[], readonly string[]]>([
    [
      [
        ['Acme Inc.', 'organization'],
        ['Acme', 'organization'],
        ['ACME GmbH', 'organization'],
      ],
      ['Acme Inc.'],
    ],
    [
      [
        ['Müller', 'person'],
        ['Mueller', 'person'],
      ],
      ['Müller'],
    ],
    [
      [
        ['Elasticsearch', 'product'],
        ['Elasticsarch', 'product'],
      ],
      ['Elasticsearch'],
    ],
    [
      [
        ['Ann', 'person'],
        ['Ann Lee', 'person'],
      ],
      ['Ann'],
    ],
    [
      [
        ['Ann Lee', 'person'],
        ['Ann Kim', 'person'],
        ['Ann', 'person'],
      ],
      ['Ann', 'Ann Kim', 'Ann Lee'],
    ],
    [
      [
        ['Ann Lee', 'person'],
        ['Anne Li', 'person'],
      ],
      ['Ann Lee', 'Anne Li'],
    ],
    [
      [
        ['Java', 'product'],
        ['JavaScript', 'product'],
      ],
      ['Java', 'JavaScript'],
    ],
    [
      [
        ['Jordan', 'person'],
        ['Jordan', 'place'],
      ],
      ['Jordan', 'Jordan'],
    ],
    [
      [
        ['서울 시청', 'place'],
        ['서울시청', 'place'],
        ['서울역', 'place'],
      ],
      ['서울 시청', '서울역'],
    ],
    [
      [
        ['りんご', 'object'],
        ['リンゴ', 'object'],
      ],
      ['りんご'],
    ],
    [
      [
        ['v2.1', 'product'],
        ['v2.2', 'product'],
      ],
      ['v2.1', 'v2.2'],
    ],
    [
      [
        ['World Health Organization', 'organization'],
        ['WHO', 'organization'],
      ],
      ['World Health Organization'],
    ],
    [
      [
        ['김민수', 'person'],
        ['Kim Minsu', 'person'],
      ],
      ['김민수'],
    ],
    [
      [
        ['Minsu Kim', 'person'],
        ['김민수', 'person'],
      ],
      ['Minsu Kim'],
    ],
    [
      [
        ['Maria', 'person'],
        ['Мария', 'person'],
      ],
      ['Maria'],
    ],
    [
      [
        ['Дмитрий Толстой', 'person'],
        ['Dmitry Tolstoy', 'person'],
      ],
      ['Дмитрий Толстой'],
    ],
    [
      [
        ['Beijing', 'place'],
        ['北京', 'place'],
      ],
      ['Beijing'],
    ],
    [
      [
        ['李明', 'person'],
        ['黎明', 'person'],
        ['Li Ming', 'person'],
      ],
      ['Li Ming', '李明', '黎明'],
    ],
    [
      [
        ['김민수', 'person'],
        ['Kim Minji', 'person'],
      ],
      ['Kim Minji', '김민수'],
    ],
    [
      [
        ['Ann', 'person'],
        ["Ann's aunt", 'person'],
      ],
      ['Ann', "Ann's aunt"],
    ],
  ])('%j', async (names, expected) => {
    expect((await met(...names)).entities).toEqual(expected);
  });

  it('a name in translation is joined where the caller says so, and each is found by the other', async () => {
    const { memory } = openTestMemory();
    const told = [
      ['Mika', 'lives in', '東京'],
      ['Tokyo', 'also known as', '東京'],
      ['Tokyo', 'has', 'Ueno Park'],
    ] as const;
    for (const triple of told) await memory.store([{ role: 'user', content: triple.join(' '), triples: [triple] }], { userId: 'u' });
    const places = (await memory.entities({ userId: 'u' })).filter(({ name }) => /東京|Tokyo/.test(name));
    expect(places.map(({ name, aliases }) => [name, ...aliases])).toEqual([['東京', 'Tokyo']]);
    const { items } = await memory.retrieve('東京', { userId: 'u' });
    expect(items.filter(({ channels }) => channels.some(({ channel }) => channel === 'entity')).map(({ text }) => text)).toContain(
      'Tokyo has Ueno Park',
    );
    expect(await memory.merges({ userId: 'u' })).toMatchObject([{ step: 'alias', name: '東京', spelling: 'Tokyo' }]);
  });

  it('a merge is in the log and can be undone, with its mentions and edges, for good', async () => {
    const again = reply(
      [],
      [
        ['Ann Lee', 'person'],
        ['kiln', 'object'],
      ],
      [['Ann Lee', 'owns', 'kiln']],
    );
    const { memory } = openTestMemory({
      replies: [
        reply(
          [],
          [
            ['Ann', 'person'],
            ['piano', 'object'],
          ],
          [['Ann', 'plays', 'piano']],
        ),
        again,
      ],
    });
    await memory.store([{ role: 'user', content: 'Ann plays the piano.' }], USER);
    const receipt = await memory.store([{ role: 'user', content: 'Ann Lee owns a kiln.' }], USER);
    const [ann] = await memory.entities({ ...USER, keys: ['ann'] });
    expect(ann?.aliases).toEqual(['Ann Lee']);
    const [merge, ...more] = await memory.merges(USER);
    expect(more).toEqual([]);
    expect(merge).toMatchObject({
      entityId: ann?.id,
      name: 'Ann',
      spelling: 'Ann Lee',
      step: 'first name',
      undone: false,
      episodeId: receipt.episodes[0]?.id,
    });
    expect(await memory.merges({ userId: 'other' })).toEqual([]);
    expect((await failureOf(memory.undoMerge(merge?.id ?? '', { userId: 'other' }))).code).toBe('NOT_FOUND');

    expect(await memory.undoMerge(merge?.id ?? '', USER)).toMatchObject({ entityId: ann?.id, movedMentions: 1, movedFacts: 1 });
    const names = new Map((await memory.entities(USER)).map((entity) => [entity.id, entity.name]));
    const current = (await memory.facts({ ...USER, currentOnly: true }))
      .map((fact) => `${names.get(fact.subjectId ?? '')} ${fact.predicate} ${names.get(fact.objectId ?? '')}`)
      .sort();
    expect(current).toEqual(['Ann Lee owns kiln', 'Ann plays piano']);
    expect((await failureOf(memory.undoMerge(merge?.id ?? '', USER))).code).toBe('NOT_FOUND');
    expect((await memory.merges(USER)).map((each) => each.undone)).toEqual([true]);
    expect(await memory.proposeMerges(USER)).toEqual([]);
    await memory.store([{ role: 'user', content: 'Ann Lee owns a kiln, as I said.' }], USER);
    expect((await memory.entities(USER)).map((entity) => entity.name).sort()).toEqual(['Ann', 'Ann Lee', 'kiln', 'piano']);
  });

  it('a dry run names what would be joined and joins nothing', async () => {
    const { memory } = openTestMemory({
      options: { resolution: { fuzzy: false } },
      replies: [reply(['x'], [['Acme Inc.', 'organization']]), reply(['y'], [['Acme', 'organization']])],
    });
    for (const text of ['One.', 'Two.']) await memory.store([{ role: 'user', content: text }], USER);
    expect((await memory.proposeMerges(USER)).map(({ first, second, step }) => [[first.name, second.name].sort(), step])).toEqual([
      [['Acme', 'Acme Inc.'], 'spelling'],
    ]);
    expect(await memory.entities(USER)).toHaveLength(2);
  });

  it('a dry run also meets a place in two scripts, whichever came first', async () => {
    const { memory } = openTestMemory({
      options: { resolution: { fuzzy: false } },
      replies: [reply(['x'], [['北京', 'place']]), reply(['y'], [['Beijing', 'place']]), reply(['z'], [['Москва', 'place']])],
    });
    for (const text of ['One.', 'Two.', 'Three.']) await memory.store([{ role: 'user', content: text }], USER);
    expect((await memory.proposeMerges(USER)).map(({ first, second, step }) => [[first.name, second.name].sort(), step])).toEqual([
      [['Beijing', '北京'], 'transliteration'],
    ]);
  });

  it('a model decides where the rules leave it open, and joins nothing when it is unclear', async () => {
    const pair = [
      { name: 'Ann', type: 'person' as const },
      { name: 'Ann Lee', type: 'person' as const, aliases: [] },
    ] as const;
    for (const [text, same] of [
      ['{"same":true}', true],
      ['{"same":false}', false],
      ['yes', false],
      ['', false],
    ] as const) {
      const model = new ScriptedLanguageModel([text]);
      expect(await modelEntityJudge(model).isSame(...pair)).toBe(same);
      expect(JSON.stringify(model.requests)).not.toContain('"id"');
    }
  });
});
