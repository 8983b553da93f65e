import type { Extraction, NewEpisode } from '@tandem-memory/core';
import { newEpisode } from '@tandem-memory/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rulesExtractor } from './rules-extractor.ts';

const extractor = rulesExtractor();

async function extract(content: string, fields: Partial<NewEpisode> = {}): Promise<Extraction> {
  return extractor.extract({ episodes: [newEpisode(content, fields)], preceding: [] });
}

function triples(extraction: Extraction): string[] {
  return extraction.relations.map(({ subject, predicate, object }) => `${subject} | ${predicate} | ${object}`);
}

/**
 * Sentences with every triple that a careful reader would write down. The rules were written with these in view: the bounds guard what was
 * reached and promise nothing for other texts.
 */
const LABELLED: readonly (readonly [string, ...string[]])[] = [
  ['I work at Siemens as a data engineer.', 'User | work at | Siemens', 'User | work as | data engineer'],
  [
    'My wife Clara teaches physics at Turin High School.',
    'Clara | be wife of | User',
    'Clara | teach | physics',
    'Clara | teach at | Turin High School',
  ],
  ['We adopted two rescue dogs from Happy Paws in March 2024.', 'User | adopt | rescue dogs', 'User | adopt from | Happy Paws'],
  ['Our billing service depends on Kafka and PostgreSQL.', 'billing service | depend on | Kafka', 'billing service | depend on | PostgreSQL'],
  ['The memory leak was caused by the image cache.', 'image cache | cause | memory leak'],
  ['PR-481 was reviewed by Dana.', 'Dana | review | PR-481'],
  ['TICKET-9 blocks the launch of v4.0.1.', 'TICKET-9 | block | launch of v4.0.1'],
  ['Nadia is the founder of Brightline Labs.', 'Nadia | be founder of | Brightline Labs'],
  ["Tom's bike is a red Brompton.", 'Tom | bike | red Brompton'],
  ['My favorite editor is Helix.', 'User | favorite editor | Helix'],
  ['My favourite colour is green.', 'User | favourite colour | green'],
  ['I am allergic to penicillin.', 'User | be allergic to | penicillin'],
  ["I'm allergic to nuts and I'm vegetarian.", 'User | be allergic to | nuts', 'User | be | vegetarian'],
  ["I don't eat pork.", 'User | not eat | pork'],
  ["I can't eat gluten.", 'User | can not eat | gluten'],
  ['I have no siblings.', 'User | not have | siblings'],
  ['Lars no longer lives in Oslo.', 'Lars | no longer live in | Oslo'],
  ['I used to live in Madrid.', 'User | used to live in | Madrid'],
  ['I lived in Madrid for three years.', 'User | used to live in | Madrid'],
  ["I've lived in Madrid for three years.", 'User | live in | Madrid'],
  ['My budget is 500 euros.', 'User | budget | 500 euros'],
  ['The deadline for the audit is 3 June.', 'audit | deadline | 3 June'],
  ['The limit was raised to 20 requests.', 'limit | be set to | 20 requests'],
  ['My favourite colour was blue.'],
  ['Priya and Ken run a bakery.', 'Priya | run | bakery', 'Ken | run | bakery'],
  ['Yuki speaks Korean, Japanese and English.', 'Yuki | speak | Korean', 'Yuki | speak | Japanese', 'Yuki | speak | English'],
  ['I bought a cello yesterday.', 'User | buy | cello'],
  ['We migrated the search index to Qdrant.', 'search index | migrate to | Qdrant'],
  ['I moved my pottery wheel to the garage and I fire clay on Sundays.', 'pottery wheel | move to | garage', 'User | fire | clay'],
  ['Helena married Ivan in Lisbon.', 'Helena | marry | Ivan', 'Helena | marry in | Lisbon'],
  ['Marta, my landlord, owns a vineyard.', 'Marta | own | vineyard', 'Marta | be landlord of | User'],
  ['Our cat is called Pixel.', "User's cat | be called | Pixel"],
  ['I adopted a dog named Biscuit.', 'User | adopt | Biscuit', 'Biscuit | be | dog'],
  ['I play chess with Andrei on Thursdays.', 'User | play | chess', 'User | play with | Andrei'],
  ['Rosa joined Médecins Sans Frontières.', 'Rosa | join | Médecins Sans Frontières'],
  ['We will switch to Bun next quarter.', 'User | will switch to | Bun'],
  ["Kenji's sister studies law in Kyoto.", "Kenji's sister | study | law", "Kenji's sister | study in | Kyoto"],
  ['I love hiking and climbing.', 'User | love | hiking', 'User | love | climbing'],
  ['The dashboard was written in Svelte.', 'dashboard | be written in | Svelte'],
  ["I'm training for the Berlin Marathon.", 'User | train for | Berlin Marathon'],
  ["I don't drink coffee because caffeine gives me headaches.", 'User | not drink | coffee', 'caffeine | give | headaches'],
  [
    'My sister Emma lives in Tarn and she studies medicine at Lyon University.',
    'Emma | be sister of | User',
    'Emma | live in | Tarn',
    'Emma | study | medicine',
    'Emma | study at | Lyon University',
  ],
  ['The outage happened because of the Redis cluster.', 'outage | happen because of | Redis cluster'],
  ['Ingrid manages the Oslo office of Northwind Traders.', 'Ingrid | manage | Oslo office of Northwind Traders'],
  ['My father was a carpenter.', "User's father | be | carpenter"],
  ['I lost my wallet at Gare du Nord on Monday.', 'User | lose | wallet', 'User | lose at | Gare du Nord'],
  ['The API gateway talks to the user service over gRPC.', 'API gateway | talk to | user service', 'API gateway | talk over | gRPC'],
  ['My brother-in-law drives a Volvo.', "User's brother-in-law | drive | Volvo"],
  ['INC-77 was fixed in 3.2.0 by Omar.', 'Omar | fix | INC-77', 'INC-77 | be fixed in | 3.2.0'],
  ["I've never been to Japan.", 'User | never be to | Japan'],
  ['Paul and I started a podcast about birds.', 'Paul | start | podcast', 'User | start | podcast'],
  ['I take metformin for my diabetes.', 'User | take | metformin'],
  ['Hana graduated from KAIST in 2015.', 'Hana | graduate from | KAIST'],
  ['I bought a Volvo.', 'User | buy | Volvo'],
  ['I used to like Oslo.', 'User | used to like | Oslo'],
  ["I don't drink coffee after noon.", 'User | not drink after noon | coffee'],
  ["I don't speak Welsh very well.", 'User | not speak very well | Welsh'],
  ["I don't drink coffee on Sundays because caffeine hurts.", 'User | not drink on Sundays | coffee'],
  ['My other dog is called Max.', "User's other dog | be called | Max"],
  ['i moved to corran last week.', 'User | move to | Corran'],
  ['i moved to a new phone.', 'User | move to | phone'],
  ["I'm a vegetarian who loves cheese.", 'User | be | vegetarian', 'User | love | cheese'],
  ['I smoke.', 'User | do | smoking'],
  ['My brother used to run.', "User's brother | used to do | running"],
  ['Rosa never lies.', 'Rosa | never do | lying'],
  ['I slept.'],
  ['I agree.'],
  // Nothing is stated here, or nothing that stands without its context.
  ['Please send the invoice to Omar.'],
  ['Did Ana move to Porto?'],
  ['Where did you go on Friday?'],
  ['I might visit Iceland next year.'],
  ['I nearly moved to Corran.'],
  ['I have almost finished the book.'],
  ["I don't always drink coffee."],
  ['I think Bob works at Google.'],
  ['She likes it.'],
  ['If Ana quits, Bob will lead the team.'],
  ['I will move to Rome if I get the job.'],
  ['Thanks a lot, that helps!'],
  ['You should try the ramen at Ichiran.'],
  ['It broke the build.'],
];

