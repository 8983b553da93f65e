import { normalForm } from '../domain/normal-form.ts';
import { romanisedStarts } from './romanise.ts';
import { withoutTitles } from './titles.ts';

/** Legal forms of companies, which people leave out; Latin ones at the end, the others at either end. */
const COMPANY = /[\s,]+(?:inc|incorporated|ltd|limited|llc|llp|gmbh|ag|kg|se|corp|corporation|co|plc|s ?a|s ?r ?l|b ?v|oy|ab|pty ltd|& co)$/;
const ASIAN_COMPANY = /^(?:株式会社|有限会社|주식회사|\(주\)|\(株\))\s*|\s*(?:株式会社|有限会社|주식회사|\(주\)|\(株\)|股份有限公司|有限公司)$/g;

/** Words that are written in two ways; the second is the one compared. */
const VARIANTS: ReadonlyMap<string, string> = new Map(
  `st:saint mt:mount ft:fort univ:university intl:international dept:department assoc:association bros:brothers colour:color centre:center grey:gray theatre:theater
  organisation:organization licence:license catalogue:catalog programme:program defence:defense labour:labor harbour:harbor neighbour:neighbor favourite:favorite
  aluminium:aluminum jewellery:jewelry cheque:check tyre:tire metre:meter litre:liter fibre:fiber`
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);
const SHORT_FORMS: ReadonlyMap<string, string> = new Map([...VARIANTS].map(([short, long]) => [long, short]));

const SPACELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\d]+$/u;

/** A letter with a dot before another one: "J. R. Smith" is "JR Smith". */
const INITIALS = /(?<!\p{L})(\p{L})\. ?(?=\p{L}(?!\p{L}))/gu;

/**
 * A coarser form than the normal form: legal forms of companies, abbreviations, British spelling, letters without accents, the kinds of kana and
 * the spaces of a name are folded too. Two names with one such form are one name spelled in two ways.
 */
export function looseForm(name: string, isOrganization: boolean): string {
  let form = toHiragana(normalForm(name.replace(/^([^,]+), ([^,]+)$/, isOrganization ? '$&' : '$2 $1')));
  form = form.replace(ASIAN_COMPANY, '').trim();
  form = form.replace(INITIALS, '$1').replace(/[./-]/g, ' ').replace(/\s+/g, ' ').trim();
  // Once more, since the plural of what is the last word now was not folded yet.
  if (isOrganization) form = normalForm(form.replace(COMPANY, '').replace(COMPANY, ''));
  form = form.replace(/ ?& ?/g, ' and ');
  form = form
    .split(' ')
    .map((word) => VARIANTS.get(word) ?? word)
    .join(' ');
  const joined = form.replace(/[\s\-/・·]+/g, '').replace(/ー$/, '');
  // "An Na" and "Anna" are two: short names keep their spaces.
  return SPACELESS.test(joined) || joined.length >= 6 ? joined : form;
}

const WRITTEN_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** The form with German and Nordic letters written out ("mueller", "aarhus"), where the name has some. */
export function umlautForm(name: string): string | undefined {
  const written = name.normalize('NFC').toLowerCase();
  const form = written.replace(/[äöüøå]/g, (letter) => WRITTEN_OUT[letter] ?? letter);
  return form === written ? undefined : normalForm(form);
}

function toHiragana(form: string): string {
  return form.replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}

/** Initials of a name of three words or more: "national aeronautics and space administration" is "nasa". */
export function acronymOf(name: string): string | undefined {
  const words = normalForm(name)
    .split(/[\s-]+/)
    .filter((word) => !/^(?:of|the|and|for|in|de|la|du|&)$/.test(word));
  return words.length < 3 ? undefined : words.map((word) => word[0]).join('');
}

const PREFIX_LETTERS = 3;

/** Beginnings of the normal forms that another spelling of the name may have: where to look for it. */
export function prefixesOf(name: string): string[] {
  const form = normalForm(name);
  const [first = '', ...rest] = form.split(' ');
  const bare = form.replace(ASIAN_COMPANY, '').trim();
  const variants = [form, bare, toHiragana(form), umlautForm(name) ?? form, collapseUmlauts(form), toKatakana(form)];
  const word = first.replace(/\.$/, '');
  const other = VARIANTS.get(word) ?? SHORT_FORMS.get(word);
  if (other !== undefined) variants.push([other, ...rest].join(' '), [`${other}.`, ...rest].join(' '));
  const initials = form.replace(INITIALS, '$1').split(/[ .]/)[0] ?? '';
  if (initials !== first || /^\p{Lu}{2,3}(?!\p{L})/u.test(name.trim())) variants.push(initials, [...initials].join('.'), [...initials].join('. '));
  variants.push(withoutTitles(name).bare);
  const turned = /^([^,]+), ([^,]+)$/.exec(name.trim());
  if (turned !== null) variants.push(normalForm(turned[2] ?? ''));
  if (/^[\p{L} ]+$/u.test(form) && /\p{L}/u.test(form))
    for (const legal of ['株式会社', '주식회사 ']) if (SPACELESS.test(first)) variants.push(`${legal}${form}`);
  variants.push(...romanisedStarts(name));
  return [...new Set(variants.map(beginning).filter((prefix) => prefix !== ''))];
}

function beginning(form: string): string {
  const letters = [...form];
  if (/^(?:株式会社|주식회사)/.test(form)) return letters.slice(0, 7).join('');
  return letters.slice(0, SPACELESS.test(letters[0] ?? '') && !/\d/.test(letters[0] ?? '') ? 1 : PREFIX_LETTERS).join('');
}

function collapseUmlauts(form: string): string {
  return form.replace(/([aou])e/g, '$1');
}

function toKatakana(form: string): string {
  return form.replace(/[\u3041-\u3096]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60));
}
