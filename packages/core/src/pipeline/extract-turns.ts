import type PQueue from 'p-queue';
import type { EngineOptions } from '../config.ts';
import type { Episode, NewEpisode } from '../domain/episode.ts';
import { type ExtractedEntity, type Extraction, NO_USAGE } from '../domain/extraction.ts';
import type { Fact } from '../domain/fact.ts';
import { knownFacts } from '../extraction/known-facts.ts';
import type { Clock } from '../ports/clock.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { Extractor } from '../ports/extractor.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { VectorIndex } from '../ports/vector-index.ts';
import { plainTitle } from '../retrieval/title-links.ts';
import { type IncomingEpisode, isBlank } from './read-input.ts';

export interface ExtractionDependencies {
  readonly graph: GraphStore;
  readonly vectors: VectorIndex;
  readonly embedding: EmbeddingModel;
  readonly extractor: Extractor;
  readonly clock: Clock;
  /** Bounds the calls to the model, over all stores of this engine. */
  readonly modelQueue: PQueue;
}

export interface ReadTurns {
  readonly extraction: Extraction;
  /** Facts that the extractor was shown. */
  readonly known: readonly Fact[];
  /** Ids of the turns that only the rules have read. */
  readonly outlined: ReadonlySet<string>;
}

/** Relations of the caller as they are; the other turns by the extractor, together in one call. Turns kept verbatim are not read. */
export async function extractTurns(
  items: readonly IncomingEpisode[],
  userId: string,
  dependencies: ExtractionDependencies,
  engine: EngineOptions,
  signal: AbortSignal | undefined,
): Promise<ReadTurns> {
  const supplied = items.flatMap((item, episode) => (item.relations ?? []).map((relation) => ({ ...relation, origin: 'caller' as const, episode })));
  const given: Extraction = {
    origin: 'caller',
    entities: titles(items.map(({ episode }) => episode)),
    relations: supplied,
    facts: [],
    skipped: [],
    usage: NO_USAGE,
  };
  const unread = items.flatMap((item, index) => (item.relations === undefined && item.episode.state !== 'verbatim' ? [index] : []));
  if (unread.length === 0) return { extraction: given, known: [], outlined: new Set() };

  const episodes = unread.flatMap((index) => items[index]?.episode ?? []);
  const preceding = await precedingTurns(episodes, userId, dependencies.graph, engine.extraction.precedingTurns);
  const known = dependencies.extractor.local
    ? []
    : await knownFacts(episodes, dependencies, engine.extraction.knownFacts, dependencies.clock.now(), signal);
  const read = () => dependencies.extractor.extract({ episodes, preceding, known }, signal);
  const found = dependencies.extractor.local ? await read() : await dependencies.modelQueue.add(read);
  const place = <T extends { readonly episode?: number }>(item: T): T => ({
    ...item,
    ...(item.episode === undefined ? {} : { episode: unread[item.episode] ?? 0 }),
  });
  const extraction = {
    ...found,
    entities: [...given.entities, ...found.entities.map(place)],
    relations: [...given.relations, ...found.relations.map(place)],
    facts: found.facts.map(place),
  };
  return { extraction, known, outlined: new Set(found.origin === 'rules' ? episodes.map(({ id }) => id) : []) };
}

/** What a document is about by its title is an entity: other passages that name it lead to it. */
export function titles(episodes: readonly NewEpisode[]): ExtractedEntity[] {
  return episodes.flatMap((each, episode) => {
    const name = each.state === 'verbatim' ? undefined : titleName(each);
    return name === undefined ? [] : [{ name, episode }];
  });
}

export function titleName({ metadata }: Pick<NewEpisode, 'metadata'>): string | undefined {
  const title = metadata['title'];
  return typeof title === 'string' && !isBlank(title) ? plainTitle(title) : undefined;
}

/** What stands before the episodes in their thread, oldest first. Episodes that are not saved yet come after all that is. */
async function precedingTurns(episodes: readonly NewEpisode[], userId: string, graph: GraphStore, count: number): Promise<Episode[]> {
  const first = episodes[0];
  if (first?.threadId === undefined || count === 0) return [];
  const before = (await graph.neighbours(userId, [first.id], count)).get(first.id) ?? (await graph.latest(userId, first.threadId, count));
  return before.toReversed();
}
