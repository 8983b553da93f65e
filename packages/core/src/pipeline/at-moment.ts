import { type AsOf, endsAhead, factAsOf } from '../domain/as-of.ts';
import type { Candidate } from '../domain/candidate.ts';
import type { Episode } from '../domain/episode.ts';
import type { Recollection } from '../domain/recollection.ts';
import type { GraphStore } from '../ports/graph-store.ts';

export interface Loaded {
  readonly recollections: readonly Recollection[];
  /** Id of a memory that ended to the id of the one that took its place. */
  readonly replacedBy: ReadonlyMap<string, string>;
  /** What ends on a day to come, as it is then, and by id what takes its place. */
  readonly ending: { readonly items: ReadonlyMap<string, Recollection>; readonly replacedBy: ReadonlyMap<string, string> };
}

/** Steps of "ended by", from what was found to what holds now. */
const MAX_ROUNDS = 4;
const MAX_UPDATES = 1000;

/**
 * What was found, as it was at the moment asked about. A memory that is not of this time goes; what took the place of one that ended comes in,
 * so that nobody reads the old without the new.
 */
export async function atMoment(userId: string, found: readonly Recollection[], graph: GraphStore, asOf: AsOf): Promise<Loaded> {
  const recollections = new Map<string, Recollection>();
  const replacedBy = new Map<string, string>();
  const ending = { items: new Map<string, Recollection>(), replacedBy: new Map<string, string>() };
  let wanted = found;
  for (let round = 0; round <= MAX_ROUNDS && wanted.length > 0; round++) {
    const episodes = new Map(
      (
        await episodesAsOf(
          userId,
          wanted.flatMap((item) => (item.kind === 'episode' ? [item.episode] : [])),
          graph,
          asOf,
        )
      ).map((episode) => [episode.id, episode]),
    );
    const facts = new Map(wanted.flatMap((item) => (item.kind === 'fact' ? factAsOf(item.fact, asOf) : [])).map((fact) => [fact.id, fact]));
    const missing = new Map<string, Candidate['kind']>();
    const note = (id: string, by: string | undefined, kind: Candidate['kind']) => {
      if (by === undefined) return;
      // Until then what comes is no answer, so it need not come in.
      if (ending.items.has(id)) ending.replacedBy.set(id, by);
      else {
        replacedBy.set(id, by);
        missing.set(by, kind);
      }
    };
    for (const item of wanted) {
      const [episode, fact] = [episodes.get(item.id), facts.get(item.id)];
      if (item.kind === 'episode' && episode !== undefined) {
        recollections.set(item.id, { ...item, episode });
        if (isMarkedAhead(item.episode, asOf)) ending.items.set(item.id, item);
        note(item.id, ending.items.has(item.id) ? item.episode.outdated?.by : episode.outdated?.by, 'episode');
      } else if (item.kind === 'fact' && fact !== undefined) {
        recollections.set(item.id, { ...item, fact });
        if (asOf.world === undefined && endsAhead(item.fact, asOf.now)) ending.items.set(item.id, item);
      }
    }
    const ended = [...facts.values()].filter((fact) => fact.expiredAt !== undefined || ending.items.has(fact.id)).map((fact) => fact.id);
    const updates = ended.length === 0 ? [] : await graph.readUpdates({ userId, recordIds: ended, actions: ['invalidate'] }, { limit: MAX_UPDATES });
    const related = updates.flatMap((update) => update.relatedId ?? []);
    const successors = new Map((related.length === 0 ? [] : await graph.getFacts(userId, related)).map((fact) => [fact.id, fact]));
    // What the rules read is not a memory of its own; its turn is.
    for (const update of updates)
      if (ended.includes(update.recordId) && successors.get(update.relatedId ?? '')?.origin !== 'rules')
        note(update.recordId, update.relatedId, 'fact');
    wanted = await read(
      userId,
      [...missing].filter(([id]) => !recollections.has(id)),
      graph,
    );
  }
  return { recollections: [...recollections.values()], replacedBy, ending };
}

/** While the graph is down, what the records themselves tell of their times. */
export function withoutGraph(found: readonly Recollection[], asOf: AsOf): Loaded {
  const recollections = found.flatMap((item): Recollection[] =>
    item.kind === 'episode' ? [item] : factAsOf(item.fact, asOf).map((fact) => ({ ...item, fact })),
  );
  return { recollections, replacedBy: new Map(), ending: { items: new Map(), replacedBy: new Map() } };
}

async function read(userId: string, wanted: readonly (readonly [id: string, kind: Candidate['kind']])[], graph: GraphStore): Promise<Recollection[]> {
  if (wanted.length === 0) return [];
  const ids = (kind: Candidate['kind']) => wanted.flatMap(([id, each]) => (each === kind ? [id] : []));
  const candidate = { score: 0, channels: [], path: [] };
  return [
    ...(await graph.getEpisodes(userId, ids('episode'))).map((episode): Recollection => ({ ...candidate, kind: 'episode', id: episode.id, episode })),
    ...(await graph.getFacts(userId, ids('fact'))).map((fact): Recollection => ({ ...candidate, kind: 'fact', id: fact.id, fact })),
  ];
}

async function episodesAsOf(userId: string, episodes: readonly Episode[], graph: GraphStore, asOf: AsOf): Promise<readonly Episode[]> {
  if (asOf.world === undefined && asOf.record === undefined) return episodes.map((episode) => withoutMarkAhead(episode, asOf));
  const { record } = asOf;
  const revised =
    record === undefined
      ? []
      : episodes.filter((episode) => episode.updatedAt !== undefined && episode.updatedAt > record).map((episode) => episode.id);
  const later = revised.length === 0 ? [] : await graph.readUpdates({ userId, recordIds: revised, actions: ['revise'] }, { limit: MAX_UPDATES });
  const textThen = new Map<string, string>();
  for (const update of later) {
    if (record !== undefined && update.at > record && update.before !== undefined && !textThen.has(update.recordId))
      textThen.set(update.recordId, update.before);
  }
  const turns = new Map(
    record === undefined
      ? []
      : (
          await graph.getEpisodes(
            userId,
            episodes.flatMap((episode) => episode.outdated?.by ?? []),
          )
        ).map((episode) => [episode.id, episode]),
  );
  return episodes.flatMap((episode) => {
    if ((asOf.world !== undefined && episode.at > asOf.world) || (record !== undefined && episode.createdAt > record)) return [];
    const { outdated, ...rest } = { ...episode, content: textThen.get(episode.id) ?? episode.content };
    const unknown = record !== undefined && (turns.get(outdated?.by ?? '')?.createdAt ?? '') > record;
    return [outdated === undefined || unknown ? rest : withoutMarkAhead({ ...rest, outdated }, asOf)];
  });
}

/** Whether it is outdated on a day that is still to come at the moment asked about. */
function isMarkedAhead({ outdated }: Episode, { world, now }: AsOf): boolean {
  const moment = world ?? now;
  return moment !== undefined && outdated !== undefined && outdated.since > moment;
}

function withoutMarkAhead(episode: Episode, asOf: AsOf): Episode {
  if (!isMarkedAhead(episode, asOf)) return episode;
  const { outdated: _, ...rest } = episode;
  return rest;
}
