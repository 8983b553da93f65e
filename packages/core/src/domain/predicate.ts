import { stemmer } from 'stemmer';
import { normalForm } from './normal-form.ts';
import { ATTRIBUTE_NAMES, FAMILIES, NEVER_LEFT, ROLES, STATES } from './predicate-words.ts';

/** What a predicate says, whatever its wording: "lives_in", "moved to" and "resides in" are one family. */
export interface PredicateReading {
  /** Predicates of one family are about the same relation. `*` stands for any: "left Acme" ends whatever held with Acme. */
  readonly family: string;
  /** `holds`; `denied` ("does not"), `ended` ("no longer", "quit"), `past` ("used to"), `planned` ("will", "wants to"). */
  readonly holds: 'holds' | 'denied' | 'ended' | 'past' | 'planned';
  /**
   * Name of what the subject has one value of at a time; undefined where several may hold together. Who quit their job has one as well: the
   * value is then that there is none.
   */
  readonly slot?: string;
}

const MAX_LENGTH = 200;
const IRREGULAR = new Map(
  `left:leave sold:sell lost:lose gave:give given:give took:take taken:take got:get gotten:get spoke:speak spoken:speak ate:eat eaten:eat drank:drink
  drove:drive bought:buy wore:wear knew:know known:know has:have had:have having:have is:be are:be was:be were:be am:be been:be being:be does:do did:do
  kept:keep thrown:throw threw:throw wed:wed ran:run held:hold broke:break broken:break grew:grow stood:stand began:begin chose:choose chosen:choose
  dropped:drop quitting:quit quits:quit named:name paid:pay led:lead`
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);
const FILLERS =
  /\b(?:now|currently|also|really|still|just|recently|actually|always|both|already|finally|officially|presently|these days|nowadays)\b/g;
const ENDED =
  /^(?:no longer|not any ?more|stop(?:s|ped)?|quit(?:s|ting)?|cease[sd]?(?: to)?|give[sn]? up|gave up|be done with|end(?:s|ed)?|finish(?:es|ed)?)(?= |$)/;
const PAST = /^(?:used(?: to)?|formerly|previously|once|be formerly|have formerly)(?= |$)/;
const PLANNED =
  /^(?:will|shall|wo|going to|be going to|(?:be )?plan(?:s|ning|ned)?(?: to| on)?|want(?:s|ed)?(?: to)?|hope[sd]?(?: to)?|intend(?:s|ed)?(?: to)?|would(?: like(?: to)?)?|might|may|could|consider(?:s|ing|ed)?|think(?:s|ing)? (?:of|about)|need(?:s)?(?: to)?)(?= |$)/;
const DENIED =
  /^(?:(?:do|does|did|is|are|was|were|am|has|have|had|be|can|could|will|would|should|must) ?(?:not|n t)|ca n t|can t|cannot|never|not|(?:does|do|did|is|are|was|were|has|have|had|wo|could|would)n t|(?:don|doesn|didn|isn|aren|wasn|weren|hasn|haven|hadn) t)(?= |$)/;
/** Stand in the middle of a denial: "can not stand" is a dislike, not a missing ability. */
const UNBEARABLE = /^(?:can ?not|ca n t|can t|could not) (?:stand|bear|abide)(?= |$)/;
/** "Quit my job", "changed jobs", "divorced": what was given up stands there by the name of its kind. */
const GIVES_UP = new Set(
  ['quit', 'leave', 'lose', 'change', 'switch', 'give up', 'end', 'resign from', 'retire from', 'be fired from', 'be laid off from'].map(stems),
);
const KIND_OF_SLOT: readonly (readonly [RegExp, string])[] = [
  [/^(?:old |current |new |day |full-time )?(?:jobs?|company)$/i, 'employer'],
  [/^marriage$/i, 'spouse'],
];
const VERSION = /^v?\d+(?:\.\d+)*(?:[-.]?(?:rc|beta|alpha)\d*)?$/i;
const VERSIONED_NAME = /^(.*\S)[\s-]+v?\d+(?:\.\d+)*$/i;

