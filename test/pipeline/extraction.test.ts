import { MemoryError } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { NOTHING, openTestMemory, reply, shownMessages } from './open-test-memory.ts';

const POTTERY = JSON.stringify({
  facts: ['User fires clay on Sundays'],
  entities: [
    { name: 'pottery wheel', type: 'object' },
    { name: 'garage', type: 'place' },
  ],
  relations: [{ source: 'pottery wheel', relation: 'kept_in', target: 'garage' }],
});

describe('replies of the model', () => {
  it.each([
    `\`\`\`json\n${POTTERY}\n\`\`\`\n\nI left the small talk out.`,
    `Sure, here is what I found:\n\n${POTTERY}\n\nTell me if you need {more} detail.`,
    `\`\`\`JSON\r\n${POTTERY}\r\n\`\`\``,
    `\ufeff  \n${POTTERY}\n\n`,
    `\`\`\`\n${POTTERY}`,
  ])('wrapped in prose are read: %#', async (text) => {
    const { memory, model } = openTestMemory({ replies: [text] });
    const receipt = await memory.store([{ role: 'user', content: 'I moved my pottery wheel to the garage and I fire clay on Sundays.' }], {
      userId: 'u-ana',
    });
    const facts = await memory.facts({ userId: 'u-ana' });
    expect(facts.map((fact) => fact.text).sort()).toEqual(['User fires clay on Sundays', 'pottery wheel kept in garage']);
    expect(facts.filter((fact) => fact.predicate !== undefined)).toMatchObject([{ predicate: 'kept_in' }]);
    expect((await memory.entities({ userId: 'u-ana' })).map((entity) => entity.name).sort()).toEqual(['garage', 'pottery wheel']);
    expect(model.requests).toHaveLength(1);
    expect(receipt).toMatchObject({ indexed: true, degraded: [], skipped: [] });
  });

  const CUT = { text: '{"facts":["Omar keeps bees","Omar sells hon', finishReason: 'length' as const };
  const GOOD = reply(['Omar keeps bees', 'Omar sells honey at the Tarn market']);
  const BEES = [{ role: 'user' as const, content: 'I keep bees and I sell honey at the Tarn market.' }];

  it.each([
    ['cut', CUT],
    ['empty', ''],
    ['blank', ' \n\t'],
  ])('that are %s are asked for again', async (_, bad) => {
    const { memory, model } = openTestMemory({ replies: [bad, GOOD] });
    const receipt = await memory.store(BEES, { userId: 'u-omar' });
    expect(receipt.facts.map((fact) => fact.text)).toEqual(['Omar keeps bees', 'Omar sells honey at the Tarn market']);
    expect(receipt.episodes).toMatchObject([{ state: 'extracted', created: true }]);
    expect(await memory.facts({ userId: 'u-omar' })).toHaveLength(2);
    expect(model.requests).toHaveLength(2);
  });

  it('that stay unusable leave the turn failed, found by its own words, and read when it comes again', async () => {
    const { memory, model } = openTestMemory({ replies: [CUT, CUT, CUT, GOOD] });
    const receipt = await memory.store(BEES, { userId: 'u-omar' });
    expect(model.requests).toHaveLength(3);
    expect(receipt.episodes[0]).toMatchObject({ state: 'failed', created: true });
    expect(receipt.episodes[0]?.failure).toContain('MODEL_OUTPUT_UNUSABLE');
    expect(receipt.degraded.join()).toContain('extraction failed');
    expect(receipt.facts).toEqual([]);
    expect(receipt.usage.calls).toBe(3);
    expect((await memory.episodes({ userId: 'u-omar', state: 'failed' })).map((episode) => episode.content)).toEqual([BEES[0]?.content]);
    expect((await memory.retrieve('Tarn market honey', { userId: 'u-omar' })).items.map((item) => item.text)).toEqual([BEES[0]?.content]);

    const again = await memory.store(BEES, { userId: 'u-omar' });
    expect(again.episodes[0]).toMatchObject({ id: receipt.episodes[0]?.id, state: 'extracted', created: false });
    expect(again.facts).toHaveLength(2);
    expect(await memory.episodes({ userId: 'u-omar' })).toMatchObject([{ state: 'extracted' }]);
    expect((await memory.episodes({ userId: 'u-omar' }))[0]).not.toHaveProperty('failure');
  });

  it('count in the receipt also where the model is gone before it gives a usable one', async () => {
    const gone = new MemoryError('MODEL_REJECTED', 'No credit.');
    const { memory } = openTestMemory({ replies: [{ text: 'no JSON', inputTokens: 100, outputTokens: 20 }, gone] });
    const receipt = await memory.store(BEES, { userId: 'u-omar' });
    expect(receipt.degraded.join()).toContain('MODEL_REJECTED: No credit.');
    expect(receipt.usage).toEqual({ calls: 1, inputTokens: 100, outputTokens: 20 });
    const { memory: other } = openTestMemory({ replies: [gone] });
    expect((await other.store(BEES, { userId: 'u-omar' })).usage.calls).toBe(0);
  });

  it('that find nothing are an answer', async () => {
    const { memory, model } = openTestMemory({ replies: [NOTHING] });
    const receipt = await memory.store(BEES, { userId: 'u-omar' });
    expect(receipt).toMatchObject({ facts: [], entities: [], degraded: [], episodes: [{ state: 'extracted' }] });
    expect(model.requests).toHaveLength(1);
  });

  it('are not asked for where the turn was read before', async () => {
    const { memory, model } = openTestMemory({ replies: [GOOD] });
    await memory.store(BEES, { userId: 'u-omar' });
    const again = await memory.store(BEES, { userId: 'u-omar' });
    expect(again).toMatchObject({ facts: [], episodes: [{ created: false, state: 'extracted' }], usage: { calls: 0 } });
    expect(model.requests).toHaveLength(1);
    expect(await memory.stats('u-omar')).toMatchObject({ episodes: 1, facts: 2, outbox: 0 });
  });

  it('with one malformed item keep the rest', async () => {
    const text =
      '{"facts":["Lena tunes pianos for Blue Hall"],"entities":[{"name":"Lena","type":"person"},{"name":"Blue Hall"},{"type":"place"},null,{"name":"   ","type":"place"},{"name":"piano","type":null},{"name":null,"type":"person"}],"relations":[{"source":"Lena","relation":"tunes_pianos_for","target":"Blue Hall"},{"source":"Lena","relation":"knows"},{"source":null,"relation":"owns","target":"piano"},{"source":"Lena","relation":"","target":"piano"},null,{"source":"Lena","relation":"met","target":"Marek"}]}';
    const { memory } = openTestMemory({ replies: [text] });
    const receipt = await memory.store([{ role: 'user', content: 'I tune pianos for Blue Hall and I met Marek there.' }], { userId: 'u-lena' });
    const entities = await memory.entities({ userId: 'u-lena' });
    const facts = await memory.facts({ userId: 'u-lena' });
    expect(entities.map(({ name, type }) => `${name}: ${type}`).sort()).toEqual(['Blue Hall: other', 'Lena: person', 'Marek: other', 'piano: other']);
    expect(facts.map((fact) => fact.text).sort()).toEqual(['Lena met Marek', 'Lena tunes pianos for Blue Hall', 'Lena tunes pianos for Blue Hall']);
    const ids = new Set(entities.map((entity) => entity.id));
    expect(facts.flatMap((fact) => fact.entityIds).every((id) => ids.has(id))).toBe(true);
    expect(receipt.skipped.length).toBeGreaterThanOrEqual(8);
    expect((await memory.retrieve('Who tunes pianos?', { userId: 'u-lena' })).text).toContain('Lena tunes pianos for Blue Hall');
  });
});

