import { isOver } from '../domain/as-of.ts';
import type { NewEpisode } from '../domain/episode.ts';
import { type Fact, startOf } from '../domain/fact.ts';
import { normalForm } from '../domain/normal-form.ts';
import { MemoryError } from '../errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { VectorIndex } from '../ports/vector-index.ts';

export interface KnownFactsDependencies {
  readonly graph: GraphStore;
  readonly vectors: VectorIndex;
  readonly embedding: EmbeddingModel;
}

/** Unrelated facts only tempt the model to name them. */
const SMALLEST_COSINE = 0.3;
const HITS_PER_EPISODE = 6;
const MAX_NAME_WORDS = 4;
const MAX_KEYS = 1000;
const MAX_ENTITIES = 16;
const FACTS_PER_ENTITY = 40;
/** Read of the user's facts, to find the newest among them. */
const MAX_FACTS = 1000;
/** Facts whose turns are looked up at once. */
const LOOKED_UP = 100;

/**
 * Facts that hold so far and may end by what the episodes say: all where they are few; else the nearest by meaning, the newest about the same
 * entities, and the newest that the same people told, since an end is often told in other words. Few, since the model pays for each. An index
 * that can't answer is done without: what is missed ends by the rules or not at all, and nothing is lost.
 */
export async function knownFacts(
  episodes: readonly NewEpisode[],
  dependencies: KnownFactsDependencies,
  limit: number,
  now: Date,
  signal?: AbortSignal,
): Promise<Fact[]> {
  const userId = episodes[0]?.userId;
  if (userId === undefined || limit === 0) return [];
  const { graph } = dependencies;
  // Also what ends on a day to come.
  const read = await graph.findFacts({ userId }, { limit: MAX_FACTS });
  const current = newestFirst(read, now);
  if (read.length < MAX_FACTS && current.length <= limit) return current;
  const near = await graph.getFacts(userId, await nearestFacts(userId, episodes, dependencies, signal));
  const found = new Map(near.filter((fact) => !isOver(fact, now.toISOString())).map((fact) => [fact.id, fact]));
  const add = (facts: readonly Fact[]) => {
    for (const fact of facts) found.set(fact.id, found.get(fact.id) ?? fact);
  };
  if (found.size < limit) add(await factsOfNames(userId, episodes, graph, now));
  if (found.size < limit) {
    const others = current.filter((fact) => !found.has(fact.id));
    add(await toldBySame(userId, episodes, others, graph, limit - found.size));
  }
  return [...found.values()].slice(0, limit);
}

/** Those of the facts that the speakers of the episodes told in a conversation: nobody else's, and nothing out of documents. */
async function toldBySame(
  userId: string,
  episodes: readonly NewEpisode[],
  facts: readonly Fact[],
  graph: GraphStore,
  limit: number,
): Promise<Fact[]> {
  const isSaid = ({ kind, role }: NewEpisode) => kind === 'message' && role === 'user';
  const speakers = new Set(episodes.filter(isSaid).map(({ speaker }) => speaker));
  if (speakers.size === 0) return [];
  const said = facts.filter((fact) => fact.saidBy === 'user');
  const own: Fact[] = [];
  for (let start = 0; start < said.length && own.length < limit; start += LOOKED_UP) {
    const some = said.slice(start, start + LOOKED_UP);
    const turns = await graph.getEpisodes(userId, [...new Set(some.flatMap(({ evidence }) => evidence))]);
    const told = new Set(turns.filter((turn) => isSaid(turn) && speakers.has(turn.speaker)).map(({ id }) => id));
    own.push(...some.filter(({ evidence }) => evidence.some((id) => told.has(id))));
  }
  return own.slice(0, limit);
}

async function nearestFacts(
  userId: string,
  episodes: readonly NewEpisode[],
  { vectors, embedding }: KnownFactsDependencies,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  try {
    const found = await embedding.embed(
      episodes.map((episode) => episode.content),
      'query',
      signal,
    );
    const lists = await Promise.all(
      found.map((vector) =>
        vectors.search({ userId, vector, filter: { kinds: ['fact'] }, limit: HITS_PER_EPISODE, threshold: SMALLEST_COSINE }, signal),
      ),
    );
    const hits = lists.flat().sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    return [...new Set(hits.map((hit) => hit.id))];
  } catch (error) {
    if (!MemoryError.isInstance(error) || !error.retryable) throw error;
    return [];
  }
}

async function factsOfNames(userId: string, episodes: readonly NewEpisode[], graph: GraphStore, now: Date): Promise<Fact[]> {
  const keys = [
    ...new Set(episodes.flatMap((episode) => [...namesIn(episode.content), ...(episode.speaker === undefined ? [] : [normalForm(episode.speaker)])])),
  ];
  if (keys.length === 0) return [];
  const entities = await graph.findEntities({ userId, keys: keys.slice(0, MAX_KEYS) }, { limit: MAX_ENTITIES });
  const lists: Fact[][] = [];
  for (const entity of entities) lists.push(await graph.findFacts({ userId, entityId: entity.id, currentOnly: true }, { limit: FACTS_PER_ENTITY }));
  return newestFirst(lists.flat(), now);
}

/** Every run of a few words, as a name would be compared. */
function namesIn(text: string): Set<string> {
  const words = text.split(/[^\p{L}\p{N}\p{M}'’._-]+/u).filter((word) => word !== '');
  const names = new Set<string>();
  for (let start = 0; start < words.length && names.size < MAX_KEYS; start++) {
    for (let length = 1; length <= MAX_NAME_WORDS && start + length <= words.length; length++)
      names.add(normalForm(words.slice(start, start + length).join(' ')));
  }
  return names;
}

function newestFirst(facts: readonly Fact[], now: Date): Fact[] {
  return facts
    .filter((fact) => !isOver(fact, now.toISOString()))
    .sort((a, b) => (startOf(a) > startOf(b) ? -1 : startOf(a) < startOf(b) ? 1 : a.id < b.id ? -1 : 1));
}
