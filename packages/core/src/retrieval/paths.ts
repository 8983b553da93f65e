import type { Hop } from '../domain/candidate.ts';
import type { Mention } from '../domain/change-set.ts';
import type { Entity } from '../domain/entity.ts';
import type { Fact } from '../domain/fact.ts';
import type { InferredEdge } from './infer.ts';

const MAX_HOPS = 3;
/** A passage that mentions very many entities joins none of them in particular. */
const MAX_JOINED = 12;
/** Nor does an entity that stands in very many passages lead from one of them to another. */
const MAX_PASSAGES = 12;

interface Step {
  readonly to: string;
  /** Of two steps to one entity the lower one is taken. */
  readonly order: number;
  /** The hop without its ends. */
  readonly along: Omit<Hop, 'from' | 'to'>;
}

/**
 * The shortest way from any start to each entity, breadth first: along facts where one exists, else along what
 * rules infer from facts, else through a passage that mentions both.
 * Among ways of equal length facts win, the more certain ones first.
 * @returns hops by entity id; starts have none
 */
export function shortestPaths(
  starts: readonly Entity[],
  entities: readonly Entity[],
  facts: readonly Fact[],
  mentions: readonly Mention[],
  inferred: readonly InferredEdge[] = [],
): Map<string, readonly Hop[]> {
  const names = new Map([...entities, ...starts].map((entity) => [entity.id, entity.name]));
  const isStart = new Set(starts.map((entity) => entity.id));
  const steps = new Map<string, Step[]>();
  let order = 0;
  const add = (from: string, to: string, along: Step['along']) => {
    if (from === to || !names.has(from) || !names.has(to)) return;
    const list = steps.get(from);
    const step = { to, along, order: order++ };
    if (list === undefined) steps.set(from, [step]);
    else list.push(step);
  };
  for (const fact of [...facts].sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1))) {
    if (fact.subjectId === undefined || fact.objectId === undefined) continue;
    const hop = { predicate: fact.predicate ?? 'related to', factId: fact.id, evidence: fact.evidence };
    add(fact.subjectId, fact.objectId, { ...hop, reversed: false });
    add(fact.objectId, fact.subjectId, { ...hop, reversed: true });
  }
  for (const { subjectId, predicate, objectId, evidence, rule, premises } of inferred) {
    add(subjectId, objectId, { predicate, evidence, rule, premises, reversed: false });
    add(objectId, subjectId, { predicate, evidence, rule, premises, reversed: true });
  }
  const together = new Map<string, Set<string>>();
  for (const { episodeId, entityId } of mentions) together.set(episodeId, (together.get(episodeId) ?? new Set()).add(entityId));
  const passages = new Map<string, number>();
  for (const joined of together.values()) for (const entityId of joined) passages.set(entityId, (passages.get(entityId) ?? 0) + 1);
  const leads = (entityId: string) => isStart.has(entityId) || (passages.get(entityId) ?? 0) <= MAX_PASSAGES;
  for (const [episodeId, joined] of together) {
    if (joined.size > MAX_JOINED) continue;
    const along = { predicate: 'mentioned with', reversed: false, evidence: [episodeId] };
    for (const a of joined) if (leads(a)) for (const b of joined) add(a, b, along);
  }

  const paths = new Map<string, readonly Hop[]>(starts.map((entity) => [entity.id, []]));
  let frontier = starts.map((entity) => entity.id);
  for (let depth = 0; depth < MAX_HOPS && frontier.length > 0; depth++) {
    const next: string[] = [];
    const onward = frontier.flatMap((from) =>
      (steps.get(from) ?? []).filter(({ to }) => !paths.has(to)).map(({ to, along, order: at }) => ({ from, to, along, order: at })),
    );
    for (const step of onward.sort((a, b) => a.order - b.order)) {
      if (paths.has(step.to)) continue;
      const hop = { ...step.along, from: names.get(step.from) ?? '', to: names.get(step.to) ?? '' };
      paths.set(step.to, [...(paths.get(step.from) ?? []), hop]);
      next.push(step.to);
    }
    frontier = next;
  }
  return paths;
}
