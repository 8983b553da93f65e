import { describe, expect, it } from 'vitest';
import type { Entity } from '../domain/entity.ts';
import type { NewEpisode } from '../domain/episode.ts';
import { type Extraction, NO_USAGE } from '../domain/extraction.ts';
import type { Fact } from '../domain/fact.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { plan } from './plan.ts';
import { resolve } from './resolve.ts';

const AT = '2024-03-01T09:30:00.000Z';
const NOW = new Date('2026-01-01T00:00:00.000Z');

function episode(id: string, fields: Partial<NewEpisode> = {}): NewEpisode {
  return {
    id,
    userId: 'u',
    kind: 'message',
    role: 'user',
    content: id,
    at: AT,
    utcOffsetMinutes: 0,
    createdAt: AT,
    metadata: {},
    state: 'pending',
    ...fields,
  };
}

function known(name: string, fields: Partial<Entity> = {}): Entity {
  return { id: `id of ${name}`, userId: 'u', name, key: normalForm(name), aliases: [], type: 'other', createdAt: AT, ...fields };
}

function fakeGraph(entities: readonly Entity[], facts: readonly Fact[]): GraphStore {
  const graph: Partial<GraphStore> = {
    findEntities: async ({ keys = [] }, { limit }) =>
      entities.filter((entity) => keys.includes(entity.key) || entity.aliases.some((alias) => keys.includes(normalForm(alias)))).slice(0, limit),
    findFacts: async () => [],
    readUpdates: async () => [],
    getEpisodes: async () => [],
    getFacts: async (_, ids) => facts.filter((fact) => ids.includes(fact.id)),
  };
  return graph as GraphStore;
}

async function run(
  extraction: Partial<Extraction>,
  options: { episodes?: readonly NewEpisode[]; entities?: readonly Entity[]; facts?: readonly Fact[]; userId?: string } = {},
) {
  return resolve(
    {
      userId: options.userId ?? 'u',
      episodes: options.episodes ?? [episode('e0')],
      extraction: { origin: 'model', entities: [], relations: [], facts: [], skipped: [], usage: NO_USAGE, ...extraction },
      now: NOW,
    },
    { graph: fakeGraph(options.entities ?? [], options.facts ?? []) },
  );
}

