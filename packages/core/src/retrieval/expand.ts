import type { EngineOptions } from '../config.ts';
import type { Candidate, ChannelScore, Hop } from '../domain/candidate.ts';
import type { Mention } from '../domain/change-set.ts';
import type { Entity } from '../domain/entity.ts';
import type { Fact } from '../domain/fact.ts';
import type { Subgraph } from '../domain/subgraph.ts';
import type { Timestamp } from '../domain/time.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { shortestPaths } from './paths.ts';
import { WeightedGraph } from './personalised-pagerank.ts';

export interface ExpansionInput {
  readonly userId: string;
  /** Entities that the question names. */
  readonly named: readonly Entity[];
  /** Flat hits, best first. */
  readonly candidates: readonly Candidate[];
  readonly validAt?: Timestamp;
  readonly recordedAt?: Timestamp;
}

/** Flat hits that seed the walk. More of them bring noise, fewer miss the second leg of a multi-hop question. */
const SEED_HITS = 20;
const SEED_ENTITIES = 24;
/** Entities met only in the passages of the first round, whose own passages are read in a second. */
const BRIDGE_ENTITIES = 24;
/** Records that only the graph found: each costs a read in every store, and what the walk seldom visits is never packed. */
const GRAPH_CANDIDATES = 64;
const DAMPING = 0.5;
const ITERATIONS = 20;
/** Share of restarts that go to the entities of the question; the others go to the flat hits. */
const NAMED_SHARE = 0.3;

/**
 * Walks the graph around what the question names and what the flat search found: two hops along facts, one more through passages that
 * mention two entities together, all bounded. A personalised PageRank over entities and passages scores every passage reached; hubs are
 * damped twice, by the bounded fan-out and by the share a walker takes of many edges.
 * @returns the candidates with what the graph says of each (channel `graph`, `entity`, path), and those that only the graph found,
 *   with score 0 until the channels score them
 */
export async function expand(
  input: ExpansionInput,
  { graph }: { readonly graph: GraphStore },
  options: EngineOptions['expansion'],
  signal?: AbortSignal,
): Promise<Candidate[]> {
  const flat = input.candidates.slice(0, SEED_HITS);
  const hitEpisodes = flat.filter((hit) => hit.kind === 'episode').map((hit) => hit.id);
  const hitFacts = await graph.getFacts(
    input.userId,
    flat.filter((hit) => hit.kind === 'fact').map((hit) => hit.id),
  );
  const hitMentions = await graph.mentions(input.userId, hitEpisodes);
  const seeds = seedEntities(input.named, flat, hitFacts, hitMentions);
  if (seeds.length === 0) return [...input.candidates];

  const reach = {
    userId: input.userId,
    fanOut: options.fanOut,
    limit: options.limit,
    ...(input.validAt === undefined ? {} : { validAt: input.validAt }),
    ...(input.recordedAt === undefined ? {} : { recordedAt: input.recordedAt }),
  };
  const near = await graph.expand({ ...reach, seedIds: seeds, hops: options.hops }, signal);
  const passages = await graph.mentions(input.userId, [...new Set(near.mentions.map((mention) => mention.episodeId))]);
  const bridges = bridgeEntities(near, [...passages, ...hitMentions]);
  const far = bridges.length === 0 ? undefined : await graph.expand({ ...reach, seedIds: bridges, hops: 0 }, signal);

  const mentions = [...near.mentions, ...(far?.mentions ?? []), ...hitMentions, ...passages];
  const facts = [...near.facts, ...hitFacts];
  const scores = walk(input, flat, facts, mentions);
  const paths = shortestPaths(
    input.named.length > 0 ? input.named : near.entities.filter((entity) => seeds.includes(entity.id)),
    [...near.entities, ...(far?.entities ?? [])],
    facts,
    mentions,
  );
  return merge(input, scores, facts, mentions, paths);
}

function seedEntities(named: readonly Entity[], flat: readonly Candidate[], hitFacts: readonly Fact[], hitMentions: readonly Mention[]): string[] {
  const weights = new Map<string, number>();
  const score = new Map(flat.map((hit) => [hit.id, hit.score]));
  const add = (entityId: string, weight: number) => weights.set(entityId, (weights.get(entityId) ?? 0) + weight);
  for (const mention of hitMentions) add(mention.entityId, score.get(mention.episodeId) ?? 0);
  for (const fact of hitFacts) for (const entityId of fact.entityIds) add(entityId, score.get(fact.id) ?? 0);
  const found = [...weights].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([id]) => id);
  return [...new Set([...named.map((entity) => entity.id), ...found])].slice(0, SEED_ENTITIES);
}

