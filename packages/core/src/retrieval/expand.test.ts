import { describe, expect, it } from 'vitest';
import type { EngineOptions } from '../config.ts';
import type { Candidate } from '../domain/candidate.ts';
import type { Mention } from '../domain/change-set.ts';
import type { Entity } from '../domain/entity.ts';
import type { Episode } from '../domain/episode.ts';
import type { Fact, FactOrigin } from '../domain/fact.ts';
import type { Subgraph } from '../domain/subgraph.ts';
import type { Timestamp } from '../domain/time.ts';
import type { ExpandQuery, GraphStore } from '../ports/graph-store.ts';
import { type ExpansionInput, expand } from './expand.ts';

const AT = '2024-03-01T00:00:00.000Z';
const OPTIONS: EngineOptions['expansion'] = { hops: 2, fanOut: 24, limit: 300, rules: [] };

function entity(id: string): Entity {
  return { id, userId: 'u', name: id, key: id, aliases: [], type: 'other', createdAt: AT };
}

function fact(subjectId: string, objectId: string, evidence: readonly string[], origin: FactOrigin = 'model'): Fact {
  return {
    id: `${subjectId}>${objectId}`,
    userId: 'u',
    text: `${subjectId} ${objectId}`,
    subjectId,
    predicate: 'knows',
    objectId,
    entityIds: [subjectId, objectId],
    evidence,
    createdAt: AT,
    confidence: 1,
    importance: 0.5,
    origin,
    saidBy: 'user',
    properties: {},
  };
}

function hit(id: string, score: number): Candidate {
  return { kind: id.includes('>') ? 'fact' : 'episode', id, score, channels: [{ channel: 'vector', rank: 1, score }], path: [] };
}

/** A graph in memory that walks breadth first, and notes what it was asked. */
function fakeGraph(
  facts: readonly Fact[],
  mentioned: Readonly<Record<string, readonly string[]>>,
  createdAt: Readonly<Record<string, Timestamp>> = {},
) {
  const mentions = Object.entries(mentioned).flatMap(([episodeId, ids]) => ids.map((entityId): Mention => ({ episodeId, entityId })));
  const asked: ExpandQuery[] = [];
  const graph: Partial<GraphStore> = {
    getEpisodes: async (_, ids) => ids.map((id) => ({ id, createdAt: createdAt[id] ?? AT }) as Episode),
    getFacts: async (_, ids) => facts.filter((item) => ids.includes(item.id)),
    mentions: async (_, episodeIds) => mentions.filter((mention) => episodeIds.includes(mention.episodeId)),
    expand: async (query): Promise<Subgraph> => {
      asked.push(query);
      const distance = new Map(query.seedIds.map((id) => [id, 0]));
      const found = new Set<Fact>();
      for (let ring = 1; ring <= query.hops; ring++) {
        for (const item of facts) {
          if (!item.entityIds.some((id) => (distance.get(id) ?? 99) < ring)) continue;
          found.add(item);
          for (const id of item.entityIds) if (!distance.has(id)) distance.set(id, ring);
        }
      }
      const near = mentions.filter((mention) => distance.has(mention.entityId)).slice(0, query.limit);
      return {
        entities: [...distance.keys()].map(entity),
        distance,
        degree: new Map(),
        facts: [...found],
        mentions: near,
        comentions: query.comentions === true ? mentions.filter((mention) => near.some((other) => other.episodeId === mention.episodeId)) : [],
        truncated: false,
      };
    },
  };
  return { graph: graph as GraphStore, asked };
}

async function run(input: Partial<ExpansionInput>, { graph }: ReturnType<typeof fakeGraph>, options: Partial<typeof OPTIONS> = {}) {
  const { candidates } = await expand(
    { userId: 'u', now: NOW, named: [], speakers: [], candidates: [], ...input },
    { graph },
    { ...OPTIONS, ...options },
  );
  return new Map(candidates.map((candidate) => [candidate.id, candidate]));
}

function graphScore(candidate: Candidate | undefined): number | undefined {
  return candidate?.channels.find((channel) => channel.channel === 'graph')?.score;
}

const NOW = '2026-06-01T00:00:00.000Z';

