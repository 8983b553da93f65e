import type { ChangeSet } from '../domain/change-set.ts';
import type { Fact } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import type { Timestamp } from '../domain/time.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { Plan } from '../resolution/plan.ts';
import { transferred } from '../resolution/related-facts.ts';
import { readAll } from './read-all.ts';
import { decideAnew } from './undo-ends.ts';

/** Why an edge ended whose two ends became one. */
const LOOP = 'both its ends are one';

/**
 * What the join of two known entities ends: of two values of one thing the older, as if both had been told of one, and edges from the one to the
 * other. The end names the merge, and goes with it.
 */
export async function withEndsByJoin(plan: Plan, userId: string, now: Timestamp, graph: GraphStore): Promise<Plan> {
  const { transfers } = plan.changes;
  if (transfers.length === 0) return plan;
  const ids = [...new Set(transfers.flatMap(({ fromId, toId }) => [fromId, toId]))];
  const read = await Promise.all(
    ids.map((entityId) =>
      readAll<Fact>(
        (page) => graph.findFacts({ userId, entityId, currentOnly: true }, page),
        ({ id }) => id,
      ),
    ),
  );
  const over = new Set(plan.changes.closures.map(({ factId }) => factId));
  const before = new Map(read.flat().flatMap((fact) => (over.has(fact.id) || fact.subjectId === undefined ? [] : [[fact.id, fact] as const])));
  const facts = [...before.values()].map((fact) => transferred(fact, transfers));
  const isLoop = (fact: Fact) => fact.subjectId === fact.objectId;
  const decided = await decideAnew(
    facts.filter((fact) => !isLoop(fact)),
    [],
    [],
    now,
    graph,
  );
  // What one of the two had of its own stays as it is.
  const ended = decided.ended.filter(({ fact, by }) => before.get(fact.id)?.subjectId !== before.get(by.id)?.subjectId);
  const joins = plan.merges.filter(({ relatedId }) => transfers.some(({ fromId }) => fromId === relatedId));
  const mergeOf = ({ subjectId }: Fact) => joins.find(({ relatedId, recordId }) => relatedId === subjectId || recordId === subjectId);
  const because = (fact: Fact, reason: string) => {
    const merge = mergeOf(before.get(fact.id) ?? fact);
    return merge === undefined ? reason : `${reason}; two names were joined (merge ${merge.id})`;
  };
  const closures = new Map(decided.closures.map((closure) => [closure.factId, closure]));
  const updates = new Map(decided.updates.map((update) => [update.recordId, update]));
  const ends = ended.flatMap(({ fact }): Ended[] => {
    const [closure, update] = [closures.get(fact.id), updates.get(fact.id)];
    if (closure === undefined || update === undefined) return [];
    const reason = because(fact, closure.reason);
    return [{ closure: { ...closure, reason }, update: { ...update, reason, ...episodeOf(mergeOf(before.get(fact.id) ?? fact)) } }];
  });
  const loops = facts.filter(isLoop).map((fact): Ended => {
    const reason = because(fact, LOOP);
    const merge = mergeOf(before.get(fact.id) ?? fact);
    const update = {
      id: deriveId(userId, 'update', 'invalidate', fact.id, merge?.id, now),
      userId,
      action: 'invalidate' as const,
      kind: 'fact' as const,
      recordId: fact.id,
      actor: merge?.actor ?? 'caller',
      reason,
      ...episodeOf(merge),
      at: now,
    };
    return { closure: { factId: fact.id, invalidAt: fact.validAt ?? fact.createdAt, expiredAt: now, reason }, update };
  });
  const all = [...ends, ...loops];
  return {
    ...plan,
    changes: {
      ...plan.changes,
      closures: [...plan.changes.closures, ...all.map(({ closure }) => closure)],
      updates: [...plan.changes.updates, ...all.map(({ update }) => update)],
    },
    decisions: [...plan.decisions, ...all.map(({ closure: { factId, reason } }) => ({ action: 'invalidate' as const, factId, reason }))],
    ended: [...plan.ended, ...ended],
  };
}

interface Ended {
  readonly closure: ChangeSet['closures'][number];
  readonly update: ChangeSet['updates'][number];
}

function episodeOf(merge: Plan['merges'][number] | undefined): { readonly episodeId?: string } {
  return merge?.episodeId === undefined ? {} : { episodeId: merge.episodeId };
}
