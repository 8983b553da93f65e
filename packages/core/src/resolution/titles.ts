import { normalForm } from '../domain/normal-form.ts';

/** What stands before or behind the names of people and is no part of them, in normal form. */
const BEFORE = 'dr doctor prof professor mr mrs ms miss mx sir dame lord lady rev herr frau monsieur madame señor señora'
  .split(' ')
  .map((title) => normalForm(title));
const BEHIND = /(?:さん|さま|様|くん|君|ちゃん|氏|先生|선생님| ?씨|님)$/;
const SHORT: Readonly<Record<string, string>> = { doctor: 'dr', professor: 'prof' };

export interface TitledName {
  /** In normal form. */
  readonly bare: string;
  /** Those before the name, which can tell two people apart. */
  readonly titles: readonly string[];
}

/** Takes the titles off a person's name; what is nothing but a title stays. */
export function withoutTitles(name: string): TitledName {
  const words = normalForm(name).split(' ');
  const titles: string[] = [];
  while (words.length > 1) {
    const title = (words[0] ?? '').replace(/\.$/, '');
    if (!BEFORE.includes(title)) break;
    titles.push(SHORT[title] ?? title);
    words.shift();
  }
  const form = words.join(' ');
  return { bare: form.replace(BEHIND, '') || form, titles };
}

/** The same name with another title, or with and without one. "Mr. Pell" and "Mrs. Pell" are two. */
export function differInTitle(first: string, second: string): boolean {
  const [a, b] = [withoutTitles(first), withoutTitles(second)];
  const [fewer, more] = a.titles.length <= b.titles.length ? [a, b] : [b, a];
  return a.bare === b.bare && fewer.titles.every((title) => more.titles.includes(title));
}

/** Normal forms that a person's name may have with a title before it, and with the last word first: where to look for it. */
export function otherForms(name: string): string[] {
  const { bare } = withoutTitles(name);
  const [, given, last] = /^(.+) (\S+)$/.exec(bare) ?? [];
  return [...BEFORE.flatMap((title) => [`${title} ${bare}`, `${title}. ${bare}`]), ...(given === undefined ? [] : [`${last}, ${given}`])];
}
