import type { Hop } from '../domain/candidate.ts';
import type { Mention } from '../domain/change-set.ts';
import type { Entity } from '../domain/entity.ts';
import type { Fact } from '../domain/fact.ts';

const MAX_HOPS = 3;
/** A passage that mentions very many entities joins none of them in particular. */
const MAX_JOINED = 12;

/**
 * The shortest way from any start to each entity, breadth first: along facts where one exists, else through a passage that mentions both.
 * Among ways of equal length facts win, the more certain ones first.
 * @returns hops by entity id; starts have none
 */
export function shortestPaths(starts: readonly Entity[], entities: readonly Entity[], facts: readonly Fact[], mentions: readonly Mention[]): Map<string, readonly Hop[]> {
  const names = new Map([...entities, ...starts].map((entity) => [entity.id, entity.name]));
  const steps = new Map<string, { to: string; hop: Hop }[]>();
  const add = (from: string, to: string, hop: Omit<Hop, 'from' | 'to'>) => {
    const [fromName, toName] = [names.get(from), names.get(to)];
    if (from === to || fromName === undefined || toName === undefined) return;
    const list = steps.get(from) ?? [];
    list.push({ to, hop: { ...hop, from: fromName, to: toName } });
    steps.set(from, list);
  };
  for (const fact of [...facts].sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1))) {
    if (fact.subjectId === undefined || fact.objectId === undefined) continue;
    const hop = { predicate: fact.predicate ?? 'related to', factId: fact.id, evidence: fact.evidence };
    add(fact.subjectId, fact.objectId, { ...hop, reversed: false });
    add(fact.objectId, fact.subjectId, { ...hop, reversed: true });
  }
  const together = new Map<string, Set<string>>();
  for (const { episodeId, entityId } of mentions) together.set(episodeId, (together.get(episodeId) ?? new Set()).add(entityId));
  for (const [episodeId, joined] of together) {
    if (joined.size > MAX_JOINED) continue;
    for (const a of joined) for (const b of joined) add(a, b, { predicate: 'mentioned with', reversed: false, evidence: [episodeId] });
  }

  const paths = new Map<string, readonly Hop[]>(starts.map((entity) => [entity.id, []]));
  let frontier = starts.map((entity) => entity.id);
  for (let depth = 0; depth < MAX_HOPS && frontier.length > 0; depth++) {
    const next: string[] = [];
    for (const from of frontier) {
      for (const step of steps.get(from) ?? []) {
        if (paths.has(step.to)) continue;
        paths.set(step.to, [...(paths.get(from) ?? []), step.hop]);
        next.push(step.to);
      }
    }
    frontier = next;
  }
  return paths;
}