describe('what the model is shown', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a user that only looks like a template
  const AWKWARD = "It costs $5, $$10 or $& and $' and $` or $1; set {name}, {{x}}, {messages}, {text}, ${y}, %s, <%= z %> and {0}.";

  it('holds each text once, byte for byte, and nothing is filled in', async () => {
    const { memory, model } = openTestMemory({ replies: [reply([AWKWARD], [[AWKWARD, 'person']], [[AWKWARD, 'costs', 'coins']])] });
    await memory.store(
      [
        { role: 'user', content: AWKWARD },
        { role: 'assistant', content: 'Fine.' },
      ],
      { userId: 'u-tpl' },
    );
    const prompt = model.requests[0]?.messages.map((message) => message.content).join('\n') ?? '';
    expect(prompt.split(AWKWARD)).toHaveLength(2);
    expect(shownMessages(model.requests[0] ?? { messages: [] }).map((message) => message.text)).toEqual([AWKWARD, 'Fine.']);
    expect((await memory.episodes({ userId: 'u-tpl' })).map((episode) => episode.content).sort()).toEqual(['Fine.', AWKWARD].sort());
    expect((await memory.entities({ userId: 'u-tpl' })).map((entity) => entity.name).sort()).toEqual([AWKWARD, 'coins'].sort());
    const context = await memory.retrieve(AWKWARD, { userId: 'u-tpl' });
    expect(context.query).toBe(AWKWARD);
    expect(context.items.some((item) => item.text === AWKWARD)).toBe(true);
  });

  it("gives each message its own day in the sender's zone", async () => {
    const fake = (request: Parameters<typeof shownMessages>[0]) =>
      JSON.stringify({
        facts: shownMessages(request).map(({ number, day = '1999-01-01', weekday, text }) => {
          const shifted = (days: number) => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
          const friday = { Thursday: -6, Friday: -7 }[weekday ?? ''] ?? 0;
          const since = text.includes('yesterday')
            ? shifted(-1)
            : text.includes('tomorrow')
              ? shifted(1)
              : text.includes('last Friday')
                ? shifted(friday)
                : day;
          return { message: number, text: `${text} (${since})`, since };
        }),
      });
    const { memory, model } = openTestMemory({ replies: [fake] });
    const said = [
      ['2024-03-01T09:30:00Z', 'I planted the cherry tree yesterday.', '2024-02-29'],
      ['2025-01-01T01:30:00+09:00', 'The kiln arrived today.', '2025-01-01'],
      ['2024-05-16T12:00:00Z', 'The roof was fixed last Friday.', '2024-05-10'],
      ['2024-12-31T23:30:00-05:00', 'My course starts tomorrow.', '2025-01-01'],
      [undefined, 'I bought a ladder today.', '2026-06-15'],
    ] as const;
    await memory.store(
      said.map(([at, content]) => ({ role: 'user', content, ...(at === undefined ? {} : { at }) })),
      { userId: 'u-time' },
    );
    expect(model.requests).toHaveLength(1);
    const facts = await memory.facts({ userId: 'u-time' });
    for (const [, content, day] of said) {
      const fact = facts.find((item) => item.text.startsWith(content));
      expect(fact?.text).toBe(`${content} (${day})`);
      expect(fact?.validAt?.slice(0, 10)).toBe(day);
    }
    expect(facts.every((fact) => fact.evidence.length === 1)).toBe(true);
  });

  it('says who spoke, leaves system messages out, and each fact knows its speaker', async () => {
    const sentences = (request: Parameters<typeof shownMessages>[0]) =>
      JSON.stringify({
        facts: shownMessages(request).flatMap(({ number, role, text }) =>
          text.split(/(?<=[.?]) /).map((sentence) => ({ message: number, text: `${role} said: ${sentence}` })),
        ),
      });
    const { memory } = openTestMemory({ replies: [sentences] });
    const receipt = await memory.store(
      [
        { role: 'system', content: 'Known about the user: likes jazz.' },
        { role: 'user', content: 'What should I cook? I am allergic to nuts.' },
        { role: 'assistant', content: 'I grew up near Nice, so I would make ratatouille. You love spicy food, I guess.' },
      ],
      { userId: 'u-at' },
    );
    expect(receipt.skipped).toMatchObject([{ item: 'message' }]);
    const facts = await memory.facts({ userId: 'u-at' });
    const saidBy = (word: string) => facts.filter((fact) => fact.text.includes(word)).map((fact) => [fact.saidBy, fact.text.split(' ')[0]]);
    expect(saidBy('allergic')).toEqual([['user', 'user']]);
    expect(saidBy('Nice')).toEqual([['assistant', 'assistant']]);
    expect(saidBy('spicy')).toEqual([['assistant', 'assistant']]);
    expect(saidBy('jazz')).toEqual([]);

    const context = await memory.retrieve('spicy food allergic', { userId: 'u-at', kinds: ['fact'] });
    expect(context.items.map((item) => [item.text.split(' ')[0], item.role]).filter(([shown, role]) => shown !== role)).toEqual([]);
    expect(context.text).toMatch(/^2026-06-15\n(?:\[\d+\] .*\n)*\[\d+\] assistant: assistant said: You love spicy food/m);
    expect(context.text).toMatch(/^\[\d+\] user said: I am allergic/m);
    expect((await memory.store([{ role: 'assistant', content: 'I recommend the night train to Malmo.' }], { userId: 'u-at' })).facts).toMatchObject([
      { text: 'assistant said: I recommend the night train to Malmo.' },
    ]);
  });
});