describe('entities', () => {
  it('joins spellings of one name and keeps the first, the others as aliases', async () => {
    const { entities } = await run({
      entities: [{ name: 'Solar_Panel', type: 'object' }, { name: 'solar panel' }, { name: ' Solar   Panels ' }, { name: 'Roof', type: 'place' }],
      relations: [{ subject: 'solar panels', predicate: 'is_on', object: 'roof' }],
    });
    expect(entities.map(({ name, aliases, type }) => ({ name, aliases, type }))).toEqual([
      { name: 'Solar_Panel', aliases: ['solar panel', 'Solar   Panels', 'solar panels'], type: 'object' },
      { name: 'Roof', aliases: ['roof'], type: 'place' },
    ]);
  });

  const named = (first: string, second: string, predicate = 'also known as'): Partial<Extraction> => ({
    relations: [{ subject: first, predicate, object: second, origin: 'caller' }],
  });

  it('joins two names that the caller says are one, whichever is known, and draws no edge between them', async () => {
    for (const predicate of ['also known as', 'is_also_known_as', 'AKA', 'a.k.a.', 'same as', 'is also called']) {
      const fresh = await run(named('東京', 'Tokyo', predicate));
      expect(fresh.entities.map(({ name, aliases }) => [name, ...aliases])).toEqual([['東京', 'Tokyo']]);
      expect([fresh.facts, fresh.skipped]).toEqual([[], []]);
    }
    for (const name of ['東京', 'Tokyo']) {
      const { entities, merges } = await run(named('東京', 'Tokyo'), { entities: [known(name, { type: 'place' })] });
      expect(entities).toMatchObject([{ id: `id of ${name}`, aliases: [name === 'Tokyo' ? '東京' : 'Tokyo'] }]);
      expect(merges).toMatchObject([{ reason: 'alias', recordId: `id of ${name}` }]);
    }
  });

  it('joins two that are known already: the one whose type says something stays', async () => {
    const both = await run(named('東京', 'Tokyo'), { entities: [known('東京'), known('Tokyo', { type: 'place' })] });
    expect(both.entities).toMatchObject([{ id: 'id of Tokyo', aliases: ['東京'] }]);
    expect(both.transfers).toEqual([{ fromId: 'id of 東京', toId: 'id of Tokyo' }]);
    expect(both.merges).toMatchObject([{ action: 'merge', recordId: 'id of Tokyo', relatedId: 'id of 東京', actor: 'caller', reason: 'alias' }]);
    expect(both.skipped).toEqual([]);
  });

  it('leaves two that are of two types, and what a text says of names', async () => {
    const both = await run(named('Urdun', 'Jordan'), { entities: [known('Urdun', { type: 'place' }), known('Jordan', { type: 'person' })] });
    expect(both.entities).toHaveLength(2);
    expect([both.transfers, both.skipped]).toEqual([[], [{ item: 'relation', reason: 'its two names are known as two things already' }]]);
    const types = { entities: [{ name: 'Jordan', type: 'person' }] };
    expect((await run({ ...types, ...named('Jordan', 'Urdun') }, { entities: [known('Urdun', { type: 'place' })] })).entities).toHaveLength(2);
    const told = await run({ relations: [{ subject: 'Ann', predicate: 'also known as', object: 'Bob' }] });
    expect(told.entities).toHaveLength(2);
    expect(told.facts).toHaveLength(1);
  });

  it('joins a name and its translation where a model says so and the text has both', async () => {
    const met = async (name: string, alias: string, content: string) =>
      (await run({ entities: [{ name, type: 'place', aliases: [alias] }] }, { episodes: [episode('e0', { content })] })).entities.map((entity) => [
        entity.name,
        ...entity.aliases,
      ]);
    expect(await met('Москва', 'Moscow', 'Летом я живу в городе Москва (Moscow).')).toEqual([['Москва', 'Moscow']]);
    expect(await met('Tokyo', '東京', 'I was in Tokyo (東京).')).toEqual([['Tokyo', '東京']]);
    expect(await met('Москва', 'Moscow', 'Москва слезам не верит.')).toEqual([['Москва']]);
    expect(await met('Robert', 'Bob', 'Robert is Bob.')).toEqual([['Robert']]);
  });

  it('gives no slot to what is said to hold as well', async () => {
    const slot = async (content: string) => {
      const relations = [{ subject: 'Lia', predicate: 'lives_in', object: '코란', episode: 0 }];
      return (await run({ relations }, { episodes: [episode('e0', { content })] })).facts[0]?.slot;
    };
    for (const content of ['Lia lives in 코란 too.', 'Lia also lives in 코란.', 'Lia wohnt auch in 코란.', '리아는 또한 코란에 산다.'])
      expect(await slot(content)).toBe(undefined);
    for (const content of ['Lia lives in 코란. She also sings.', 'Lia lives too far away, in 코란.', 'Lia wohnt in 코란, auchhaus.'])
      expect(await slot(content)).toBe('place');
  });

  it('keeps codes one digit apart apart', async () => {
    const { entities } = await run({
      entities: [
        { name: 'Permit HB-2031-07', type: 'document' },
        { name: 'Permit HB-2031-08', type: 'document' },
      ],
    });
    expect(new Set(entities.map((entity) => entity.id)).size).toBe(2);
  });

  it('meets a known entity by its name or an alias, and adds the new spelling', async () => {
    const elizabeth = known('Elizabeth', { aliases: ['Liz'], type: 'person' });
    const { entities, facts } = await run(
      {
        entities: [{ name: 'LIZ' }],
        relations: [
          { subject: 'liz', predicate: 'knows', object: 'elizabeth' },
          { subject: 'Liz', predicate: 'likes', object: 'tea' },
        ],
      },
      { entities: [elizabeth] },
    );
    expect(entities).toHaveLength(2);
    expect(entities[0]).toMatchObject({ id: elizabeth.id, name: 'Elizabeth', type: 'person', aliases: ['Liz', 'LIZ', 'liz', 'elizabeth'] });
    expect(facts).toHaveLength(1);
    expect(facts[0]).toMatchObject({ subjectId: elizabeth.id, text: 'Liz likes tea' });
  });

  it('tells things of one name by type, and takes the fitting one, never by chance', async () => {
    const city = known('Paris', { id: '1', type: 'place' });
    const woman = known('Paris', { id: '2', type: 'person' });
    const find = async (type: string, entities: readonly Entity[]) =>
      (await run({ entities: [{ name: 'paris', type }] }, { entities })).entities[0]?.id;
    expect(await find('person', [city, woman])).toBe('2');
    expect(await find('city', [woman, city])).toBe('1');
    // Of a type that tells nothing: by the order of the types, whatever was met or read first.
    expect(await find('thingummy', [woman, city])).toBe('2');
    expect(await find('thingummy', [city, woman])).toBe('2');
    const band = await find('band', [woman, city]);
    expect(band).not.toBe('1');
    expect(band).not.toBe('2');
  });

  it("keeps the model's own word for a type beside ours", async () => {
    const { entities } = await run({
      entities: [{ name: 'Bo', type: 'Person-Name' }, { name: 'X', type: '2nd type' }, { name: 'Y' }, { name: 'Z', type: 'person' }],
    });
    expect(entities.map(({ type, typeLabel }) => [type, typeLabel])).toEqual([
      ['person', 'Person-Name'],
      ['other', '2nd type'],
      ['other', undefined],
      ['person', undefined],
    ]);
  });

  it('makes no entity of names that nobody can see', async () => {
    const { entities, skipped } = await run({
      entities: [{ name: '' }, { name: ' \n' }, { name: '\u200b' }, { name: '!!!' }],
      relations: [{ subject: '\ufeff', predicate: 'owns', object: '!!!' }],
    });
    expect(entities.map((entity) => entity.name)).toEqual(['!!!']);
    expect(skipped).toEqual([{ item: 'relation', reason: 'a part of it is empty' }]);
  });

  it('keeps awkward names character for character', async () => {
    const name = 'O\'Neil "Ox" \\ {id: 1} $limit\nJr.';
    const predicates = ['co-signed_with', '2nd reviewer of', 'is part of...', 'a/b & c: d'];
    const { entities, facts } = await run({ relations: predicates.map((predicate) => ({ subject: 'Bo', predicate, object: name })) });
    expect(entities.map((entity) => entity.name)).toEqual(['Bo', name]);
    expect(facts.map((fact) => fact.predicate)).toEqual(predicates);
    expect(new Set(facts.map((fact) => fact.id)).size).toBe(4);
  });

  it('has stable ids that belong to one user', async () => {
    const extraction: Partial<Extraction> = {
      relations: [{ subject: 'Dana', predicate: 'plays', object: 'chess' }],
      facts: [{ text: 'Dana plays chess.' }],
    };
    const ids = async (userId: string) => {
      const { entities, facts } = await run(extraction, { userId });
      return [...entities, ...facts].map((item) => item.id);
    };
    expect(await ids('ivan')).toEqual(await ids('ivan'));
    expect(new Set([...(await ids('ivan')), ...(await ids('rosa'))]).size).toBe(8);
    expect(
      (
        await run(
          { relations: [{ subject: 'dana', predicate: 'plays', object: 'Chess' }], facts: [{ text: ' dana plays  chess' }] },
          { userId: 'ivan' },
        )
      ).facts.map((fact) => fact.id),
    ).toEqual((await ids('ivan')).slice(2));
  });

  it('makes a person of a user who speaks, where something is said of them; not of the assistant', async () => {
    const episodes = [episode('e0', { speaker: 'Lena' }), episode('e1', { role: 'assistant', speaker: 'Bot' })];
    const { entities } = await run({ facts: [{ text: 'x', about: ['lena', 'Bot'] }] }, { episodes });
    expect(entities.map(({ name, aliases, type }) => ({ name, aliases, type }))).toEqual([
      { name: 'lena', aliases: ['Lena'], type: 'person' },
      { name: 'Bot', aliases: [], type: 'other' },
    ]);
    expect((await run({}, { episodes })).entities).toEqual([]);
  });
});

