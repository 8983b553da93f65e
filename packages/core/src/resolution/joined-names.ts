import { normalForm } from '../domain/normal-form.ts';
import type { LoggedUpdate, Update } from '../domain/update-log.ts';
import type { MatchStep } from './match-name.ts';

/** What a join of two names that somebody said are one is told by; the other steps compare names. */
export const STATED: MatchStep = 'alias';

/** Every telling of a merge that holds: undone neither by name nor with the turn that told it. In the order of the commits. */
export function livingMerges(log: readonly LoggedUpdate[]): LoggedUpdate[] {
  let living: LoggedUpdate[] = [];
  for (const entry of log) {
    const { action, after, episodeId } = entry;
    if (action === 'merge') living.push(entry);
    if (action === 'unmerge')
      living = living.filter((merge) => !isOfPair(merge, entry) || (after === undefined && episodeId !== undefined && merge.episodeId !== episodeId));
  }
  return living;
}

export function isOfPair(one: Update, other: Update): boolean {
  return one.recordId === other.recordId && one.relatedId === other.relatedId;
}

/** The normal forms of the two names of a merge. */
export function namesOf({ before = '', after = '' }: Pick<Update, 'before' | 'after'>): readonly [string, string] {
  return [normalForm(before), normalForm(after)];
}

export function joinsNames(merge: Update, [first, second]: readonly [string, string]): boolean {
  const names = namesOf(merge);
  return names.includes(first) && names.includes(second) && first !== second;
}

/** The names that hang together with one, by normal form, where merges are all that joins them. */
export function namesWith(name: string, merges: readonly Update[]): Set<string> {
  const found = new Set([name]);
  for (const form of found) {
    for (const merge of merges) {
      const names = namesOf(merge);
      if (names.includes(form)) for (const other of names) found.add(other);
    }
  }
  return found;
}