describe('entities', () => {
  it('that differ by one digit stay apart, with their facts', async () => {
    const { memory } = openTestMemory({
      replies: [
        reply(['Permit HB-2031-07 has expired'], [['Permit HB-2031-07', 'document']]),
        reply(['Permit HB-2031-08 is valid'], [['Permit HB-2031-08', 'document']]),
      ],
    });
    await memory.store('The permit HB-2031-07 has expired.', { userId: 'u-pia' });
    await memory.store('The permit HB-2031-08 is valid.', { userId: 'u-pia' });
    expect(await memory.entities({ userId: 'u-pia' })).toHaveLength(2);
    const { items } = await memory.retrieve('Is permit HB-2031-08 valid?', { userId: 'u-pia' });
    expect(items[0]?.text).toContain('-08');
    for (const { text } of items) expect(text).toMatch(/-08 is valid|-07 has expired/);
  });

  it('with awkward names and predicates come back character for character', async () => {
    const name = 'O\'Neil "Ox" \\ {id: 1} $limit\nJr.';
    const depot = 'C:\\depot\\';
    const { memory } = openTestMemory({
      replies: [
        reply(
          ["Bo co-signed the lease with O'Neil"],
          [
            ['Bo', 'Person-Name'],
            [name, 'City/State'],
            [depot, '2nd type'],
          ],
          [
            ['Bo', 'co-signed_with', name],
            ['Bo', '2nd reviewer of', depot],
            ['Bo', 'is part of...', depot],
            ['Bo', 'a/b & c: d', depot],
          ],
        ),
      ],
    });
    await memory.store('Bo co-signed the lease.', { userId: 'u-cy' });
    const entities = await memory.entities({ userId: 'u-cy' });
    expect(entities.map((entity) => entity.name).sort()).toEqual(['Bo', depot, name].sort());
    expect(entities.find((entity) => entity.name === depot)).toMatchObject({ type: 'other', typeLabel: '2nd type' });
    const bo = entities.find((entity) => entity.name === 'Bo')?.id ?? '';
    const relations = (await memory.facts({ userId: 'u-cy', entityId: bo })).filter((fact) => fact.predicate !== undefined);
    expect(relations.map((fact) => fact.predicate).sort()).toEqual(['2nd reviewer of', 'a/b & c: d', 'co-signed_with', 'is part of...']);
    for (const query of [name, depot, 'Bo']) expect((await memory.retrieve(query, { userId: 'u-cy' })).items.length).toBeGreaterThan(0);
  });
});