describe('relations', () => {
  it('drops those that join a thing to itself or lack a part, and says so', async () => {
    const { facts, skipped } = await run({
      relations: [
        { subject: 'Roof', predicate: 'part_of', object: ' roof ' },
        { subject: 'Lena', predicate: ' ', object: 'piano' },
        { subject: ' ', predicate: 'owns', object: 'piano' },
        { subject: 'Lena', predicate: 'tunes', object: 'piano' },
      ],
      skipped: [{ item: 'fact', reason: 'seen before' }],
    });
    expect(facts.map((fact) => fact.text)).toEqual(['Lena tunes piano']);
    expect(skipped.map(({ item, reason }) => `${item}: ${reason}`)).toEqual([
      'fact: seen before',
      'relation: it joins an entity to itself',
      'relation: a part of it is empty',
      'relation: a part of it is empty',
    ]);
  });

  it('never points at an entity that is not there', async () => {
    const { entities, facts } = await run({
      relations: [{ subject: 'Lena', predicate: 'met', object: 'Marek' }],
      facts: [{ text: 'x', about: ['Ghost'] }],
    });
    const ids = new Set(entities.map((entity) => entity.id));
    expect(facts.flatMap((fact) => [fact.subjectId, fact.objectId, ...fact.entityIds]).filter((id) => id !== undefined && !ids.has(id))).toEqual([]);
    expect(entities.map((entity) => entity.name)).toEqual(['Lena', 'Marek', 'Ghost']);
  });
});

