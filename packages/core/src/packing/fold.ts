import type { OmittedItem } from '../domain/context.ts';
import type { Recollection } from '../domain/recollection.ts';

export interface Folded {
  readonly item: Recollection;
  /** Texts of facts that were read out of the same turn and rank below it. */
  readonly facts: readonly string[];
}

/**
 * Removes what says the same twice: a fact whose turn already stands above it is folded into that turn, and of records with equal text only
 * the best stays. Keeps the order. Pure.
 */
export function foldDuplicates(ranked: readonly Recollection[]): { readonly kept: Folded[]; readonly folded: OmittedItem[] } {
  const kept: { item: Recollection; facts: string[] }[] = [];
  const folded: OmittedItem[] = [];
  const turns = new Map<string, { item: Recollection; facts: string[] }>();
  const texts = new Map<string, { item: Recollection; facts: string[] }>();
  for (const item of ranked) {
    const text = item.kind === 'episode' ? item.episode.content : item.fact.text;
    const key = `${item.kind === 'episode' ? (item.episode.speaker ?? item.episode.role) : ''}\n${text.trim().toLowerCase().replace(/\s+/g, ' ')}`;
    const host = item.kind === 'fact' ? item.fact.evidence.map((id) => turns.get(id)).find((entry) => entry !== undefined) : undefined;
    if (host !== undefined) host.facts.push(text);
    const twin = texts.get(key);
    if (host !== undefined || twin !== undefined) {
      // What was read out of the twin that goes belongs to the one that stays.
      if (twin !== undefined && item.kind === 'episode') turns.set(item.id, twin);
      folded.push({ id: item.id, kind: item.kind, reason: 'duplicate', score: item.score });
      continue;
    }
    const entry = { item, facts: [] };
    texts.set(key, entry);
    kept.push(entry);
    if (item.kind === 'episode') turns.set(item.id, entry);
  }
  return { kept, folded };
}
