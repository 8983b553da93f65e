import { type AsOf, endsAhead, factAsOf } from '../domain/as-of.ts';
import type { Candidate } from '../domain/candidate.ts';
import { clausesIn } from '../domain/clauses.ts';
import type { Episode, Outdated } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
import type { Recollection } from '../domain/recollection.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { Successor } from '../retrieval/replacement.ts';

export interface Loaded {
  readonly recollections: readonly Recollection[];
  /** Id of a memory that ended to what took its place. */
  readonly replacedBy: ReadonlyMap<string, readonly Successor[]>;
  /** What ends on a day to come, as it is then, and by id what takes its place. */
  readonly ending: { readonly items: ReadonlyMap<string, Recollection>; readonly replacedBy: ReadonlyMap<string, readonly Successor[]> };
}

/** Steps of "ended by", from what was found to what holds now. */
const MAX_ROUNDS = 4;
const MAX_UPDATES = 1000;
const MAX_FACTS_OF_A_TURN = 200;

/**
 * What was found, as it was at the moment asked about. A memory that is not of this time goes; what took the place of one that ended comes in,
 * so that nobody reads the old without the new.
 * @param isAboutEnd whether the question is about what ended of an outdated turn
 */
export async function atMoment(
  userId: string,
  found: readonly Recollection[],
  graph: GraphStore,
  asOf: AsOf,
  isAboutEnd: (turn: Episode) => boolean,
): Promise<Loaded> {
  const recollections = new Map<string, Recollection>();
  const replacedBy = new Map<string, readonly Successor[]>();
  const ending = { items: new Map<string, Recollection>(), replacedBy: new Map<string, readonly Successor[]>() };
  let wanted = found;
  for (let round = 0; round <= MAX_ROUNDS && wanted.length > 0; round++) {
    const turns = wanted.flatMap((item) => (item.kind === 'episode' ? [item.episode] : []));
    const parts = await endedParts(userId, turns, graph, asOf, isAboutEnd);
    const episodes = new Map((await episodesAsOf(userId, turns, parts, graph, asOf)).map((episode) => [episode.id, episode]));
    const facts = new Map(wanted.flatMap((item) => (item.kind === 'fact' ? factAsOf(item.fact, asOf) : [])).map((fact) => [fact.id, fact]));
    const missing = new Map<string, Candidate['kind']>();
    const note = (id: string, by: readonly Successor[], kind: Candidate['kind']) => {
      if (by.length === 0) return;
      replacedBy.set(id, by);
      for (const successor of by) missing.set(successor.id, kind);
    };
    for (const item of wanted) {
      const [episode, fact] = [episodes.get(item.id), facts.get(item.id)];
      if (item.kind === 'episode' && episode !== undefined) {
        recollections.set(item.id, { ...item, episode });
        // Until then what comes is no answer, so it need not come in.
        if (isAhead(item.episode.outdated, asOf)) {
          ending.items.set(item.id, item);
          ending.replacedBy.set(
            item.id,
            successorsOf(item.episode, [], () => undefined),
          );
        }
      } else if (item.kind === 'fact' && fact !== undefined) {
        recollections.set(item.id, { ...item, fact });
        if (asOf.world === undefined && endsAhead(item.fact, asOf.now)) ending.items.set(item.id, item);
      }
    }
    const ended = [...facts.values()].filter((fact) => fact.expiredAt !== undefined || ending.items.has(fact.id)).map((fact) => fact.id);
    const stated = [...new Set([...ended, ...[...parts.values()].flatMap((all) => all.map(({ id }) => id))])];
    const updates =
      stated.length === 0 ? [] : await graph.readUpdates({ userId, recordIds: stated, actions: ['invalidate'] }, { limit: MAX_UPDATES });
    const related = updates.flatMap((update) => update.relatedId ?? []);
    const successors = new Map((related.length === 0 ? [] : await graph.getFacts(userId, related)).map((fact) => [fact.id, fact]));
    const successorOf = new Map(updates.map((update) => [update.recordId, successors.get(update.relatedId ?? '')]));
    for (const episode of episodes.values())
      note(
        episode.id,
        successorsOf(episode, parts.get(episode.id) ?? [], (fact) => successorOf.get(fact.id)?.evidence[0]),
        'episode',
      );
    for (const id of ended) {
      const by = successorOf.get(id);
      // What the rules read is not a memory of its own; its turn is.
      if (by === undefined || by.origin === 'rules') continue;
      const whole = [{ id: by.id, about: '' }];
      if (ending.items.has(id)) ending.replacedBy.set(id, whole);
      else note(id, whole, 'fact');
    }
    wanted = await read(
      userId,
      [...missing].filter(([id]) => !recollections.has(id)),
      graph,
    );
  }
  return { recollections: [...recollections.values()], replacedBy, ending };
}