describe('facts', () => {
  const episodes = [episode('e0'), episode('e1', { role: 'assistant', at: '2024-05-16T12:00:00.000Z' })];

  it('rest on the turn they name, else on all turns that were read', async () => {
    const { facts } = await run(
      { facts: [{ text: 'a', episode: 1 }, { text: 'b' }, { text: 'c', episode: 0, validAt: '2024-02-29', invalidAt: '2024-03-05T00:00+09:00' }] },
      { episodes },
    );
    expect(facts.map(({ evidence, saidBy, validAt }) => ({ evidence, saidBy, validAt }))).toEqual([
      { evidence: ['e1'], saidBy: 'assistant', validAt: '2024-05-16T12:00:00.000Z' },
      { evidence: ['e0', 'e1'], saidBy: 'user', validAt: AT },
      { evidence: ['e0'], saidBy: 'user', validAt: '2024-02-29T00:00:00.000Z' },
    ]);
    expect(facts[2]?.invalidAt).toBe('2024-03-04T15:00:00.000Z');
  });

  it('stated twice are one fact with the evidence of both', async () => {
    const { facts } = await run(
      {
        facts: [
          { text: 'Ana likes tea.', episode: 0 },
          { text: 'ana likes  tea', episode: 1 },
        ],
      },
      { episodes },
    );
    expect(facts).toMatchObject([{ text: 'Ana likes tea.', evidence: ['e0', 'e1'] }]);
    expect((await run({ facts: [{ text: 'Ana likes tea' }, { text: "Ana doesn't like tea" }] })).facts).toHaveLength(2);
  });

  it('are tied to the entities that they name', async () => {
    const about = async (text: string, ...names: string[]) => {
      const { entities, facts } = await run({ entities: names.map((name) => ({ name })), facts: [{ text }] });
      return entities.filter((entity) => facts[0]?.entityIds.includes(entity.id)).map((entity) => entity.name);
    };
    expect(await about('Solar panels feed the pump', 'Solar_Panel', 'Pump', 'Pan')).toEqual(['Solar_Panel', 'Pump']);
    expect(await about("Ana's bike is red", 'Ana', 'bike', 'Anabel')).toEqual(['Ana', 'bike']);
    expect(await about('Permit HB-2031-08 is valid', 'Permit HB-2031-07', 'Permit HB-2031-08')).toEqual(['Permit HB-2031-08']);
    expect(await about('I like C.', 'C++', 'C')).toEqual([]);
    expect(await about('小林的护照放在书房', '小林', '护照', '小森')).toEqual(['小林', '护照']);
    expect(await about('지민이 부산에서 커피를 마셨다', '지민', '부산', '서울')).toEqual(['지민', '부산']);
    expect(await about('Wow!', '!!!')).toEqual([]);
  });

  it('are as sure as who derived them, within 0 to 1', async () => {
    const sure = async (extraction: Partial<Extraction>) => (await run(extraction)).facts.map((fact) => fact.confidence);
    expect(await sure({ facts: [{ text: 'a' }, { text: 'b', confidence: 3 }, { text: 'c', confidence: -1 }] })).toEqual([0.8, 1, 0]);
    expect(await sure({ origin: 'rules', facts: [{ text: 'a' }] })).toEqual([0.4]);
    expect(await sure({ origin: 'caller', facts: [{ text: 'a' }] })).toEqual([1]);
  });

  it('ignore dates that are none, and blank texts', async () => {
    const { facts, skipped } = await run({ facts: [{ text: 'a', validAt: 'last week', invalidAt: '2024-02-30' }, { text: ' \n' }] });
    expect(facts).toHaveLength(1);
    expect(facts[0]?.validAt).toBe(AT);
    expect(facts[0]?.invalidAt).toBeUndefined();
    expect(skipped).toEqual([{ item: 'fact', reason: 'empty text' }]);
  });

  it('make their entities mentions of the turns they rest on', async () => {
    const { entities, mentions } = await run(
      { entities: [{ name: 'Ana', episode: 0 }], facts: [{ text: 'Ana likes tea', about: ['tea'], episode: 1 }] },
      { episodes },
    );
    const [ana, tea] = entities.map((entity) => entity.id);
    expect(mentions).toEqual(
      expect.arrayContaining([
        { episodeId: 'e0', entityId: ana },
        { episodeId: 'e1', entityId: ana },
        { episodeId: 'e1', entityId: tea },
      ]),
    );
    expect(mentions).toHaveLength(3);
  });
});

