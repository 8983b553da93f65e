import { rulesExtractor, TiktokenCounter } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { openTestMemory, reply } from './open-test-memory.ts';
import { factsOf, tell } from './tell.ts';

const extractor = rulesExtractor();

describe('without a model', () => {
  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    [
      'a move with both places',
      ['I live in Lindby.', 'I moved from Lindby to Corran.'],
      ['User move from Lindby', 'User move to Corran'],
      ['User live in Lindby'],
    ],
    ['a move with the new place alone', ['I live in Lindby.', 'I moved to Corran.'], ['User move to Corran'], ['User live in Lindby']],
    [
      'a home since long before the other was told',
      ['I live in Lindby.', 'I have lived in Corran since 2019.'],
      ['User live in Corran'],
      ['User live in Lindby'],
    ],
    ['a job', ['I work at Acme.', 'I now work for Globex.'], ['User work for Globex'], ['User work at Acme']],
    ['a job that was left', ['I work at Acme.', 'I left Acme.'], ['User leave Acme'], ['User work at Acme']],
    ['a job that was quit', ['I work at Acme.', "I don't work at Acme any more."], ['User not work at Acme'], ['User work at Acme']],
    ['a job given up without its name', ['I work at Acme.', 'I quit my job.'], ['User quit job'], ['User work at Acme']],
    ['a taste', ['I love ferry rides.', "I can't stand ferry rides any more."], ['User can not stand ferry rides'], ['User love ferry rides']],
    ['a taste that comes back', ['I love jazz.', 'I hate jazz.', 'I love jazz.'], ['User love jazz'], ['User hate jazz', 'User love jazz']],
    [
      'a favourite',
      ['My favourite colour is blue.', 'My favourite colour is green now.'],
      ['User favourite colour green'],
      ['User favourite colour blue'],
    ],
    [
      'a change from one to another',
      ['My favourite colour is blue.', 'My favourite colour changed from blue to green.'],
      ['User favourite colour green'],
      ['User favourite colour blue'],
    ],
    ['a marriage', ['I am married to Tom.', 'I divorced Tom.'], ['User divorce Tom'], ['User be married to Tom']],
    ['a colour', ["Kenji's bike is red.", "Kenji's bike is green."], ["Kenji's bike be green"], ["Kenji's bike be red"]],
    ['a status', ['TICKET-9 is blocked.', 'TICKET-9 is closed.'], ['TICKET-9 be closed'], ['TICKET-9 be blocked']],
    [
      'a status by name',
      ['The status of TICKET-9 is blocked.', 'The status of TICKET-9 is done.'],
      ['TICKET-9 status done'],
      ['TICKET-9 status blocked'],
    ],
    ['a version', ['The version of the API is 2.4.', 'The version of the API is 2.5.'], ['API version 2.5'], ['API version 2.4']],
    ['a version of a product', ['We use PostgreSQL 16.', 'We use PostgreSQL 17.'], ['User use PostgreSQL 17'], ['User use PostgreSQL 16']],
    ['a diet', ["I'm vegetarian.", "I'm not vegetarian any more."], ['User not be vegetarian'], ['User be vegetarian']],
    ['a thing that is no longer owned', ['I own a kayak.', 'I no longer own a kayak.'], ['User no longer own kayak'], ['User own kayak']],
    ['a thing that was sold', ['I own a kayak.', 'I sold my kayak.'], ['User sell kayak'], ['User own kayak']],
    ['a preference', ['I prefer tea.', 'I prefer coffee now.'], ['User prefer coffee'], ['User prefer tea']],
    ['a correction', ['I live in Oslo.', 'I meant Bergen, not Oslo.'], ['User live in Bergen'], ['User live in Oslo']],
    [
      'two homes one after the other, and the first again',
      ['I live in Lindby.', 'I moved to Corran.', 'I moved back to Lindby.'],
      ['User move to Lindby'],
      ['User live in Lindby', 'User move to Corran'],
    ],
    ['what used to be', ['I live in Lindby.', 'I used to live in Lindby.'], ['User used to live in Lindby'], ['User live in Lindby']],
    [
      'a home of the past ends nothing',
      ['I live in Lindby.', 'I lived in Oslo for years.'],
      ['User live in Lindby', 'User used to live in Oslo'],
      [],
    ],
    ['a second home: both', ['I live in Lindby.', 'I also live in Corran.'], ['User live in Corran', 'User live in Lindby'], []],
    ['a second job: both', ['I work at Acme.', 'I work at Globex too.'], ['User work at Acme', 'User work at Globex'], []],
    ['a birthday', ['My birthday is 3 June.', 'My birthday is 4 June.'], ['User birthday 4 June'], ['User birthday 3 June']],
    ['a deadline', ['The deadline is 3 June.', 'The deadline was extended to 9 July.'], ['deadline be set to 9 July'], ['deadline be set to 3 June']],
    [
      'deadlines of two things: both',
      ['The deadline for taxes is 3 June.', 'The deadline for tests is 9 June.'],
      ['taxes deadline 3 June', 'tests deadline 9 June'],
      [],
    ],
    ['a price', ['The ticket costs 20 euros.', 'The ticket costs 25 euros.'], ['ticket cost 25 euros'], ['ticket cost 20 euros']],
    ['a thing that was given away', ['I own a kayak.', 'I gave my kayak to Ben.'], ['User give kayak', 'User give to Ben'], ['User own kayak']],
    ['languages: both', ['I speak Welsh.', 'I also speak Finnish.'], ['User speak Finnish', 'User speak Welsh'], []],
    ['hobbies: both', ['I love chess.', 'I love pottery.'], ['User love chess', 'User love pottery'], []],
    ...[
      'We moved to PostgreSQL.',
      'I moved to the sales team.',
      'I moved to a new phone.',
      'I live in fear of bees.',
      'I live in a small house.',
    ].map((text): [string, readonly string[], readonly string[], readonly string[]] => [
      `no home: ${text}`,
      ['I live in Lindby.', text],
      ['User live in Lindby'],
      [],
    ]),
    ...['I nearly moved to Corran.', 'I almost moved to Corran last year.'].map(
      (text): [string, readonly string[], readonly string[], readonly string[]] => [
        `what did not happen: ${text}`,
        ['I live in Lindby.', text],
        ['User live in Lindby'],
        [],
      ],
    ),
    ['a move that never was', ['I live in Lindby.', 'I never moved to Corran.'], ['User live in Lindby', 'User never move to Corran'], []],
    ['a home without capitals', ['i live in lindby.', 'i moved to corran.'], ['User move to Corran'], ['User live in Lindby']],
    [
      'a home after a country with an article',
      ['I live in the Netherlands.', 'I moved to Corran.'],
      ['User move to Corran'],
      ['User live in Netherlands'],
    ],
    ...['My wife is pregnant.', 'My wife is a doctor.'].map((text): [string, readonly string[], readonly string[], readonly string[]] => [
      `what somebody is besides: ${text}`,
      ['My wife is Eva.', text],
      ["User's wife be Eva"],
      [],
    ]),
    ['a people is nobody', ['My wife is Eva.', 'My wife is a Dane.'], ["User's wife be Eva", "User's wife be a Dane"], []],
    ['a device is no home', ['I live in Lindby.', 'I moved to a Mac.'], ['User live in Lindby', 'User move to a Mac'], []],
    ['another boss', ['My boss is Carla.', 'My boss is Dan.'], ["User's boss be Dan"], ["User's boss be Carla"]],
    ['another dog', ['My dog is called Rex.', 'My other dog is called Max.'], ["User's dog be called Rex", "User's other dog be called Max"], []],
    ['a habit denied at some hours', ['I drink coffee.', "I don't drink coffee after noon."], ['User drink coffee'], []],
    ['a habit denied', ['I drink coffee.', "I don't drink coffee at all."], ['User not drink coffee'], ['User drink coffee']],
    ['a habit denied for now', ['I drink coffee.', "I don't drink coffee at the moment."], ['User not drink coffee'], ['User drink coffee']],
    ['a skill denied in part', ['I speak Welsh.', "I don't speak Welsh well."], ['User speak Welsh'], []],
    ['a job denied on some days', ['I work at Acme.', "I don't work at Acme on Fridays."], ['User work at Acme'], []],
    ['a habit that is not constant', ['I drink coffee.', "I don't always drink coffee."], ['User drink coffee'], []],
    [
      'a favourite in two spellings',
      ['My favourite colour is blue.', 'My favorite color is green.'],
      ['User favorite color green'],
      ['User favourite colour blue'],
    ],
    ['a taste that used to be', ['I like Oslo.', 'I used to like Oslo.'], ['User used to like Oslo'], ['User like Oslo']],
    ['a home that was one years ago', ['I live in Oslo.', 'I lived in Oslo in 2019.'], ['User live in Oslo'], ['User used to live in Oslo']],
    ['a habit without a thing that used to be', ['I smoke.', 'I used to smoke.'], ['User used to do smoking'], ['User do smoking']],
    ['a habit without a thing that was quit', ['I smoke every day.', 'I quit smoking.'], ['User quit smoking'], ['User do smoking']],
    ['a habit without a thing denied', ['I smoke.', "I don't smoke any more."], ['User not do smoking'], ['User do smoking']],
    ['habits without a thing: both', ['I smoke.', 'I swim on Sundays.'], ['User do smoking', 'User do swimming'], []],
    ['a habit that used to be', ['I smoke cigars.', 'I used to smoke cigars.'], ['User used to smoke cigars'], ['User smoke cigars']],
    ['two people of one kind: both', ['Rosa lives in Oslo.', 'Lena lives in Rome.'], ['Lena live in Rome', 'Rosa live in Oslo'], []],
    [
      'preferences of different things: both',
      ['I prefer window seats.', 'I prefer dark mode.'],
      ['User prefer dark mode', 'User prefer window seats'],
      [],
    ],
    ['swapped roles: both', ['Rosa knows Lena.', 'Lena knows Rosa.'], ['Lena know Rosa', 'Rosa know Lena'], []],
    ['another number: both', ['HB-2031-07 is blocked.', 'HB-2031-08 is closed.'], ['HB-2031-07 be blocked', 'HB-2031-08 be closed'], []],
    ['a role that one person has at a time', ['My boss is Carla.', 'My new boss is Dmitri.'], ["User's boss be Dmitri"], ["User's boss be Carla"]],
    ['roles that several may have', ['My friend is Carla.', 'My friend is Dmitri.'], ["User's friend be Carla", "User's friend be Dmitri"], []],
    ['a plan ends nothing', ['I live in Lindby.', "I'm moving to Rome next month."], ['User live in Lindby', 'User will move to Rome'], []],
    ['a denial of another thing ends nothing', ['I own a kayak.', 'I no longer own a canoe.'], ['User no longer own canoe', 'User own kayak'], []],
  ])('%s', async (_, said, current, past) => {
    const { memory } = openTestMemory({ extractor });
    await tell(
      memory,
      said.map((text, index) => [`2024-0${index + 1}-05`, text]),
    );
    const found = await factsOf(memory);
    expect(found.current).toEqual(expect.arrayContaining([...current]));
    expect(found.past.filter((fact) => !found.current.includes(fact) || past.includes(fact))).toEqual(past);
    for (const fact of past) if (!current.includes(fact)) expect(found.current).not.toContain(fact);
  });

  it('world time decides, not the order of arrival', async () => {
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
    ];
    const said = [
      ['2022-01-01', 'I live in Lindby.'],
      ['2023-01-01', 'I moved to Corran.'],
      ['2024-01-01', 'I moved to Bergen.'],
    ] as const;
    for (const order of orders) {
      const { memory } = openTestMemory({ extractor });
      await tell(
        memory,
        order.map((index) => said[index] ?? ['', '']),
      );
      const facts = (await memory.facts({ userId: 'u' })).sort((a, b) => ((a.validAt ?? '') < (b.validAt ?? '') ? -1 : 1));
      expect(facts.map((fact) => [fact.text, fact.validAt?.slice(0, 10), fact.invalidAt?.slice(0, 10)])).toEqual([
        ['I live in Lindby.', '2022-01-01', '2023-01-01'],
        ['I moved to Corran.', '2023-01-01', '2024-01-01'],
        ['I moved to Bergen.', '2024-01-01', undefined],
      ]);
    }
  });

  it.each([
    ['I live in Lindby.', 'I moved to Corran in 2020.', '2020'],
    ['I live in Lindby.', 'In 2019 I moved to Corran.', '2019'],
    ['I live in Lindby.', 'In 2019, I moved to Corran.', '2019'],
    ['I work at Acme.', 'I started at Beta in 2010.', '2010'],
  ])('what is told late takes its place in the past: %s %s', async (now, late, year) => {
    const { memory } = openTestMemory({ extractor });
    await tell(memory, [
      ['2024-01-05', now],
      ['2024-03-02', late],
    ]);
    const facts = (await memory.facts({ userId: 'u' })).map(
      (fact) => `${fact.text} ${fact.validAt?.slice(0, 4)}-${fact.invalidAt?.slice(0, 4) ?? ''}`,
    );
    expect(facts.sort()).toEqual([`${now} 2024-`, `${late} ${year}-2024`].sort());
  });

  it.each(['I moved to Corran in 2024.', 'I live in a flat built in 1902.', 'I work at a company founded in 1998.', 'I own 1999 stamps.'])(
    'a year that is not when it happened dates nothing: %s',
    async (text) => {
      const { memory } = openTestMemory({ extractor });
      await tell(memory, [['2024-03-02', text]]);
      for (const fact of await memory.facts({ userId: 'u' })) expect(fact.predicate === 'build in' ? '2024' : fact.validAt?.slice(0, 4)).toBe('2024');
    },
  );

  it('a value that is told late lies between two tellings of another', async () => {
    const { memory } = openTestMemory({ extractor });
    await tell(memory, [
      ['2022-01-01', 'I live in Lindby.'],
      ['2024-01-01', 'I live in Lindby.'],
      ['2023-01-01', 'I live in Corran.'],
    ]);
    const facts = (await memory.facts({ userId: 'u' })).map(
      (fact) => `${fact.text} ${fact.validAt?.slice(0, 4)}-${fact.invalidAt?.slice(0, 4) ?? ''}`,
    );
    expect(facts.sort()).toEqual(['I live in Corran. 2023-2024', 'I live in Lindby. 2022-2023', 'I live in Lindby. 2024-']);
  });

  it('a turn that is outdated never comes before the one that replaced it, and says so', async () => {
    const { memory } = openTestMemory({ extractor });
    await tell(memory, [
      ['2024-01-05', 'I live in Lindby.'],
      ['2024-02-01', 'The kiln is hot.'],
      ['2024-03-02', 'I moved from Lindby to Corran.'],
      ['2024-04-02', 'I moved to Bergen.'],
    ]);
    const { items, text } = await memory.retrieve('Do I live in Lindby?', { userId: 'u' });
    const places = items.map((item) => item.text).filter((line) => line !== 'The kiln is hot.');
    expect(places).toEqual(['I moved to Bergen.', 'I moved from Lindby to Corran.', 'I live in Lindby.']);
    expect(text).toMatch(/2024-01-05 00:00\n\[\d\] \(outdated since 2024-03-02\) user: I live in Lindby\./);
    expect(items.find((item) => item.text === 'I live in Lindby.')?.until).toBe('2024-03-02T00:00:00.000Z');
    const then = await memory.retrieve('Where do I live?', { userId: 'u', asOf: '2024-02-01' });
    expect(then.text).toContain('I live in Lindby.');
    expect(then.text).not.toMatch(/outdated|Corran|Bergen/);
  });

  it('a turn of two statements is outdated for the one that ended only', async () => {
    const { memory } = openTestMemory({ extractor });
    await tell(memory, [
      ['2024-01-05', 'I live in Lindby and I speak Welsh.'],
      ['2024-03-02', 'I moved from Lindby to Corran.'],
    ]);
    const first = async (question: string) => (await memory.retrieve(question, { userId: 'u' })).items[0]?.text;
    expect(await first('Where do I live?')).toBe('I moved from Lindby to Corran.');
    expect(await first('Do I speak Welsh?')).toBe('I live in Lindby and I speak Welsh.');
    expect((await memory.retrieve('Welsh', { userId: 'u' })).text).toContain('(partly outdated since 2024-03-02)');
  });

  it('a move told an hour later, of last week, counts more than what was said before it', async () => {
    const { memory } = openTestMemory({ extractor });
    await tell(memory, [['2024-03-02T10:00:00Z', 'I live in Lindby and I speak Welsh.']]);
    await tell(memory, [['2024-03-02T11:00:00Z', 'I moved from Lindby to Corran last week.']]);
    const { items } = await memory.retrieve('Where do I live?', { userId: 'u' });
    expect(items.map((item) => item.text)).toEqual(['I moved from Lindby to Corran last week.', 'I live in Lindby and I speak Welsh.']);
    expect(items.map((item) => item.outdated?.inPart)).toEqual([undefined, true]);
  });

  it("the assistant's word ends nothing that the user said", async () => {
    const { memory } = openTestMemory({ extractor });
    await memory.store([{ role: 'user', content: 'Rosa lives in Oslo.', at: '2024-01-01' }], { userId: 'u' });
    await memory.store([{ role: 'assistant', content: 'Rosa lives in Rome.', at: '2024-02-01' }], { userId: 'u' });
    expect((await factsOf(memory)).current).toContain('Rosa live in Oslo');
    await memory.store([{ role: 'user', content: 'Rosa lives in Paris.', at: '2024-03-01' }], { userId: 'u' });
    expect((await factsOf(memory)).current).toEqual(['Rosa live in Paris']);
  });

  it('users never end facts of each other', async () => {
    const { memory } = openTestMemory({ extractor });
    await tell(memory, [['2024-01-05', 'I live in Lindby.']]);
    await tell(memory, [['2024-02-05', 'I moved to Corran.']], 'other');
    expect((await factsOf(memory)).current).toEqual(['User live in Lindby']);
  });
});

