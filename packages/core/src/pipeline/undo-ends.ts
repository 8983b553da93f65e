import { type ChangeSet, type Decision, emptyChangeSet, type OutboxItem } from '../domain/change-set.ts';
import type { Episode } from '../domain/episode.ts';
import { type Fact, startOf } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import type { Timestamp } from '../domain/time.ts';
import type { LoggedUpdate } from '../domain/update-log.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { type Decided, decide, outdatedSince } from '../resolution/decide.ts';
import { outdate, SENTENCE_OF_EDGE } from '../resolution/outdate.ts';
import { toldOrder } from '../resolution/told-order.ts';
import { unlessErasedMeanwhile } from './unless-forgotten.ts';

export interface UndoneEnds {
  readonly changes: Pick<ChangeSet, 'reopenings' | 'closures' | 'updates' | 'revisions' | 'outbox'>;
  readonly decisions: readonly Decision[];
}

const LIMIT = 1000;

/**
 * What follows for facts that had ended by what a turn no longer says: they hold again, unless something else that is known ends them too, now or
 * later. Turns that this one had outdated are so no more.
 * @param gone facts that nothing states any more
 * @param fresh facts of the turn's new text
 */
export async function undoEnds(turn: Episode, gone: readonly Fact[], fresh: readonly Fact[], now: Timestamp, graph: GraphStore): Promise<UndoneEnds> {
  const { userId } = turn;
  const isGone = new Set(gone.map(({ id }) => id));
  const told = (await endsOf(userId, [...isGone], graph)).filter(({ relatedId, recordId }) => isGone.has(relatedId ?? '') && !isGone.has(recordId));
  return undoToldEnds({ userId, told, isGone, fresh, reason: 'what told of its end was changed', episodeId: turn.id }, now, graph);
}

export interface ToldEnds {
  readonly userId: string;
  /** The ends that count no more. */
  readonly told: readonly LoggedUpdate[];
  /** Ids of facts that nothing states any more. */
  readonly isGone: ReadonlySet<string>;
  readonly fresh: readonly Fact[];
  readonly reason: string;
  /** The turn that brings it about. */
  readonly episodeId?: string;
  /** A fact of the store as it is going to be. Default: as it is. */
  readonly placed?: (fact: Fact) => Fact;
}

/** The same for any ends that were told, each by a fact that is gone or that is about something else from now on. */
export async function undoToldEnds(
  { userId, told, isGone, fresh, reason, episodeId, placed = (fact) => fact }: ToldEnds,
  now: Timestamp,
  graph: GraphStore,
): Promise<UndoneEnds> {
  const ended = (await graph.getFacts(userId, [...new Set(told.map(({ recordId }) => recordId))]))
    .filter(({ expiredAt }) => expiredAt !== undefined)
    .map(placed);
  const none = emptyChangeSet(userId);
  if (ended.length === 0) return { changes: none, decisions: [] };

  const others = (await around(userId, ended, graph)).filter(({ id }) => !isGone.has(id)).map(placed);
  const undoneEnds = new Set(told.map(({ id }) => id));
  const log = (
    await endsOf(
      userId,
      [...ended, ...others].map(({ id }) => id),
      graph,
    )
  ).filter(({ id, relatedId }) => !undoneEnds.has(id) && !isGone.has(relatedId ?? ''));
  const rest = await graph.getFacts(userId, [...new Set(log.flatMap(({ relatedId }) => relatedId ?? []))]);
  const decided = await decideAnew(ended, [...others, ...rest.map(placed), ...fresh], log, now, graph);
  const again = new Map(decided.closures.map((closure) => [closure.factId, closure]));
  const reopened = ended.filter((fact) => !again.has(fact.id) && !isSentenceOfEnded(fact, told, again));
  const undone = ended.filter((fact) => reopened.includes(fact) || again.has(fact.id));
  const changed = undone.filter((fact) => reopened.includes(fact) || (again.get(fact.id)?.invalidAt ?? fact.invalidAt) !== fact.invalidAt);
  const marks = await marksOf(userId, ended, reopened, decided, log, now, graph);
  return {
    changes: {
      reopenings: changed.map(({ id }) => ({ factId: id })),
      closures: [...changed.flatMap(({ id }) => again.get(id) ?? []), ...marks.closures],
      updates: [
        ...undone.map(({ id }) => ({
          id: deriveId(userId, 'update', 'reopen', id, episodeId, now),
          userId,
          action: 'reopen' as const,
          kind: 'fact' as const,
          recordId: id,
          actor: 'caller' as const,
          reason,
          ...(episodeId === undefined ? {} : { episodeId }),
          at: now,
        })),
        // Under a name of their own: told before, they would stand in the log before the reopening.
        ...decided.updates.filter(({ recordId }) => again.has(recordId)).map((update) => ({ ...update, id: deriveId(update.id, episodeId, now) })),
        ...marks.updates,
      ],
      revisions: marks.revisions,
      outbox: changed.filter(({ origin }) => origin !== 'rules').map(({ id }): OutboxItem => ({ operation: 'upsert', kind: 'fact', recordId: id })),
    },
    decisions: reopened.map(({ id }) => ({ action: 'add', factId: id, reason: `holds again: ${reason}` })),
  };
}