describe('English rules', () => {
  it('reach the measured precision and recall on labelled sentences', async () => {
    const misses: string[] = [];
    const wrong: string[] = [];
    let right = 0;
    for (const [sentence, ...expected] of LABELLED) {
      const found = triples(await extract(sentence));
      right += found.filter((triple) => expected.includes(triple)).length;
      wrong.push(...found.filter((triple) => !expected.includes(triple)));
      misses.push(...expected.filter((triple) => !found.includes(triple)));
    }
    const precision = right / (right + wrong.length);
    const recall = right / (right + misses.length);
    expect(precision, `wrong: ${wrong.join('; ')}`).toBeGreaterThanOrEqual(0.97);
    expect(recall, `missed: ${misses.join('; ')}`).toBeGreaterThanOrEqual(0.88);
  });

  it('state who speaks: a known name, the user, or the assistant with less trust', async () => {
    const text = 'I grew up near Nice. You love spicy food.';
    expect(triples(await extract(text, { speaker: 'Mina' }))).toEqual(['Mina | grow up near | Nice']);
    const assistant = await extract(text, { role: 'assistant' });
    expect(triples(assistant)).toEqual(['Assistant | grow up near | Nice']);
    expect(assistant.relations[0]?.confidence).toBeLessThan((await extract(text)).relations[0]?.confidence ?? 0);
    expect(triples(await extract(text, { kind: 'chunk' }))).toEqual([]);
    expect(await extract('I like jazz.', { role: 'system' })).toMatchObject({ relations: [], entities: [], skipped: [{ item: 'message' }] });
  });

  it('give each relation its sentence, low confidence, listed ends, and the cause where one is named', async () => {
    const { relations, entities, origin, usage } = await extract('Hello there. I sold the van because the engine was dead. Rosa works at Nestlé.');
    expect([origin, usage.calls]).toEqual(['rules', 0]);
    expect(relations.map(({ text }) => text)).toEqual(['I sold the van because the engine was dead.', 'Rosa works at Nestlé.']);
    expect(relations[0]?.properties).toEqual({ cause: 'the engine was dead' });
    const names = entities.map(({ name }) => name);
    for (const relation of relations) {
      expect(relation.confidence).toBeLessThanOrEqual(0.5);
      expect(names).toContain(relation.subject);
      expect(names).toContain(relation.object);
    }
    expect(entities).toContainEqual({ name: 'Nestlé', type: 'organization', episode: 0 });
    expect(entities).toContainEqual({ name: 'Rosa', type: 'person', episode: 0 });
  });

  it.each<[string, string, number, string]>([
    ['I planted the cherry tree yesterday.', '2024-03-01T09:30:00.000Z', 0, '2024-02-29'],
    ['The kiln arrived today.', '2024-12-31T16:30:00.000Z', 540, '2025-01-01'],
    ['The roof was fixed last Friday.', '2024-05-16T12:00:00.000Z', 0, '2024-05-10'],
    ['My course starts tomorrow.', '2025-01-01T04:30:00.000Z', -300, '2025-01-01'],
    ['My course starts the day after tomorrow.', '2025-01-01T04:30:00.000Z', -300, '2025-01-02'],
    ['The kiln arrived the day before yesterday.', '2025-01-01T04:30:00.000Z', -300, '2024-12-29'],
    ['I paid the rent a month ago.', '2024-03-31T12:00:00.000Z', 0, '2024-02-01'],
    ['I paid the rent last month.', '2024-05-31T12:00:00.000Z', 0, '2024-04-01'],
    ['I married Ana a year ago.', '2024-02-29T12:00:00.000Z', 0, '2023-02-01'],
    ['I married Ana last year.', '2024-12-31T16:30:00.000Z', 540, '2024-01-01'],
    ['I have lived in Corran since 2019.', '2024-05-16T12:00:00.000Z', 0, '2019-01-01'],
    ['I have worked at Acme since May.', '2024-05-16T12:00:00.000Z', 0, '2024-05-01'],
    ['I have worked at Acme since last year.', '2024-05-16T12:00:00.000Z', 0, '2023-01-01'],
    ['I moved to Corran in March.', '2024-05-16T12:00:00.000Z', 0, '2024-03-01'],
    ['I moved to Corran in September.', '2024-05-16T12:00:00.000Z', 0, '2023-09-01'],
    ['I moved to Corran last June.', '2024-05-16T12:00:00.000Z', 0, '2023-06-01'],
    ['I met Ana on 3 March 2021.', '2024-05-16T12:00:00.000Z', 0, '2021-03-03'],
    ['I moved to Corran in 2020.', '2024-05-16T12:00:00.000Z', 0, '2020-01-01'],
    ['I like tea and in 2019 I moved to Corran.', '2024-05-16T12:00:00.000Z', 0, '2019-01-01'],
    ['In 2019, I moved to Corran.', '2024-05-16T12:00:00.000Z', 0, '2019-01-01'],
    ['I moved to Corran in 2024.', '2024-12-31T16:30:00.000Z', 540, '2024-01-01'],
  ])("reads days in the author's own zone: %s", async (text, at, utcOffsetMinutes, day) => {
    const { relations, facts } = await extract(text, { at, utcOffsetMinutes });
    expect([...relations, ...facts].map(({ validAt }) => validAt)).toContain(day);
  });

  it.each([
    'I fire clay on Sundays.',
    'I sat down with Ana and ate rice.',
    'I play golf every Friday.',
    'I drink tea at 5 pm.',
    'I moved to Corran in 2024.',
    'I will move to Rome in 2030.',
    'I will move to Rome in March.',
    'I will move to Rome next year.',
    'I have lived in Corran since childhood.',
    'I work at a firm founded in 1998.',
  ])('invents no day: %s', async (text) => {
    const { relations, facts } = await extract(text);
    expect([...relations, ...facts].filter(({ validAt }) => validAt !== undefined)).toEqual([]);
  });

  it('tell a sentence with the quotation that stands in it', async () => {
    const { relations } = await extract('I like tea. My brother Tim said "I moved to Corran", and he works at Acme.');
    expect(relations.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['I like tea.', 'My brother Tim said "I moved to Corran", and he works at Acme.']),
    );
    for (const { text } of relations) expect(text).not.toMatch(/ {2}| [.,]/);
  });

  it.each([
    ['어제 체리나무를 심었어.', '2024-05-16'],
    ['모레 시험이 있어.', '2024-05-19'],
    ['지난주 금요일에 체리나무를 심었어.', '2024-05-10'],
    ['지난주 일요일에 체리나무를 심었어.', '2024-05-12'],
    ['上禮拜五我種了一棵樹。', '2024-05-10'],
    ['3월 1일에 이사했어.', '2024-03-01'],
    ['2월 30일에 만나자.', undefined],
    ['Gestern habe ich einen Baum gepflanzt.', '2024-05-16'],
    ['Ich habe am 3. März 2020 geheiratet.', '2020-03-03'],
    ['Ich bin hier.', undefined],
    ['Hier, nous avons planté un arbre.', '2024-05-16'],
    ['Ayer planté un árbol en mi jardín.', '2024-05-16'],
    ['Ieri ho piantato un albero.', '2024-05-16'],
    ['Ontem eu plantei uma árvore.', '2024-05-16'],
    ['Gisteren heb ik een boom geplant.', '2024-05-16'],
    ['Igår planterade jag ett träd.', '2024-05-16'],
    ['Вчера я посадил дерево.', '2024-05-16'],
    ['昨日、木を植えました。', '2024-05-16'],
    ['我昨天种了一棵树。', '2024-05-16'],
  ])('read days in other languages, in the zone of the sender: %s', async (text, day) => {
    const { facts } = await extract(text, { at: '2024-05-16T23:00:00.000Z', utcOffsetMinutes: 120 });
    expect(facts.map((fact) => [fact.text, fact.validAt])).toEqual(day === undefined ? [] : [[text, day]]);
  });

  it('keep codes, versions, files, addresses, tags and quoted titles whole', async () => {
    const { entities } = await extract(
      'BUG-142 broke src/auth/login.ts in v2.3.1, see https://example.test/a?b=1. I read "The Left Hand" #scifi, says ana@example.test.',
    );
    expect(entities.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['BUG-142', 'src/auth/login.ts', 'v2.3.1', 'https://example.test/a?b=1', 'The Left Hand', '#scifi', 'ana@example.test']),
    );
    expect(entities.find(({ name }) => name === 'src/auth/login.ts')?.type).toBe('document');
    const pair = await extract('Permit HB-2031-07 has expired and HB-2031-08 is valid.');
    expect(pair.entities.map(({ name }) => name).join(' ')).toMatch(/HB-2031-07.*HB-2031-08/);
  });
});