/** Entities that stand beside those already reached, in the passages reached: the most often met first. */
function bridgeEntities(near: Subgraph, passages: readonly Mention[]): string[] {
  const reached = new Set(near.entities.map((entity) => entity.id));
  const counts = new Map<string, number>();
  for (const mention of passages) {
    if (!reached.has(mention.entityId)) counts.set(mention.entityId, (counts.get(mention.entityId) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, BRIDGE_ENTITIES)
    .map(([id]) => id);
}

function walk(input: ExpansionInput, flat: readonly Candidate[], facts: readonly Fact[], mentions: readonly Mention[]): Map<string, number> {
  const web = new WeightedGraph();
  for (const { episodeId, entityId } of distinctMentions(mentions)) web.edge(entityId, episodeId, 1);
  for (const fact of new Map(facts.map((item) => [item.id, item])).values()) {
    if (fact.subjectId !== undefined && fact.objectId !== undefined) web.edge(fact.subjectId, fact.objectId, fact.confidence);
    if (fact.origin === 'rules') continue;
    for (const entityId of fact.entityIds) web.edge(entityId, fact.id, fact.confidence);
    for (const episodeId of fact.evidence) web.edge(fact.id, episodeId, fact.confidence);
  }
  const seeds = new Map<string, number>();
  const best = flat[0]?.score ?? 0;
  const total = flat.reduce((sum, hit) => sum + hit.score, 0);
  if (best > 0) for (const hit of flat) seeds.set(hit.id, ((1 - NAMED_SHARE) * hit.score) / total);
  for (const entity of input.named) seeds.set(entity.id, NAMED_SHARE / input.named.length);
  return web.personalisedPageRank(seeds, DAMPING, ITERATIONS);
}

function distinctMentions(mentions: readonly Mention[]): Iterable<Mention> {
  return new Map(mentions.map((mention) => [`${mention.episodeId} ${mention.entityId}`, mention])).values();
}

function merge(
  input: ExpansionInput,
  scores: ReadonlyMap<string, number>,
  facts: readonly Fact[],
  mentions: readonly Mention[],
  paths: ReadonlyMap<string, readonly Hop[]>,
): Candidate[] {
  const about = new Map<string, Set<string>>();
  const link = (recordId: string, entityId: string) => about.set(recordId, (about.get(recordId) ?? new Set()).add(entityId));
  for (const mention of mentions) link(mention.episodeId, mention.entityId);
  const indexed = facts.filter((fact) => fact.origin !== 'rules');
  for (const fact of indexed) for (const entityId of fact.entityIds) link(fact.id, entityId);

  const isFact = new Set(indexed.map((fact) => fact.id));
  const known = new Map(input.candidates.map((candidate) => [candidate.id, candidate]));
  const ranked = [...about.keys()]
    .filter((id) => (scores.get(id) ?? 0) > 0)
    .sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || (a < b ? -1 : 1));
  const most = Math.max(...ranked.slice(0, 1).map((id) => scores.get(id) ?? 0), 0);
  const named = new Set(input.named.map((entity) => entity.id));
  let unseen = 0;
  const touched = ranked.flatMap((id, index): Candidate[] => {
    if (!known.has(id) && unseen++ >= GRAPH_CANDIDATES) return [];
    const entityIds = [...(about.get(id) ?? [])];
    const candidate = known.get(id) ?? { kind: isFact.has(id) ? 'fact' : 'episode', id, score: 0, channels: [], path: [] };
    const namedHere = entityIds.filter((entityId) => named.has(entityId)).length;
    const path = entityIds
      .map((entityId) => paths.get(entityId))
      .filter((hops) => hops !== undefined)
      .sort((a, b) => a.length - b.length)[0];
    const channels: ChannelScore[] = [...candidate.channels];
    if (namedHere > 0) channels.push({ channel: 'entity', rank: 1, score: namedHere / named.size });
    channels.push({ channel: 'graph', rank: index + 1, score: most > 0 ? (scores.get(id) ?? 0) / most : 0 });
    return [{ ...candidate, channels, path: path ?? [] }];
  });
  const touchedIds = new Set(touched.map((candidate) => candidate.id));
  return [...touched, ...input.candidates.filter((candidate) => !touchedIds.has(candidate.id))];
}
