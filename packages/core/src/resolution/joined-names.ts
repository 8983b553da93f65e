import { normalForm } from '../domain/normal-form.ts';
import type { LoggedUpdate, Update } from '../domain/update-log.ts';
import type { MatchStep } from './match-name.ts';

/** What a join of two names that somebody said are one is told by; the other steps compare names. */
export const STATED: MatchStep = 'alias';

/** Every telling of a merge that holds: undone neither by name nor with the turn that told it. In the order of the commits. */
export function livingMerges(log: readonly LoggedUpdate[]): LoggedUpdate[] {
  let living: LoggedUpdate[] = [];
  for (const entry of log) {
    if (entry.action === 'merge') living.push(entry);
    if (entry.action === 'unmerge') living = living.filter((merge) => !undoes(entry, merge));
  }
  return living;
}

/** Whether an entry that undoes a merge means this one: by its names, or every one that its turn told. */
export function undoes({ recordId, relatedId, after, episodeId }: Update, merge: Update): boolean {
  if (merge.recordId !== recordId || merge.relatedId !== relatedId) return false;
  return after === undefined ? merge.episodeId === episodeId : namesOf(merge).includes(normalForm(after));
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