describe('with a model', () => {
  it('the fixed part of the prompt, schema included, takes at most 2,000 tokens', async () => {
    const { memory, model } = openTestMemory();
    await memory.store([{ role: 'user', content: 'x' }], { userId: 'u' });
    const counter = await TiktokenCounter.load();
    const [request] = model.requests;
    const fixed = (request?.messages ?? []).map((message) => message.content).join('\n') + JSON.stringify(request?.schema);
    expect(counter.count(fixed)).toBeLessThanOrEqual(2000);
  });

  const SAID = [
    ['2024-01-05', 'I love ferry rides.', 'Lia loves ferry rides', undefined],
    ['2024-01-05', 'I live in Lindby and I speak Welsh.', 'Lia lives in Lindby', undefined],
    ['2024-01-05', 'I speak Welsh.', 'Lia speaks Welsh', undefined],
    ['2024-03-02', "I can't stand ferry rides any more.", "Lia can't stand ferry rides any more", 'loves ferry rides'],
    ['2024-03-02', 'I moved from Lindby to Corran.', 'Lia moved to Corran', 'lives in Lindby'],
    ['2024-03-02', 'I also speak Finnish.', 'Lia speaks Finnish', undefined],
    ['2024-04-01', 'I no longer own a kayak.', 'Lia no longer owns a kayak', undefined],
  ] as const;

  /** Names the known fact with the wording, by the number that the prompt gives it. */
  const replies = SAID.map(([, , text, replaced]) => (request: { messages: readonly { content: string }[] }) => {
    const prompt = request.messages.map((message) => message.content).join('\n');
    const known = replaced === undefined ? undefined : new RegExp(`^(\\d+)\\..*${replaced}`, 'm').exec(prompt)?.[1];
    return JSON.stringify({
      facts: [{ message: 1, text, about: ['Lia'], replaces: known === undefined ? [] : [Number(known), 99] }],
      entities: [{ name: 'Lia', type: 'person' }],
      relations: [],
    });
  });

  it('ends what the model names as replaced, keeps lists and denials, and ignores numbers that it was not shown', async () => {
    const { memory, model } = openTestMemory({ replies });
    const receipts = [];
    for (const [at, content] of SAID) receipts.push(await memory.store([{ role: 'user', content, at }], { userId: 'u' }));
    const facts = await memory.facts({ userId: 'u' });
    const texts = (past: boolean) =>
      facts
        .filter((fact) => (fact.invalidAt !== undefined) === past)
        .map((fact) => fact.text)
        .sort();
    expect(texts(true)).toEqual(['Lia lives in Lindby', 'Lia loves ferry rides']);
    expect(texts(false)).toEqual([
      "Lia can't stand ferry rides any more",
      'Lia moved to Corran',
      'Lia no longer owns a kayak',
      'Lia speaks Finnish',
      'Lia speaks Welsh',
    ]);
    expect(receipts[3]?.skipped).toEqual([{ item: 'replacement', reason: 'it names no fact that was shown' }]);
    expect(receipts[3]?.decisions.map((decision) => decision.action)).toEqual(['add', 'invalidate']);
    expect(model.requests).toHaveLength(SAID.length);
    const prompts = JSON.stringify(model.requests);
    for (const fact of facts) expect(prompts).not.toContain(fact.id);

    const { items } = await memory.retrieve('ferry rides', { userId: 'u', kinds: ['fact'] });
    const order = items.map((item) => item.text);
    expect(order.indexOf("Lia can't stand ferry rides any more")).toBe(0);
    const home = await memory.retrieve('Where does Lia live? lives in', { userId: 'u', kinds: ['fact'] });
    const at = (text: string) => home.items.findIndex((item) => item.text === text);
    expect(at('Lia moved to Corran')).toBeGreaterThanOrEqual(0);
    expect(at('Lia moved to Corran')).toBeLessThan(at('Lia lives in Lindby'));
    expect(home.text).toMatch(/\(until 2024-03-02\) Lia lives in Lindby/);
    const history = await memory.history(facts.find((fact) => fact.text === 'Lia lives in Lindby')?.id ?? '', { userId: 'u' });
    expect(history.map(({ action, text, reason, actor }) => [action, text, reason, actor])).toEqual([
      ['added', 'Lia lives in Lindby', 'stated', 'model'],
      ['ended', 'Lia lives in Lindby', 'replaced by a later statement', 'model'],
      ['added', 'Lia moved to Corran', 'stated', 'model'],
    ]);
  });

  it('a model that names a time of years ago as replacing a newer one is not followed: the older ends where the newer begins', async () => {
    const late = (request: { messages: readonly { content: string }[] }) =>
      JSON.stringify({
        facts: [{ text: 'Lia lived in Oslo', since: '2020-01-01', replaces: /^1\./m.test(request.messages[1]?.content ?? '') ? [1] : [] }],
      });
    const { memory } = openTestMemory({ replies: [reply(['Lia lives in Lindby']), late] });
    await tell(memory, [
      ['2024-01-05', 'I live in Lindby.'],
      ['2024-02-05', 'I lived in Oslo in 2020, not in Lindby, I live there now.'],
    ]);
    expect((await memory.facts({ userId: 'u' })).map(({ text, invalidAt }) => [text, invalidAt?.slice(0, 10)]).sort()).toEqual([
      ['Lia lived in Oslo', '2024-01-05'],
      ['Lia lives in Lindby', undefined],
    ]);
  });

  it('edges in one slot end each other, and the sentences that say the same end with them', async () => {
    const answer = (place: string) =>
      reply(
        [`Lia lives in ${place}`],
        [
          ['Lia', 'person'],
          [place, 'place'],
        ],
        [['Lia', 'lives_in', place]],
      );
    const { memory } = openTestMemory({ replies: [answer('Lindby'), answer('Corran')] });
    await tell(memory, [
      ['2024-01-05', 'I live in Lindby.'],
      ['2024-03-02', 'I live in Corran.'],
    ]);
    const facts = await memory.facts({ userId: 'u' });
    expect(facts.filter((fact) => fact.invalidAt === undefined).map((fact) => fact.text)).toEqual(['Lia lives in Corran', 'Lia lives in Corran']);
    expect(facts.filter((fact) => fact.invalidAt !== undefined)).toHaveLength(2);
  });
});
