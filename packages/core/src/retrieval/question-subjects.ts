/** Where a question names a speaker. */
export interface NamedPlace {
  /** Speakers who are called so. */
  readonly names: readonly string[];
  /** What is glued to the name: a particle in Korean, 's in English. */
  readonly ending: string;
}

/** Stands for a name while a question is read: such letters have no meaning of their own. */
const FIRST_MARK = 0xe000;
export const MAX_MARKS = 0x1000;
export const MARK = /[\ue000-\uefff]/gu;

export function markOf(index: number): string {
  return String.fromCharCode(FIRST_MARK + index);
}

export function indexOf(mark: string): number {
  return mark.charCodeAt(0) - FIRST_MARK;
}

/** What stands before the name: "did Ana", "has both Ana"; by whom something was done; to whom, about whom. "According to Ana" it is Ana who says so. */
const BEHIND_VERB = /\b(?:do|does|did|has|have|had|is|are|was|were|will|would|can|could|should|might|may|must|shall)(?:n['’]t)?(?: both| either)? $/i;
const DONE_BY = /\b(?:is|are|was|were|been|being|be)\b.* by $/i;
const BEFORE_OTHER =
  /(?:\b(?:(?<!according )to|for|with|about|from|of|at|than|besides|without|like|an|für|zu|mit|von|über|bei|a|para|con|sobre|de|à|pour|avec|chez) |[对對给給向跟为為把让讓] ?)$/iu;
const JAPANESE_SUBJECT = /^ ?(?:さん|くん|君|ちゃん|様|先生)?[はが]/;
const KOREAN_SUBJECT = /^(?:씨|님)?(?:께서는?|이?가|이?는|은|이)$/;
const KOREAN_OTHER = /^(?:씨|님)?(?:이?(?:에게|한테)서?(?:는|도|만)?|이?[를을의와과랑]|보다|처럼|하고)$/;
const JOINING = /^ ?(?:,|&|、|and|or|und|oder|y|o|e|et|ou|和|与|與|跟|及|(?:さん|くん|君|ちゃん|様|先生)?と)(?: both)? ?$/iu;
const KOREAN_JOINING = /(?:와|과|하고|랑)$/;

/**
 * Those of the named who are asked about, not spoken to or spoken of: Ana in "What did Ana tell Ben?", both in "Where did Ana and Ben meet?". The
 * one whom the grammar makes the subject; else the first who does not stand behind "to" and the like; else the first. Pure.
 * @param marked the question with a mark in place of each name
 */
export function subjectsOf(marked: string, found: readonly NamedPlace[]): Subjects {
  const groups: Placed[][] = [];
  for (const { 0: mark, index: at } of marked.matchAll(MARK)) {
    const name = found[indexOf(mark)];
    if (name === undefined) continue;
    const placed = { ...name, at, before: marked.slice(0, at), after: marked.slice(at + 1) };
    const last = groups.at(-1);
    if (last !== undefined && areJoined(last.at(-1), placed)) last.push(placed);
    else groups.push([placed]);
  }
  const markedSubjects = groups.find((group) => group.some(isDoer)) ?? groups.find((group) => group.some(isSubject));
  const chosen = markedSubjects ?? groups.find((group) => !group.some(isOther)) ?? groups[0];
  return { names: new Set(chosen?.flatMap(({ names }) => names)), areMarked: markedSubjects !== undefined };
}

export interface Subjects {
  readonly names: ReadonlySet<string>;
  /** Whether the grammar makes them so, and not their place alone. */
  readonly areMarked: boolean;
}

interface Placed extends NamedPlace {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

function areJoined(one: Placed | undefined, next: Placed): boolean {
  if (one === undefined) return false;
  const between = next.before.slice(one.at + 1);
  return JOINING.test(between) || (KOREAN_JOINING.test(one.ending) && between.trim() === '');
}

function isDoer({ before }: Placed): boolean {
  return DONE_BY.test(before);
}

function isSubject({ before, after, ending }: Placed): boolean {
  return BEHIND_VERB.test(before) || KOREAN_SUBJECT.test(ending) || JAPANESE_SUBJECT.test(after);
}

function isOther({ before, ending }: Placed): boolean {
  return BEFORE_OTHER.test(before) || KOREAN_OTHER.test(ending);
}