describe('errors of the model', () => {
  const limited = (retryAfterMs?: number) =>
    new MemoryError('MODEL_RATE_LIMITED', 'The model server is busy (429).', retryAfterMs === undefined ? {} : { retryAfterMs });
  const GOOD = reply(['User likes tea']);

  it('that pass are waited for', async () => {
    const { memory, model, clock } = openTestMemory({ replies: [limited(2000), limited(), GOOD] });
    expect((await memory.store('I like tea.', { userId: 'u-rl' })).facts).toHaveLength(1);
    expect(model.requests).toHaveLength(3);
    expect(clock.sleeps[0]).toBe(2000);
    expect(await memory.facts({ userId: 'u-rl' })).toHaveLength(1);
  });

  it('that do not pass are bounded and named; the turn is kept', async () => {
    const { memory, model, clock } = openTestMemory({ replies: [limited(99_999_000)] });
    const receipt = await memory.store('I like tea.', { userId: 'u-rl' });
    expect(model.requests.length).toBeLessThanOrEqual(5);
    expect(clock.sleeps.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(120_000);
    expect(receipt).toMatchObject({ episodes: [{ state: 'failed' }], facts: [], indexed: true });
    expect(receipt.degraded.join()).toContain('MODEL_RATE_LIMITED');
    expect((await memory.retrieve('tea', { userId: 'u-rl' })).items).toHaveLength(1);
  });

  it('that no repeat would mend are not repeated', async () => {
    const { memory, model } = openTestMemory({ replies: [new MemoryError('MODEL_REJECTED', 'The model server refused the request (400).'), GOOD] });
    expect(await memory.store('I like tea.', { userId: 'u-rl' })).toMatchObject({ episodes: [{ state: 'failed' }] });
    expect(model.requests).toHaveLength(1);
    expect(await memory.store('I like tea.', { userId: 'u-rl' })).toMatchObject({
      episodes: [{ state: 'extracted' }],
      facts: [{ text: 'User likes tea' }],
    });
  });

  it('of a part of a long call leave the other parts alone', async () => {
    const fake = (request: Parameters<typeof shownMessages>[0]) => {
      const shown = shownMessages(request);
      if (shown.some((message) => message.text === 'turn 3')) throw new MemoryError('MODEL_REJECTED', 'no');
      return JSON.stringify({ facts: shown.map(({ number, text }) => ({ message: number, text: `fact of ${text}` })) });
    };
    const { memory } = openTestMemory({ replies: [fake], options: { extraction: { turnsPerCall: 2 } } });
    const receipt = await memory.store(
      Array.from({ length: 6 }, (_, i) => ({ role: 'user' as const, content: `turn ${i}` })),
      { userId: 'u' },
    );
    expect(receipt.episodes.map((episode) => episode.state)).toEqual(['extracted', 'extracted', 'failed', 'failed', 'extracted', 'extracted']);
    const facts = await memory.facts({ userId: 'u' });
    expect(facts.map((fact) => fact.text).sort()).toEqual(['fact of turn 0', 'fact of turn 1', 'fact of turn 4', 'fact of turn 5']);
    const episodes = await memory.episodes({ userId: 'u' });
    for (const fact of facts) expect(fact.text).toBe(`fact of ${episodes.find((episode) => episode.id === fact.evidence[0])?.content}`);
    expect(episodes.sort((a, b) => a.position - b.position).map((episode) => episode.content)).toEqual(
      Array.from({ length: 6 }, (_, i) => `turn ${i}`),
    );
  });
});
