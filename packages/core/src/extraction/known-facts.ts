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

/**
 * Facts that hold so far and may end by what the episodes say: the nearest by meaning, then the newest about the same entities. Few, since the
 * model pays for each. An index that can't answer is done without: what is missed ends by the rules or not at all, and nothing is lost.
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
  const near = await graph.getFacts(userId, await nearestFacts(userId, episodes, dependencies, signal));
  const found = new Map(near.filter((fact) => !isOver(fact, now.toISOString())).map((fact) => [fact.id, fact]));
  if (found.size < limit) for (const fact of await factsOfNames(userId, episodes, graph, now)) found.set(fact.id, found.get(fact.id) ?? fact);
  return [...found.values()].slice(0, limit);
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
  return lists
    .flat()
    .filter((fact) => !isOver(fact, now.toISOString()))
    .sort((a, b) => (startOf(a) > startOf(b) ? -1 : startOf(a) < startOf(b) ? 1 : a.id < b.id ? -1 : 1));
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
