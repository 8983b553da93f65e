import { foldText } from './fold-text.ts';

/**
 * The normal form of a name: what decides whether two spellings are one name. Folds case, width and accents (`foldText`); underscores, hyphens between
 * words, quotes and runs of space; an English possessive; and the plural of the last word. Digits, and with them codes, stay as they are.
 */
export function normalForm(name: string): string {
  const folded = foldText(name)
    .replace(/['’]s\b/g, '')
    .replace(/["“”‘’'`´]/g, '')
    .replace(/_+/g, ' ')
    .replace(/(\p{L})[-‐–](?=\p{L})/gu, '$1 ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:the|an?) (?=\S)/, '');
  const words = withoutEnd(folded).split(' ');
  const last = words[words.length - 1] ?? '';
  words[words.length - 1] = singular(last);
  const form = words.join(' ');
  // A name of punctuation only has no folded form; it is its own.
  return form === '' ? name.trim() : form;
}

/** Without the marks at its end; a regular expression would begin anew at each mark of a long run. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '.,;:!?'.includes(text[end - 1] ?? ' ')) end--;
  return text.slice(0, end);
}

/** Surnames that a first name and an "s" make: "Williams" is not "William". */
const SURNAME =
  /^(?:abram|adam|andrew|daniel|david|edward|evan|gilbert|matthew|owen|peter|phil?lip|richard|robert|roger|simon|steven|walter|william)s$/;

/** Careful on purpose: a wrong fold joins two things ("Paris", "James", "news"), a missing one only leaves two spellings. */
function singular(word: string): string {
  if (!/^[a-z]{4,}s$/.test(word) || /(?:ss|us|is|as|os|news|james|series|species)$/.test(word) || SURNAME.test(word)) return word;
  if (/(?:[^aeiou])ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ches|shes|xes|zes|sses)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}