describe('plan', () => {
  it('adds what is new, merges what is known, and sends only new facts to the indexes', async () => {
    const first = await run({ facts: [{ text: 'Ana likes tea' }] });
    const again = await run({ facts: [{ text: 'Ana likes tea' }, { text: 'Ana likes milk' }] }, { facts: first.facts, episodes: [episode('e1')] });
    const { changes, decisions } = plan('u', again, NOW.toISOString());
    const [tea, milk] = again.facts.map((fact) => fact.id);
    expect(decisions.map(({ action, factId }) => [action, factId])).toEqual([
      ['merge', tea],
      ['add', milk],
    ]);
    expect(changes.outbox).toEqual([
      { operation: 'upsert', kind: 'episode', recordId: 'e1' },
      { operation: 'upsert', kind: 'fact', recordId: milk },
    ]);
    expect(changes.facts[0]?.evidence).toEqual(['e1']);
    expect(changes).toMatchObject({
      userId: 'u',
      closures: [],
      states: [{ episodeId: 'e1', state: 'extracted' }],
      episodes: [{ id: 'e1', state: 'extracted' }],
    });
  });

  it('uses what rules read as edges only, and leaves verbatim turns verbatim', async () => {
    const { changes } = plan(
      'u',
      await run(
        { origin: 'rules', relations: [{ subject: 'Ana', predicate: 'likes', object: 'tea' }] },
        { episodes: [episode('e0', { state: 'verbatim' })] },
      ),
      NOW.toISOString(),
    );
    expect(changes.facts).toHaveLength(1);
    expect(changes.outbox).toEqual([{ operation: 'upsert', kind: 'episode', recordId: 'e0' }]);
    expect(changes).toMatchObject({ states: [], episodes: [{ state: 'verbatim' }] });
  });
});