const FAMILY_OF = new Map(FAMILIES.flatMap(({ phrases, ...family }) => phrases.map((phrase) => [stems(phrase), family] as const)));
const NEVER_LEFT_FAMILIES = new Set([...NEVER_LEFT].map((phrase) => FAMILY_OF.get(stems(phrase))?.family ?? stems(phrase)));
const SLOT_OF_ATTRIBUTE = new Map([
  ...ATTRIBUTE_NAMES.flatMap((names) => names.map((name) => [stems(name), names[0] ?? name] as const)),
  ...ROLES.flatMap((role) => [role, `new ${role}`].map((name) => [stems(name), role] as const)),
]);
/** The holder of such a role, as the subject of "is". */
const ROLE_OF_SOMEBODY = new RegExp(`['’]s (?:new )?(${ROLES.join('|')})$`, 'i');
/** Where people live, other than where things are kept. */
const RESIDENCE = /^(?:be )?(?:live|resid|dwell|move|reloc|settl|home|current resid)/;
/** "kiln", "User's kiln": what moves without living anywhere. */
const THING = /^\p{Ll}|['’]s \p{Ll}/u;
/** Not "Corran" or "the Netherlands", but "a small house", "sales team", "fear of bees". Scripts without capitals tell nothing. */
const NO_NAME = /^(?:the )?(?!the )\p{Ll}|^(?:An?|My|Our|His|Her|Their) |\s(?!(?:city|town|village|county|state|island)$)\p{Ll}\S*$/u;
/** What one joins beside a job. */
const ASSOCIATION = /(?:club|gym|team|union|society|party|choir|band|church|army|community|orchestra|league|academy|f\.?c\.?)$/i;
/** Of some town: who moves there may stay in it. */
const STREET = /\s(?:street|st|avenue|ave|road|rd|lane|boulevard)\.?$/i;
const SLOT_OF_STATE = new Map(Object.entries(STATES).flatMap(([slot, words]) => words.map((word) => [word, slot] as const)));

/** Reads a predicate together with its ends, in English. Wording that it does not know is a family of its own with no slot. Pure. */
export function readPredicate(predicate: string, object: string, subject = ''): PredicateReading {
  const written = plain(predicate);
  const isCurrent = /\bcurrent(?:ly)?\b/.test(written);
  let words = written.replace(FILLERS, ' ').replace(/\s+/g, ' ').trim();
  let holds: PredicateReading['holds'] = 'holds';
  if (UNBEARABLE.test(words)) return { family: 'like', holds: 'denied' };
  const anyMore = / any ?more$/.test(words);
  words = words.replace(/ any ?more$/, '');
  for (const [pattern, meaning] of [
    [ENDED, 'ended'],
    [PAST, 'past'],
    [PLANNED, 'planned'],
    [DENIED, 'denied'],
    [ENDED, 'ended'],
  ] as const) {
    if (!pattern.test(words)) continue;
    // "quit" alone, "is done with": the verb itself, whose family is known below.
    const rest = words.replace(pattern, '').trim();
    if (rest === '' || (meaning === 'ended' && FAMILY_OF.has(stems(words)))) break;
    words = rest;
    // Who has not stopped goes on.
    holds = holds === 'denied' && meaning === 'ended' ? 'holds' : meaning;
    if (meaning !== 'denied') break;
  }
  if (holds === 'denied' && anyMore) holds = 'ended';
  const phrase = stems(words);
  const known = FAMILY_OF.get(phrase);
  // "No longer with Acme": whatever held with it.
  const family = /^(?:ended|denied)$/.test(holds) && phrase === 'be with' ? '*' : (known?.family ?? phrase);
  const kind = holds === 'holds' && GIVES_UP.has(phrase) ? KIND_OF_SLOT.find(([pattern]) => pattern.test(object.trim()))?.[1] : undefined;
  const gaveUp = kind === undefined ? {} : { slot: kind };
  if (known?.ends === true) {
    // "Has not sold": what did not end is a statement of its own, and ends nothing. So is "sold a": one of a kind need not be the one that is known.
    if (holds === 'denied') return { family: `not ${phrase}`, holds: 'holds' };
    if (/ an?$/.test(written)) return { family: `${phrase} a`, holds: 'holds' };
    return { family, holds: holds === 'holds' ? 'ended' : holds, ...gaveUp };
  }
  if (known?.opposite === true) return { family, holds: holds === 'holds' ? 'denied' : holds === 'denied' ? 'holds' : 'past' };
  if (holds !== 'holds') return { family, holds };
  // "Also lives in": one value more.
  const one = /\b(?:also|additionally)\b/.test(written)
    ? undefined
    : ((phrase === 'be' ? ROLE_OF_SOMEBODY.exec(subject)?.[1]?.toLowerCase() : undefined) ??
      slotOf(phrase, family, known?.slot, object) ??
      (isCurrent ? `current ${phrase}` : undefined));
  if (gaveUp.slot !== undefined) return { family, holds, ...gaveUp };
  const slot = one === undefined || takes(one, phrase, object.trim(), { written, subject }) ? one : undefined;
  return { family, holds, ...(slot === undefined ? {} : { slot }) };
}

/** Whether the second says that what the first says is over. */
export function endsWhat(holds: PredicateReading, ends: PredicateReading): boolean {
  if (holds.holds !== 'holds' || !/^(?:denied|ended|past)$/.test(ends.holds)) return false;
  return holds.family === ends.family || (ends.family === '*' && !NEVER_LEFT_FAMILIES.has(holds.family));
}

/** Only a name takes the place of somebody or of a home: "my wife is pregnant" and "I live in fear" say nothing of either. */
function takes(slot: string, phrase: string, value: string, { written, subject }: { written: string; subject: string }): boolean {
  const isName = !NO_NAME.test(value) && !/ an?$/.test(written);
  if (ROLES.includes(slot)) return isName;
  if (phrase === 'join') return isName && !ASSOCIATION.test(value);
  return slot !== 'place' || !RESIDENCE.test(phrase) || THING.test(subject) || (isName && !STREET.test(value));
}

function slotOf(phrase: string, family: string, slot: string | undefined, object: string): string | undefined {
  const value = object.trim();
  // "Rent is 900 euros": of a number there is one at a time.
  if (/ be$/.test(phrase) && /^\p{Sc}?\d/u.test(value)) return SLOT_OF_ATTRIBUTE.get(phrase.slice(0, -3)) ?? phrase.slice(0, -3);
  if (family === 'prefer') return `prefer ${headOfSeveral(value)}`.trim();
  if (slot !== undefined) return slot;
  const attribute = phrase.replace(/^(?:have|be)(?: a| the)? (?=\S)/, '').replace(/ (?:be|of)$/, '');
  const known = SLOT_OF_ATTRIBUTE.get(attribute);
  // "My phone is a Pixel 6" gives no number.
  if (known === 'phone number' && !/^\+?[\d(]/.test(value)) return attribute;
  if (known !== undefined) return known;
  const ranked = /^(?:favorit|favourit|prefer|main|primari|default|current|best)e? (.+)$/.exec(attribute);
  if (ranked !== null) return `favourite ${ranked[1]?.replace(/\b(col|flav)or\b/g, '$1our')}`;
  if (phrase === 'be' || phrase === 'becom' || phrase === 'turn' || phrase === 'get') return SLOT_OF_STATE.get(value.toLowerCase());
  if (family === 'use') {
    if (VERSION.test(value)) return 'version';
    const name = VERSIONED_NAME.exec(value)?.[1];
    return name === undefined ? undefined : `use ${normalForm(name)}`;
  }
  return undefined;
}

/** "green tea" and "black tea" stand against each other; "window seat" and "dark mode" do not. */
function headOfSeveral(value: string): string {
  const words = normalForm(value).split(' ');
  return words.length > 1 ? (words.at(-1) ?? '') : '';
}

function plain(predicate: string): string {
  return predicate
    .slice(0, MAX_LENGTH)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[_\-–.’']+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The words in their stems, auxiliaries and articles left out. */
function stems(phrase: string): string {
  const words = plain(phrase)
    .split(' ')
    .map((word) => stemmer(IRREGULAR.get(word) ?? word))
    .filter((word) => !/^(?:an?|the|my|hi|her|their|our)$/.test(word));
  // "has moved to": the helper says nothing.
  const isHelper = words.length > 1 && words[0] === 'have' && /(?:ed|moved|lived)$/.test(plain(phrase).split(' ')[1] ?? '');
  return (isHelper ? words.slice(1) : words).join(' ');
}
