/** Text as it is kept: halves of surrogate pairs become U+FFFD and NUL goes, since no store keeps either; all else stays letter for letter. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** A value with all halves of surrogate pairs in its texts made U+FFFD; what has none, and what is no list or plain object, is given back as it is. */
export function wellFormedTree<T>(value: T): T {
  // What refers back to itself is left as it is there; whoever needs its JSON says so.
  const known = new Map<unknown, unknown>();
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return part.toWellFormed();
    if (typeof part !== 'object' || part === null) return part;
    const isList = Array.isArray(part);
    if (!isList && Object.getPrototypeOf(part) !== Object.prototype) return part;
    if (known.has(part)) return known.get(part);
    known.set(part, part);
    const before = Object.entries(part);
    const after = before.map(([name, item]) => [name, walk(item)] as const);
    const same = after.every(([, item], index) => Object.is(item, before[index]?.[1]));
    const mended = same ? part : isList ? after.map(([, item]) => item) : Object.fromEntries(after);
    known.set(part, mended);
    return mended;
  };
  return walk(value) as T;
}

/** Braille of no dots is a sign of its own and shows nothing; fillers of Hangul and the like are letters that nobody sees. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** False for white space, zero-width characters, controls and blank letters alone: there is nothing in it to remember. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
