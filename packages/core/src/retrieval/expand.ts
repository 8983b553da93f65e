import type { EngineOptions } from '../config.ts';
import { factAsOf } from '../domain/as-of.ts';
import type { Candidate, ChannelScore, Hop } from '../domain/candidate.ts';
import type { Mention } from '../domain/change-set.ts';
import type { Entity } from '../domain/entity.ts';
import type { Fact } from '../domain/fact.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { Subgraph } from '../domain/subgraph.ts';
import type { Timestamp } from '../domain/time.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { type InferredEdge, infer } from './infer.ts';
import { shortestPaths } from './paths.ts';
import { WeightedGraph } from './personalised-pagerank.ts';

export interface ExpansionInput {
  readonly userId: string;
  /** Entities that the question names. */
  readonly named: readonly Entity[];
  /** Speakers whom it names. */
  readonly speakers: readonly string[];
  /** Flat hits, best first. */
  readonly candidates: readonly Candidate[];
  /** When the question is asked, or as of when. */
  readonly now: Timestamp;
  readonly validAt?: Timestamp;
  readonly recordedAt?: Timestamp;
}

export interface Expansion {
  /** The candidates with what the graph says of each (channels `graph` and `entity`, path), and those that only the graph found, with score 0. */
  readonly candidates: Candidate[];
  /**
   * How far this memory is a knowledge graph, 0 to 1: the share of facts, by confidence, among the best flat hits. Where facts join the
   * passages, the walk tells more than the words of a question do; where only names join them, less. Undefined: the graph was not asked.
   */
  readonly density: number | undefined;
  /** Whether the question names something of the graph besides speakers, who stand in too many passages to lead anywhere. */
  readonly anchored: boolean;
}

/** Flat passages that seed the walk. More of them bring noise, fewer miss the second leg of a multi-hop question. */
const SEED_PASSAGES = 20;
/** Facts that seed the walk: they name the entities that a question is about without naming them. */
const SEED_FACTS = 5;
/** Among so many of the best flat hits: a fact further down fits the question no better than many a passage. */
const SEED_FACT_RANKS = 20;
const SEED_ENTITIES = 24;
/** Entities whose passages are read in a second round: those where the first walk spent most time. */
const BRIDGE_ENTITIES = 24;
const BRIDGE_MENTIONS = 100;
/** Records that only the graph found: each costs a read in every store, and what the walk seldom visits is never packed. */
const GRAPH_PASSAGES = 32;
const GRAPH_FACTS = 16;
const DAMPING = 0.6;
/** What is left after these rounds is under a hundredth: damping to the power of them. */
const ITERATIONS = 10;
const SCOUTING_ITERATIONS = 5;
/** A name of which the flat search found no passage still leads somewhere. */
const LEAST_FIT = 0.1;
/** Share of restarts that go to entities; the others go to the flat passages. */
const ENTITY_SHARE = 0.96;

/**
 * Walks the graph around what the question names and what the flat search found. A personalised PageRank over entities and passages, after
 * HippoRAG 2 (Gutiérrez et al. 2025), whose restarts go to named entities, to the entities of the best facts and to the best passages; an
 * entity counts for less the more passages have it. What the first walk leads to is read from the store and walked once more. All bounded.
 */