describe('other languages', () => {
  it.each<[string, readonly string[]]>([
    ['저는 Notion과 Figma를 씁니다. "어린 왕자"를 읽었어요. #독서 BUG-7', ['Notion', 'Figma', '어린 왕자', '#독서', 'BUG-7']],
    ['我在用 PostgreSQL，最近读《三体》。', ['PostgreSQL', '三体']],
    ['ダニエルは「星の王子さま」を読み、クラウドフレアで働いています。', ['ダニエル', '星の王子さま', 'クラウドフレア']],
    ['Mi hermana vive en Sevilla con Marta Ruiz y no come carne.', ['Sevilla', 'Marta Ruiz']],
    ['Ich wohne mit meiner Schwester in der Nähe und arbeite bei Deutsche Bahn.', ['Deutsche Bahn']],
  ])('find names: %s', async (text, expected) => {
    const { entities } = await extract(text);
    expect(entities.map(({ name }) => name)).toEqual(expect.arrayContaining([...expected]));
  });

  it('find no triples in a language without rules', async () => {
    expect(triples(await extract('Ich wohne in Lindby.'))).toEqual([]);
  });

  it('take no sentence in quotation marks for a name', async () => {
    expect((await extract('그는 "나는 오늘 아주 늦게 집에 갔다."라고 말했다.')).entities).toEqual([]);
  });
});