/** Of facts that an erasure reopened ends those that something else which is known ends too. Another erasure at the same time goes first. */
export async function endAnew(userId: string, factIds: readonly string[], now: Timestamp, graph: GraphStore): Promise<void> {
  await unlessErasedMeanwhile(userId, graph, async () => {
    const facts = await graph.getFacts(userId, factIds);
    const { closures, updates, ended } = await decideAnew(facts, await around(userId, facts, graph), [], now, graph);
    const own = new Set(facts.map(({ id }) => id));
    const anew = ended.filter(({ fact }) => own.has(fact.id));
    const stating = await graph.getEpisodes(userId, [...new Set(facts.flatMap(({ evidence }) => evidence))]);
    const { changes } = await outdate(userId, [...(await stillOver(userId, stating, own, [], now, graph)), ...anew], { facts: [] }, now, { graph });
    const again = updates.filter(({ recordId }) => own.has(recordId)).map((update) => ({ ...update, id: deriveId(update.id, now) }));
    return {
      changes: {
        ...emptyChangeSet(userId),
        closures: [...closures, ...changes.closures],
        updates: [...again, ...changes.updates],
        revisions: [...lifted(stating, changes.revisions), ...changes.revisions],
      },
      result: undefined,
    };
  });
}

/** Turns that nothing marks as outdated any more. */
function lifted(turns: readonly Episode[], marks: ChangeSet['revisions']): ChangeSet['revisions'] {
  const kept = new Set(marks.map(({ episodeId }) => episodeId));
  return turns.filter(({ id, outdated }) => outdated !== undefined && !kept.has(id)).map(({ id }) => ({ episodeId: id, outdated: null }));
}

/** What ends the facts, as if they had not ended, of all that is known. */
export async function decideAnew(
  facts: readonly Fact[],
  others: readonly Fact[],
  log: readonly LoggedUpdate[],
  now: Timestamp,
  graph: GraphStore,
): Promise<Decided> {
  const told = new Map([...others.filter(hasHeld), ...facts].map((fact) => [fact.id, open(fact)]));
  return decide(
    {
      episodes: [],
      entities: [],
      facts: [...told.values()],
      mentions: [],
      known: new Map(facts.map((fact) => [fact.id, open(fact)])),
      related: [],
      saidAt: new Map(),
      toldOrder: await orderOfTied([...told.values()], graph),
      replaces: replacements(log, facts),
      corrections: new Set(log.flatMap(({ reason, relatedId }) => (reason === 'corrected' && relatedId !== undefined ? [relatedId] : []))),
      merges: [],
      skipped: [],
    },
    now,
  );
}

/** Read only for facts that hold since the same moment. */
async function orderOfTied(facts: readonly Fact[], graph: GraphStore): Promise<ReadonlyMap<string, number>> {
  const tied = [...Map.groupBy(facts, startOf).values()].flatMap((group) => (group.length > 1 ? group : []));
  const [userId, ids] = [tied[0]?.userId, [...new Set(tied.flatMap(({ evidence }) => evidence))].slice(-LIMIT)];
  return userId === undefined || ids.length === 0 ? new Map() : toldOrder(await graph.getEpisodes(userId, ids), []);
}

/** Ends that count: told after the last time that the fact was reopened. */
export async function endsOf(userId: string, recordIds: readonly string[], graph: GraphStore): Promise<LoggedUpdate[]> {
  const updates = recordIds.length === 0 ? [] : await graph.readUpdates({ userId, recordIds, actions: ['invalidate', 'reopen'] }, { limit: LIMIT });
  const reopenedAt = new Map(updates.flatMap(({ action, recordId, sequence }) => (action === 'reopen' ? [[recordId, sequence] as const] : [])));
  return updates.filter(({ action, recordId, sequence }) => action === 'invalidate' && sequence > (reopenedAt.get(recordId) ?? -1));
}