type Parts = ReadonlyMap<string, readonly Fact[]>;

/**
 * Of turns that are outdated the facts that had ended at the moment asked about: where the question is about what ended of one that says more than
 * one thing, and where its mark may have been another one then.
 */
async function endedParts(
  userId: string,
  turns: readonly Episode[],
  graph: GraphStore,
  asOf: AsOf,
  isAboutEnd: (turn: Episode) => boolean,
): Promise<Parts> {
  const { world, record, now } = asOf;
  const moment = world ?? now;
  const mayDiffer = (outdated: Outdated) => world !== undefined || record !== undefined || isAhead(outdated, asOf);
  const saysSeveral = ({ outdated, content }: Episode) => outdated?.inPart === true || clausesIn(content).length > 1;
  const marked = turns.filter((turn) => turn.outdated !== undefined && (mayDiffer(turn.outdated) || (saysSeveral(turn) && isAboutEnd(turn))));
  const stated = await Promise.all(marked.map(({ id }) => graph.findFacts({ userId, episodeId: id }, { limit: MAX_FACTS_OF_A_TURN })));
  const hadEnded = ({ invalidAt, expiredAt }: Fact) =>
    expiredAt !== undefined && (record === undefined || expiredAt <= record) && (moment === undefined || (invalidAt ?? '') <= moment);
  return new Map(marked.map(({ id }, index) => [id, (stated[index] ?? []).filter(hadEnded)]));
}

/** Of a turn of which more has ended since. */
function markThen(parts: readonly Fact[]): Outdated | undefined {
  const since = parts
    .flatMap(({ invalidAt }) => invalidAt ?? [])
    .sort()
    .at(-1);
  return since === undefined ? undefined : { since, inPart: true, about: parts.flatMap((part) => wordsOf(part, parts)).join(' ') };
}

/** A sentence that several parts share tells none from the other. */
function wordsOf(part: Fact, parts: readonly Fact[]): string[] {
  const isShared = parts.some((other) => other !== part && other.text === part.text);
  return [part.slot, part.predicate, isShared ? undefined : part.text].filter((word) => word !== undefined);
}

/** By part what took the place of a turn. */
function successorsOf({ id, outdated }: Episode, parts: readonly Fact[], turnAfter: (part: Fact) => string | undefined): readonly Successor[] {
  const about = new Map<string, string[]>();
  for (const part of parts) {
    const by = turnAfter(part);
    if (by === undefined || by === id) continue;
    about.set(by, [...(about.get(by) ?? []), ...wordsOf(part, parts)]);
  }
  // One that no part tells of: its fact was told again by another turn since.
  if (outdated?.by !== undefined && !about.has(outdated.by)) about.set(outdated.by, []);
  return [...about].map(([by, words]) => ({ id: by, about: words.join(' ') }));
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

async function episodesAsOf(userId: string, episodes: readonly Episode[], parts: Parts, graph: GraphStore, asOf: AsOf): Promise<readonly Episode[]> {
  const marked = ({ outdated, ...rest }: Episode, isUnknown = false): Episode => {
    const mark = isUnknown || isAhead(outdated, asOf) ? markThen(parts.get(rest.id) ?? []) : outdated;
    return mark === undefined ? rest : { ...rest, outdated: mark };
  };
  if (asOf.world === undefined && asOf.record === undefined) return episodes.map((episode) => marked(episode));
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
    const isUnknown = record !== undefined && (turns.get(episode.outdated?.by ?? '')?.createdAt ?? '') > record;
    return [marked({ ...episode, content: textThen.get(episode.id) ?? episode.content }, isUnknown)];
  });
}

/** Whether a turn is outdated on a day that is still to come at the moment asked about. */
function isAhead(outdated: Outdated | undefined, { world, now }: AsOf): boolean {
  const moment = world ?? now;
  return moment !== undefined && outdated !== undefined && outdated.since > moment;
}