describe('bounds', () => {
  it('never throw, whatever the text', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc
        .array(
          fc.constantFrom(
            'I',
            'and',
            'of',
            "'s",
            'my',
            'is',
            'no',
            '-',
            'Zqxaa',
            'Ana',
            ',',
            'to',
            'because',
            '"',
            '#',
            '<|endoftext|>',
            '\ud800',
            '2024-13-99',
            'v1.2',
            '.',
            '?',
            '😀',
          ),
        )
        .map((words) => words.join(' ')),
      fc
        .array(fc.constantFrom(...'나는 제일 좋아하는 색은 이제 안 부산이 아니라 서울에 살고 살아 파란색이야 이사했어 지 전 , . " ㄱ'.split(' ')))
        .map((words) => words.join(' ')),
      fc
        .array(fc.constantFrom(...'我 妈妈 最喜欢的 颜色 是 不是 从 在 搬到 北京 工作 了 不再 去年 以前 ， 。 「 說 錯'.split(' ')))
        .map((words) => words.join('')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const { entities, relations } = await extract(content);
        for (const entity of entities) expect(entity.name.trim()).not.toBe('');
        for (const relation of relations) expect(relation.subject).not.toBe(relation.object);
      }),
      { numRuns: 300 },
    );
  });

  it('keep a message to 24 entities and 24 relations, cut a megabyte and say so', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `Ana met Person${i} in Paris.`).join(' ');
    const { entities, relations } = await extract(many);
    expect(entities).toHaveLength(24);
    expect(relations).toHaveLength(24);
    for (const piece of ['The kiln arrived. ', 'a', '"', '#x', 'a.', '{', '한국어 ', 'A-1', 'http://']) {
      const result = await extract(piece.repeat(1_000_000 / piece.length));
      expect(result.skipped).toEqual([{ item: 'message', reason: 'only the first 20000 characters were read' }]);
    }
  });

  it('may be made anew for every request of a long-lived process', async () => {
    const episodes = [newEpisode('Rosa works at Nestlé.')];
    const first = await extractor.extract({ episodes, preceding: [] });
    for (let n = 0; n < 200; n++) expect(await rulesExtractor().extract({ episodes, preceding: [] })).toEqual(first);
  });

  it('are deterministic and number the episodes of a batch', async () => {
    const episodes = [newEpisode('Rosa works at Nestlé.'), newEpisode('x', { role: 'tool' }), newEpisode('I have a dog.')];
    const first = await extractor.extract({ episodes, preceding: [] });
    expect(first.relations.map((relation) => relation.episode)).toEqual([0, 2]);
    expect(await rulesExtractor().extract({ episodes, preceding: [] })).toEqual(first);
    expect(await extract('')).toMatchObject({ entities: [], relations: [], facts: [], skipped: [] });
  });
});