export async function expand(
  input: ExpansionInput,
  { graph }: { readonly graph: GraphStore },
  options: EngineOptions['expansion'],
  signal?: AbortSignal,
): Promise<Expansion> {
  const flatPassages = await knownPassages(input, graph);
  const flatFacts = input.candidates
    .slice(0, SEED_FACT_RANKS)
    .filter((hit) => hit.kind === 'fact')
    .slice(0, SEED_FACTS);
  const found = await graph.getFacts(
    input.userId,
    flatFacts.map((hit) => hit.id),
  );
  const hitFacts = found.flatMap((fact) => factAsOf(fact, { world: input.validAt, record: input.recordedAt }));
  // Nothing is named and no fact fits: the walk would start from passages alone, and only come to what their words find better.
  if (input.named.length === 0 && hitFacts.length === 0) return { candidates: [...input.candidates], density: 0, anchored: false };
  const hitMentions = await graph.mentions(
    input.userId,
    flatPassages.map((hit) => hit.id),
  );
  const seeds = seedEntities(input, hitFacts, hitMentions);
  if (seeds.length === 0) return { candidates: [...input.candidates], density: 0, anchored: false };

  const reach = {
    userId: input.userId,
    fanOut: options.fanOut,
    ...(input.validAt === undefined ? {} : { validAt: input.validAt }),
    ...(input.recordedAt === undefined ? {} : { recordedAt: input.recordedAt }),
  };
  const near = await graph.expand({ ...reach, limit: options.limit, seedIds: seeds, hops: options.hops, comentions: true }, signal);
  const facts = [...new Map([...near.facts, ...hitFacts].map((fact) => [fact.id, fact])).values()];
  // A rule says what follows now from what holds now.
  const inferred = infer(
    facts.filter((fact) => fact.invalidAt === undefined || fact.invalidAt > input.now),
    options.rules,
  );
  const first = distinct([...near.mentions, ...hitMentions, ...near.comentions]);
  const web = weave(facts, inferred, first);
  const restarts = restartWeights(input, flatPassages, hitFacts, near, first);
  const bridges = bridgeEntities(near, first, web.personalisedPageRank(restarts, DAMPING, SCOUTING_ITERATIONS));
  const far = bridges.length === 0 ? undefined : await graph.expand({ ...reach, limit: BRIDGE_MENTIONS, seedIds: bridges, hops: 0 }, signal);
  const mentions = distinct([...first, ...(far?.mentions ?? [])]);
  for (const { entityId, episodeId } of mentions.slice(first.length)) web.edge(entityId, episodeId, 1);

  const visits = web.personalisedPageRank(restarts, DAMPING, ITERATIONS);
  // A fact is visited as often as its most visited passage.
  for (const fact of facts) visits.set(fact.id, Math.max(0, ...fact.evidence.map((id) => visits.get(id) ?? 0)));
  const starts = new Set(seeds);
  const paths = shortestPaths(
    input.named.length > 0 ? input.named : near.entities.filter((entity) => starts.has(entity.id)),
    [...near.entities, ...(far?.entities ?? [])],
    facts,
    mentions,
    inferred,
  );
  return {
    candidates: merge(input, visits, facts, mentions, paths),
    density: density(input.candidates, hitFacts),
    anchored: isAnchored(input),
  };
}

/** The best flat passages that the record knew at the moment asked about. */
async function knownPassages({ userId, candidates, recordedAt }: ExpansionInput, graph: GraphStore): Promise<Candidate[]> {
  const best = candidates.filter((hit) => hit.kind === 'episode').slice(0, SEED_PASSAGES);
  if (recordedAt === undefined) return best;
  const episodes = await graph.getEpisodes(
    userId,
    best.map((hit) => hit.id),
  );
  const known = new Set(episodes.filter(({ createdAt }) => createdAt <= recordedAt).map(({ id }) => id));
  return best.filter((hit) => known.has(hit.id));
}

function isAnchored({ named, speakers }: ExpansionInput): boolean {
  const words = speakers.map((speaker) => ` ${normalForm(speaker)} `);
  return named.some((entity) => !words.some((speaker) => speaker.includes(` ${entity.key} `)));
}

function density(candidates: readonly Candidate[], hitFacts: readonly Fact[]): number {
  const best = candidates.slice(0, SEED_PASSAGES);
  const facts = best.filter((hit) => hit.kind === 'fact').length;
  const confidence = hitFacts.reduce((sum, fact) => sum + fact.confidence, 0) / Math.max(1, hitFacts.length);
  return Math.min(1, (2 * confidence * facts) / Math.max(1, best.length));
}

function seedEntities(input: ExpansionInput, hitFacts: readonly Fact[], hitMentions: readonly Mention[]): string[] {
  const weights = new Map<string, number>();
  const score = new Map(input.candidates.map((hit) => [hit.id, hit.score]));
  for (const mention of hitMentions) weights.set(mention.entityId, (weights.get(mention.entityId) ?? 0) + (score.get(mention.episodeId) ?? 0));
  const found = [...weights].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([id]) => id);
  const stated = hitFacts.flatMap((fact) => fact.entityIds);
  return [...new Set([...input.named.map((entity) => entity.id), ...stated, ...found])].slice(0, SEED_ENTITIES);
}