describe('expand', () => {
  const chain = () =>
    fakeGraph([fact('mira', 'parrot', ['e1']), fact('parrot', 'kiko', ['e2']), fact('kiko', 'vet', ['e3']), fact('odd', 'chess', ['e4'])], {
      e1: ['mira', 'parrot'],
      e2: ['parrot', 'kiko'],
      e3: ['kiko', 'vet'],
      e4: ['odd', 'chess'],
    });

  it('walks from a fact among the best hits, and not from one far below them', async () => {
    const better = (count: number) => Array.from({ length: count }, (_, i) => hit(`other${i}`, 0.9));
    const [near, far] = [chain(), chain()];
    const found = await run({ candidates: [...better(19), hit('mira>parrot', 0.4)] }, near);
    expect(graphScore(found.get('e2'))).toBeGreaterThan(0);
    const none = await run({ candidates: [...better(20), hit('mira>parrot', 0.4)] }, far);
    expect(none.has('e2')).toBe(false);
    expect(far.asked).toEqual([]);
  });

  it('reaches what is two hops from a named entity, nearer things with more weight, and tells the way', async () => {
    const found = await run({ named: [entity('mira')] }, chain());
    expect(found.get('mira>parrot')).toMatchObject({
      kind: 'fact',
      score: 0,
      path: [],
      channels: [
        { channel: 'entity', score: 1 },
        { channel: 'graph', rank: expect.any(Number) },
      ],
    });
    expect(found.get('parrot>kiko')?.path).toEqual([
      { from: 'mira', predicate: 'knows', to: 'parrot', factId: 'mira>parrot', reversed: false, evidence: ['e1'] },
    ]);
    expect(graphScore(found.get('mira>parrot')) ?? 0).toBeGreaterThan(graphScore(found.get('parrot>kiko')) ?? 0);
    expect(found.get('e2')).toMatchObject({ kind: 'episode' });
    expect(found.has('e4')).toBe(false);
    expect(found.has('odd>chess')).toBe(false);
  });

  it('starts from flat hits too, and keeps what they are', async () => {
    const found = await run({ named: [entity('odd')], candidates: [hit('e1', 0.9), hit('e9', 0.4)] }, chain());
    expect(found.get('e1')).toMatchObject({
      score: 0.9,
      channels: [
        { channel: 'vector', score: 0.9 },
        { channel: 'graph', score: expect.closeTo(0.1, 1) },
      ],
    });
    expect(found.get('parrot>kiko')).toMatchObject({ score: 0 });
    expect(found.get('e9')).toEqual(hit('e9', 0.4));
  });

  it('reads in the second round what the bound left unread in the first', async () => {
    const found = await run({ named: [entity('mira')] }, chain(), { limit: 3 });
    expect(found.get('e3')).toMatchObject({ kind: 'episode', path: [{ from: 'mira' }, { to: 'kiko' }] });
  });

  it('does not walk where nothing is named and no fact fits', async () => {
    const graph = chain();
    const candidates = [hit('e1', 0.9), hit('e9', 0.4)];
    expect(await expand({ userId: 'u', now: NOW, named: [], speakers: [], candidates }, graph, OPTIONS)).toEqual({
      candidates,
      density: 0,
      anchored: false,
    });
    expect(graph.asked).toEqual([]);
  });

  it('starts from a fact that was found', async () => {
    expect((await run({ candidates: [hit('mira>parrot', 0.9)] }, chain())).has('e2')).toBe(true);
  });

  it('leaves the candidates as they are where the graph knows nothing of them', async () => {
    const graph = chain();
    const found = await expand({ userId: 'u', now: NOW, named: [], speakers: [], candidates: [hit('e9', 0.4)] }, { graph: graph.graph }, OPTIONS);
    expect(found).toEqual({ candidates: [hit('e9', 0.4)], density: 0, anchored: false });
    expect(graph.asked).toEqual([]);
  });

  it('walks edges of rules but never returns them', async () => {
    const graph = fakeGraph([fact('mira', 'parrot', ['e1'], 'rules'), fact('parrot', 'kiko', ['e2'])], { e1: ['mira'], e2: ['kiko'] });
    const found = await run({ named: [entity('mira')] }, graph);
    expect(found.has('mira>parrot')).toBe(false);
    expect(found.get('parrot>kiko')?.path[0]?.factId).toBe('mira>parrot');
  });

  it('goes one more step through passages, to entities that the facts do not reach', async () => {
    const graph = fakeGraph([], { e1: ['mira', 'bridge'], e2: ['bridge', 'far'] });
    const found = await run({ named: [entity('mira')] }, graph);
    expect(found.has('e2')).toBe(true);
    expect(found.get('e2')?.path.map((hop) => `${hop.from} ${hop.predicate} ${hop.to}`)).toEqual(['mira mentioned with bridge']);
  });

  it('asks for a bounded neighbourhood at the time given', async () => {
    const graph = chain();
    const many = Array.from({ length: 60 }, (_, i) => hit(`m${i}`, 1 - i / 100));
    const wide = fakeGraph([], Object.fromEntries(many.map((candidate) => [candidate.id, [`x${candidate.id}`, `y${candidate.id}`]])));
    await run({ named: [entity('mira')], candidates: many, validAt: AT, recordedAt: AT }, wide);
    expect(wide.asked[0]?.seedIds).toHaveLength(24);
    expect(wide.asked[0]).toMatchObject({ userId: 'u', hops: 2, fanOut: 24, limit: 300, validAt: AT, recordedAt: AT });
    await run({ named: [entity('mira')] }, graph);
    expect(graph.asked.every((query) => query.seedIds.length <= 24)).toBe(true);
    expect(graph.asked.slice(1).every((query) => query.hops === 0)).toBe(true);
  });

  it('starts from nothing that was not true, or not known, at the moment asked about', async () => {
    const [before, after] = ['2024-02-01T00:00:00.000Z', '2024-04-01T00:00:00.000Z'];
    const ended = { ...fact('mira', 'parrot', ['e1']), validAt: before, invalidAt: AT, expiredAt: AT };
    const learned = { ...fact('kiko', 'vet', ['e3']), validAt: before, createdAt: after };
    const graph = () => fakeGraph([ended, learned], { e1: ['mira'], e2: ['parrot'], e3: ['vet'], e4: ['vet', 'kiko'] }, { e4: after });
    const reached = async (when: Partial<ExpansionInput>, ...candidates: Candidate[]) => (await run({ candidates, ...when }, graph())).has('e2');
    const clinic = async (when: Partial<ExpansionInput>, ...candidates: Candidate[]) =>
      (await run({ named: [entity('mira')], candidates, ...when }, graph())).has('e3');
    expect(await reached({ validAt: before }, hit('mira>parrot', 0.9))).toBe(true);
    expect(await reached({ validAt: after }, hit('mira>parrot', 0.9))).toBe(false);
    expect(await clinic({}, hit('kiko>vet', 0.9))).toBe(true);
    expect(await clinic({ recordedAt: AT }, hit('kiko>vet', 0.9))).toBe(false);
    expect(await clinic({}, hit('e4', 0.9))).toBe(true);
    expect(await clinic({ recordedAt: AT }, hit('e4', 0.9))).toBe(false);
  });

  it('gives each record once and the same answer each time, through cycles too', async () => {
    const ring = [fact('mira', 'odd', ['e1']), fact('odd', 'mira', ['e1']), fact('odd', 'kim', ['e2']), fact('kim', 'mira', ['e2'])];
    const graph = () => fakeGraph(ring, { e1: ['mira', 'odd'], e2: ['odd', 'kim'] });
    const once = await expand(
      { userId: 'u', now: NOW, named: [entity('mira')], speakers: [], candidates: [hit('e1', 0.5)] },
      { graph: graph().graph },
      OPTIONS,
    );
    expect(new Set(once.candidates.map((candidate) => candidate.id)).size).toBe(once.candidates.length);
    expect(
      await expand({ userId: 'u', now: NOW, named: [entity('mira')], speakers: [], candidates: [hit('e1', 0.5)] }, { graph: graph().graph }, OPTIONS),
    ).toEqual(once);
  });

  it('damps a hub: what hangs on it weighs less than what hangs on a quiet neighbour', async () => {
    const clerks = Array.from({ length: 12 }, (_, i) => fact('hall', `clerk${i}`, [`h${i}`]));
    const mentioned = Object.fromEntries(clerks.map((item, i) => [`h${i}`, [...item.entityIds]]));
    const graph = fakeGraph([fact('mira', 'hall', ['e1']), fact('mira', 'parrot', ['e2']), fact('parrot', 'kiko', ['e3']), ...clerks], {
      e1: ['mira', 'hall'],
      e2: ['mira', 'parrot'],
      e3: ['parrot', 'kiko'],
      ...mentioned,
    });
    const found = await run({ named: [entity('mira')] }, graph);
    expect(graphScore(found.get('parrot>kiko')) ?? 0).toBeGreaterThan(2 * (graphScore(found.get('hall>clerk3')) ?? 1));
  });

  it('starts from the entities of the best facts, which the question need not name', async () => {
    const found = await run({ candidates: [hit('mira>parrot', 0.9), hit('e4', 0.9)] }, chain());
    expect(graphScore(found.get('e1')) ?? 0).toBeGreaterThan(graphScore(found.get('e4')) ?? 1);
  });

  it('trusts a name less where its passages fit the question badly', async () => {
    const graph = () => fakeGraph([], { e1: ['good', 'x'], e2: ['mira', 'y'] });
    const found = await run({ named: [entity('good'), entity('mira')], candidates: [hit('e2', 0.9), hit('e1', 0.1)] }, graph());
    expect(graphScore(found.get('e2')) ?? 0).toBeGreaterThan(5 * (graphScore(found.get('e1')) ?? 1));
  });

  it('tells how far the memory is a graph of facts', async () => {
    const density = async (candidates: readonly Candidate[]) =>
      (await expand({ userId: 'u', now: NOW, named: [], speakers: [], candidates }, { graph: chain().graph }, OPTIONS)).density;
    expect(await density([hit('e1', 0.9), hit('e2', 0.8)])).toBe(0);
    expect(await density([hit('mira>parrot', 0.9), hit('e1', 0.8), hit('e2', 0.7), hit('e3', 0.6)])).toBe(0.5);
    expect(await density([hit('mira>parrot', 0.9), hit('parrot>kiko', 0.8), hit('e1', 0.7)])).toBe(1);
  });

  it('tells whether the question names more than speakers', async () => {
    const anchored = async (named: readonly string[]) =>
      (
        await expand(
          { userId: 'u', now: NOW, named: named.map(entity), speakers: ['Mira Lund'], candidates: [hit('e1', 0.9)] },
          { graph: chain().graph },
          OPTIONS,
        )
      ).anchored;
    expect(await anchored([])).toBe(false);
    expect(await anchored(['mira'])).toBe(false);
    expect(await anchored(['mira', 'parrot'])).toBe(true);
  });

  it('shows an edge that a rule of the user infers, with the rule and its premises', async () => {
    const graph = fakeGraph([fact('mira', 'parrot', ['e1']), fact('parrot', 'kiko', ['e2'])], {
      e1: ['mira', 'parrot'],
      e2: ['parrot', 'kiko'],
      e3: ['kiko'],
    });
    const rules = [{ name: 'friends of friends', first: 'Knows', second: 'knows', infers: 'knows of' }];
    const { candidates } = await expand(
      { userId: 'u', now: NOW, named: [entity('mira')], speakers: [], candidates: [] },
      { graph: graph.graph },
      { ...OPTIONS, rules },
    );
    expect(candidates.find((candidate) => candidate.id === 'e3')?.path).toEqual([
      {
        from: 'mira',
        predicate: 'knows of',
        to: 'kiko',
        reversed: false,
        rule: 'friends of friends',
        premises: ['mira>parrot', 'parrot>kiko'],
        evidence: ['e1', 'e2'],
      },
    ]);
  });

  it('infers from what still holds, not from what has ended', async () => {
    const rules = [{ name: 'knows whom they know', first: 'knows', second: 'knows', infers: 'knows' }];
    const second = (invalidAt: string) => ({ ...fact('parrot', 'kiko', ['e2']), invalidAt });
    const pathTo = async (other: Fact) => {
      const known = fakeGraph([fact('mira', 'parrot', ['e1']), other, fact('kiko', 'vet', ['e3'])], {
        e1: ['mira', 'parrot'],
        e2: ['parrot', 'kiko'],
        e3: ['kiko', 'vet'],
      });
      const found = await run({ named: [entity('mira')], candidates: [hit('e1', 0.5)] }, known, { rules });
      return (found.get('e3')?.path ?? []).map((hop) => hop.rule);
    };
    expect(await pathTo(second('2026-07-01T00:00:00.000Z'))).toContain('knows whom they know');
    expect(await pathTo(second('2026-05-01T00:00:00.000Z'))).not.toContain('knows whom they know');
  });
});
