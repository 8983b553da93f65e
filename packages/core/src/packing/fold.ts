import type { OmittedItem } from '../domain/context.ts';
import type { Fact } from '../domain/fact.ts';
import type { Recollection } from '../domain/recollection.ts';
import type { Folded } from './folded.ts';
import { isContained, stemsOf, type Wording, wordingOf } from './near-duplicate.ts';
import { omit, singleSpaced, textOf } from './render-item.ts';

export interface FoldOptions {
  /** Also fold what says the same in almost the same words. Default true. */
  readonly nearDuplicates?: boolean;
}

interface Entry {
  readonly item: Recollection;
  readonly facts: string[];
  readonly alsoStatedIn: string[];
  readonly wording: Wording | undefined;
}

/**
 * Removes what says the same twice: a fact whose turn already stands above it is folded into that turn, a turn into a fact above that says it
 * in the same words, and of records that one speaker stated in equal or almost equal words only the best stays. Keeps the order. Pure.
 */
export function foldDuplicates(
  ranked: readonly Recollection[],
  options: FoldOptions = {},
): { readonly kept: Folded[]; readonly folded: OmittedItem[] } {
  const kept: Entry[] = [];
  const folded: OmittedItem[] = [];
  const turns = new Map<string, Entry>();
  const texts = new Map<string, Entry>();
  /** Facts that are kept, by the turns that they rest on. */
  const facts = new Map<string, Entry>();
  const bySpeaker = new Map<string, Entry[]>();
  for (const item of ranked) {
    const text = textOf(item);
    const speaker = item.kind === 'episode' ? (item.episode.speaker ?? item.episode.role) : '';
    const plain = plainText(text);
    const key = `${speaker}\n${plain}`;
    const host =
      item.kind === 'fact'
        ? item.fact.evidence.map((id) => turns.get(id)).find((entry) => entry !== undefined && tells(entry, item.fact))
        : [facts.get(item.id)].find((entry) => entry !== undefined && plainText(textOf(entry.item)) === plain);
    if (host !== undefined && item.kind === 'fact') host.facts.push(text);
    const wording = options.nearDuplicates === false ? undefined : wordingOf(text);
    const peers = bySpeaker.get(speaker) ?? [];
    const twin =
      texts.get(key) ??
      (wording === undefined
        ? undefined
        : peers.find((entry) => entry.wording !== undefined && samePlaceInTime(item, entry.item) && isContained(wording, entry.wording)));
    if (host !== undefined || twin !== undefined) {
      // What was read out of the twin that goes belongs to the one that stays.
      const stays = twin ?? host;
      if (stays !== undefined && item.kind === 'episode') turns.set(item.id, stays);
      if (twin !== undefined) twin.alsoStatedIn.push(...(item.kind === 'episode' ? [item.id] : item.fact.evidence));
      folded.push(omit(item, 'duplicate', { duplicateOf: stays?.item.id ?? item.id }));
      continue;
    }
    const entry: Entry = { item, facts: [], alsoStatedIn: [], wording };
    texts.set(key, entry);
    peers.push(entry);
    bySpeaker.set(speaker, peers);
    kept.push(entry);
    if (item.kind === 'episode') turns.set(item.id, entry);
    else for (const id of item.fact.evidence) if (!facts.has(id)) facts.set(id, entry);
  }
  return { kept: kept.map(({ item, facts, alsoStatedIn }) => ({ item, facts, alsoStatedIn })), folded };
}

/** Equal for texts that differ in case and white space alone. */
function plainText(text: string): string {
  return singleSpaced(text.trim().toLowerCase());
}

/** What was read out of a turn stands in it. What the caller said of it need not: then the turn tells it only where it has its words. */
function tells({ item, wording = wordingOf(textOf(item)) }: Entry, fact: Fact): boolean {
  if (fact.origin !== 'caller') return true;
  const told = new Set([...stemsOf(wording), ...stemsOf(fact.predicate?.replaceAll('_', ' ') ?? '')]);
  return stemsOf(fact.text).every((word) => told.has(word));
}

/** Equal words of facts that held at different times are two facts. */
function samePlaceInTime(a: Recollection, b: Recollection): boolean {
  return a.kind !== 'fact' || b.kind !== 'fact' || (a.fact.validAt === b.fact.validAt && a.fact.invalidAt === b.fact.invalidAt);
}
