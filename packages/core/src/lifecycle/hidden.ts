import type { Recollection } from '../domain/recollection.ts';

/** Leaves out what is archived or has expired: turns, facts that rest on such turns alone, and paths that lead over these. Pure. */
export function withoutHidden(recollections: readonly Recollection[], hidden: ReadonlySet<string>): Recollection[] {
  if (hidden.size === 0) return [...recollections];
  const isHidden = (id: string | undefined, evidence: readonly string[]) =>
    (id !== undefined && hidden.has(id)) || (evidence.length > 0 && evidence.every((episode) => hidden.has(episode)));
  return recollections
    .filter((item) => !isHidden(item.id, item.kind === 'fact' ? item.fact.evidence : []))
    .map((item) => (item.path.some((hop) => isHidden(hop.factId, hop.evidence)) ? { ...item, path: [] } : item));
}