/** Facts of the same slots, and between the same two. */
async function around(userId: string, facts: readonly Fact[], graph: GraphStore): Promise<Fact[]> {
  const found = await Promise.all(
    facts.flatMap(({ subjectId, objectId, slot }) => [
      ...(subjectId === undefined || objectId === undefined ? [] : [graph.findFacts({ userId, subjectId, objectId }, { limit: LIMIT })]),
      ...(subjectId === undefined || slot === undefined ? [] : [graph.findFacts({ userId, subjectId, slot }, { limit: LIMIT })]),
    ]),
  );
  return found.flat();
}

function replacements(log: readonly LoggedUpdate[], ended: readonly Fact[]): Map<string, Fact[]> {
  const replaces = new Map<string, Fact[]>();
  for (const fact of ended)
    for (const { recordId, relatedId, reason } of log)
      if (recordId === fact.id && relatedId !== undefined && reason !== SENTENCE_OF_EDGE)
        replaces.set(relatedId, [...(replaces.get(relatedId) ?? []), open(fact)]);
  return replaces;
}

/** A sentence that ended with its edge holds again with it only. */
function isSentenceOfEnded(fact: Fact, told: readonly LoggedUpdate[], again: ReadonlyMap<string, unknown>): boolean {
  const [end] = told.filter(({ recordId }) => recordId === fact.id);
  if (end?.reason !== SENTENCE_OF_EDGE) return false;
  return told.some(({ recordId, relatedId }) => recordId !== fact.id && relatedId === end.relatedId && again.has(recordId));
}

/** Anew for the turns that state what had ended: by what else has ended of what they state. */
async function marksOf(
  userId: string,
  ended: readonly Fact[],
  reopened: readonly Fact[],
  decided: Decided,
  log: readonly LoggedUpdate[],
  now: Timestamp,
  graph: GraphStore,
): Promise<Pick<ChangeSet, 'revisions' | 'closures' | 'updates'>> {
  const stating = await graph.getEpisodes(userId, [...new Set(ended.flatMap(({ evidence }) => evidence))]);
  const concerned = new Set(ended.map(({ id }) => id));
  const over = await stillOver(userId, stating, concerned, log, now, graph);
  const anew = decided.ended.filter(({ fact }) => concerned.has(fact.id));
  const { changes } = await outdate(userId, [...over, ...anew], { facts: reopened.map(open) }, now, { graph });
  return { ...changes, revisions: [...lifted(stating, changes.revisions), ...changes.revisions] };
}

/** What else of the turns has ended, the first first. */
async function stillOver(
  userId: string,
  turns: readonly Episode[],
  concerned: ReadonlySet<string>,
  log: readonly LoggedUpdate[],
  now: Timestamp,
  graph: GraphStore,
): Promise<Decided['ended']> {
  const stated = (await Promise.all(turns.map(({ id }) => graph.findFacts({ userId, episodeId: id }, { limit: LIMIT })))).flat();
  const over = [...new Map(stated.map((fact) => [fact.id, fact])).values()].filter((fact) => fact.expiredAt !== undefined && !concerned.has(fact.id));
  const ends = [
    ...log,
    ...(await endsOf(
      userId,
      over.map(({ id }) => id),
      graph,
    )),
  ];
  const by = new Map((await graph.getFacts(userId, [...new Set(ends.flatMap(({ relatedId }) => relatedId ?? []))])).map((fact) => [fact.id, fact]));
  return over
    .flatMap((fact) => {
      const end = by.get(ends.findLast(({ recordId }) => recordId === fact.id)?.relatedId ?? '');
      const { invalidAt } = fact;
      return end === undefined || invalidAt === undefined ? [] : [{ fact, by: end, since: outdatedSince({ ...fact, invalidAt }, now) }];
    })
    .sort((a, b) => (a.since < b.since ? -1 : 1));
}

/** Not what was corrected, or taken back with its turn. */
function hasHeld(fact: Fact): boolean {
  return fact.invalidAt === undefined || fact.invalidAt !== startOf(fact);
}

/** As if nothing had ended it; an end that was told with it stays. */
export function open(fact: Fact): Fact {
  if (fact.expiredAt === undefined) return fact;
  const { invalidAt: _, expiredAt: __, ...rest } = fact;
  return rest;
}
