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

const ENGLISH =
  /\b(?:what|when|where|who|whom|whose|which|why|how|did|does|are|were|would|could|should|the|tell)\b|^\s*(?:do|is|has|have|had|can)\s/i;

/** Not by words that other languages have too: "do" is Portuguese. */
export function isEnglish(text: string): boolean {
  return ENGLISH.test(text);
}

/** Who said or did it, wherever the name stands: "according to Ana", "was told by Ana". */
const BEFORE_SOURCE =
  /(?:\b(?:according to|per|laut|según|selon|segundo|secondo) |\b(?:is|are|was|were|been|being|be)\b.* by |\b(?:wurden?|worden)\b.* von |\bété\b.* par |[被听聽] ?)$/iu;
const BEHIND_SOURCE = /^ ?(?:따르면|의하면|말로는|생각에|によると|によれば|の意見|に言わせると)/;
const BEFORE_OPINION = /\bin $/i;
const BEHIND_OPINION = /^ (?:opinion|view|eyes|words)\b/i;

/** "did Ana", "has both Ana". */
const BEHIND_VERB = /\b(?:do|does|did|has|have|had|is|are|was|were|will|would|can|could|should|might|may|must|shall)(?:n['’]t)?(?: both| either)? $/i;
const JAPANESE_SUBJECT = /^ ?(?:さん|くん|君|ちゃん|様|先生)?[はがも]/;
const KOREAN_SUBJECT = /^(?: ?(?:씨|님))?(?:께서는?|이?가|이?[는도만]|은|이)$/;

/** To whom, about whom, with whom. */
const BEFORE_OTHER =
  /(?:\b(?:to|for|with|about|from|of|at|than|but|besides|without|like|unlike|an|für|zu|mit|von|über|bei|a|do|da|ao|para|con|com|sobre|de|à|pour|avec|chez) |关于|關於|对于|對於|[对對给給向跟为為把让讓] ?)$/iu;
const BEHIND_OTHER = /^ ?的/;
const KOREAN_OTHER =
  /^(?: ?(?:씨|님))?(?:께|이?(?:에게|한테)서?(?:는|도|만)?|이?(?:에겐|한텐)|(?:으|이)?로부터|이?[를을의와과랑]|이?(?:보다|처럼|하고))$/;
/** Who told or gave what another heard or got may have told of it as well. */
const RECEIVES = /\b(?:get|gets|got|gotten|receive[ds]?|hear|hears|heard|learn(?:s|ed|t)?|borrow(?:s|ed)?)\b|收到|得到|听|받|들은|들었/iu;
const BEFORE_GIVER = /(?:\bfrom |[从從] ?)$/iu;
const KOREAN_GIVER = /(?:에게|한테)서(?:는|도|만)?$|로부터$/;

/** "Who gave Ana the vase?" asks for somebody else. */
const WHO = /\bwho (?:\p{L}+ ){1,2}$/iu;

const JOINT = '(?:and|or|nor|as well as|vs\\.?|&|und|oder|y|o|e|et|ou|和|与|與|及|및|(?:さん|くん|君|ちゃん|様|先生)?と)';
/** Names that a conjunction joins, and what commas join to those. */
const LIST = new RegExp(`[\\ue000-\\uefff](?: ?[,、] ?[\\ue000-\\uefff])*(?: ?,? ?${JOINT} ?(?:both )?[\\ue000-\\uefff])+`, 'giu');
const KOREAN_JOINING = /(?:와|과|하고|랑)$/;

/**
 * Those of the named who are asked about, not spoken to or spoken of: Ana in "What did Ana tell Ben?", both in "Where did Ana and Ben meet?". The
 * one whom the grammar makes the subject; else the first who does not stand behind "to" and the like; else the first. Pure.
 * @param marked the question with a mark in place of each name
 */
export function subjectsOf(marked: string, found: readonly NamedPlace[]): Subjects {
  const groups = together(marked, found);
  const english = isEnglish(marked);
  const marks = groups.find((group) => group.some(isSource)) ?? groups.find((group) => group.some((place) => isSubject(place, english)));
  const chosen = marks ?? groups.find((group) => !group.some(isOther)) ?? groups.find((group) => !group.some(isAskedFor));
  const givers = RECEIVES.test(marked) ? groups.flat().filter(isGiver) : [];
  const asked = new Set(chosen?.flatMap(({ names }) => names));
  return {
    names: new Set([...asked, ...givers.flatMap(({ names }) => names)]),
    areMarked: marks !== undefined,
    isBetween: groups.flat().some(({ names }) => !names.some((name) => asked.has(name))),
  };
}

export interface Subjects {
  readonly names: ReadonlySet<string>;
  /** Whether the grammar makes them so, and not their place alone. */
  readonly areMarked: boolean;
  /** Whether the question is about what passed between them and somebody else whom it names. */
  readonly isBetween: boolean;
}

interface Placed extends NamedPlace {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** What is read before and after a name, in letters. */
const AROUND = 100;

/** The named, those in one group whom the question names in one breath. */
function together(marked: string, found: readonly NamedPlace[]): Placed[][] {
  const lists = [...marked.matchAll(LIST)].map(({ 0: { length }, index }) => ({ first: index, last: index + length - 1 }));
  const groups: Placed[][] = [];
  for (const { 0: mark, index: at } of marked.matchAll(MARK)) {
    const name = found[indexOf(mark)];
    if (name === undefined) continue;
    const placed = { ...name, at, before: marked.slice(Math.max(0, at - AROUND), at), after: marked.slice(at + 1, at + AROUND) };
    const last = groups.at(-1)?.at(-1);
    const isListed = lists.some((list) => list.first < at && at <= list.last);
    const isGlued = last !== undefined && KOREAN_JOINING.test(last.ending) && marked.slice(last.at + 1, at).trim() === '';
    if (isListed || isGlued) groups.at(-1)?.push(placed);
    else groups.push([placed]);
  }
  return groups;
}

/** A possessive is what the name has, no act of its owner. */
function isOwner({ ending }: Placed): boolean {
  return /^['’]/.test(ending);
}

function isSource(place: Placed): boolean {
  const { before, after } = place;
  if (isOwner(place)) return BEFORE_OPINION.test(before) && BEHIND_OPINION.test(after);
  return BEFORE_SOURCE.test(before) || BEHIND_SOURCE.test(after);
}

function isSubject(place: Placed, english: boolean): boolean {
  const { before, after, ending } = place;
  return (english && !isOwner(place) && BEHIND_VERB.test(before)) || KOREAN_SUBJECT.test(ending) || JAPANESE_SUBJECT.test(after);
}

function isOther(place: Placed): boolean {
  const { before, after, ending } = place;
  return BEFORE_OTHER.test(before) || BEHIND_OTHER.test(after) || KOREAN_OTHER.test(ending) || isAskedFor(place);
}

function isAskedFor({ before }: Placed): boolean {
  return WHO.test(before);
}

function isGiver({ before, ending }: Placed): boolean {
  return BEFORE_GIVER.test(before) || KOREAN_GIVER.test(ending);
}