/** Where the walker starts, by entity and passage. */
function restartWeights(
  input: ExpansionInput,
  flatPassages: readonly Candidate[],
  hitFacts: readonly Fact[],
  near: Subgraph,
  mentions: readonly Mention[],
): Map<string, number> {
  const specificity = (entityId: string) => 1 / Math.max(1, near.degree.get(entityId) ?? 1);
  const score = new Map(input.candidates.map((hit) => [hit.id, hit.score]));
  const entities = new Map<string, number>();
  const raise = (entityId: string, weight: number) => entities.set(entityId, Math.max(entities.get(entityId) ?? 0, weight));
  // A word that happens to be some entity's name ("Good", "Located") stands in passages that fit the question badly.
  const fit = new Map<string, number>();
  for (const { entityId, episodeId } of mentions) fit.set(entityId, Math.max(fit.get(entityId) ?? 0, score.get(episodeId) ?? 0));
  for (const entity of input.named) raise(entity.id, Math.max(LEAST_FIT, fit.get(entity.id) ?? 0) * specificity(entity.id));
  for (const fact of hitFacts) for (const entityId of fact.entityIds) raise(entityId, (score.get(fact.id) ?? 0) * specificity(entityId));
  const passages = new Map(flatPassages.map((hit) => [hit.id, hit.score]));
  return new Map([...shares(entities, ENTITY_SHARE), ...shares(passages, 1 - ENTITY_SHARE)]);
}

function shares(weights: ReadonlyMap<string, number>, share: number): [string, number][] {
  const total = [...weights.values()].reduce((sum, weight) => sum + Math.max(0, weight), 0);
  return total > 0 ? [...weights].map(([id, weight]) => [id, (share * Math.max(0, weight)) / total]) : [];
}

/** Entities that the walk came to and whose own passages are not read yet, since they lie further or did not fit the bound: the most visited first. */
function bridgeEntities(near: Subgraph, mentions: readonly Mention[], visits: ReadonlyMap<string, number>): string[] {
  const read = new Set(near.mentions.map((mention) => mention.entityId));
  return [...new Set([...near.entities.map((entity) => entity.id), ...mentions.map((mention) => mention.entityId)])]
    .filter((id) => !read.has(id) && (visits.get(id) ?? 0) > 0)
    .sort((a, b) => (visits.get(b) ?? 0) - (visits.get(a) ?? 0) || (a < b ? -1 : 1))
    .slice(0, BRIDGE_ENTITIES);
}

/** The graph that the walker walks: entities joined by facts, and with the passages that mention them. */
function weave(facts: readonly Fact[], inferred: readonly InferredEdge[], mentions: readonly Mention[]): WeightedGraph {
  const web = new WeightedGraph();
  for (const { episodeId, entityId } of mentions) web.edge(entityId, episodeId, 1);
  for (const fact of facts) if (fact.subjectId !== undefined && fact.objectId !== undefined) web.edge(fact.subjectId, fact.objectId, fact.confidence);
  for (const edge of inferred) web.edge(edge.subjectId, edge.objectId, edge.confidence);
  return web;
}

function distinct(mentions: readonly Mention[]): Mention[] {
  const seen = new Map<string, Set<string>>();
  return mentions.filter(({ episodeId, entityId }) => {
    const met = seen.get(episodeId) ?? new Set();
    seen.set(episodeId, met);
    return !met.has(entityId) && met.add(entityId);
  });
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
  const room = { episode: GRAPH_PASSAGES, fact: GRAPH_FACTS };
  const touched = ranked.flatMap((id, index): Candidate[] => {
    const kind = isFact.has(id) ? 'fact' : 'episode';
    if (!known.has(id) && room[kind]-- <= 0) return [];
    const entityIds = [...(about.get(id) ?? [])];
    const candidate = known.get(id) ?? { kind, id, score: 0, channels: [], path: [] };
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
