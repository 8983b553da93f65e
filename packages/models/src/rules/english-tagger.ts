import type { ItemSentence, ItsFunction } from 'wink-nlp';
import { isState, THIRD_PERSON_VERBS } from './vocabulary.ts';

/** One word with what the tagger says of it. Parts of speech are the universal ones (NOUN, VERB, ...). */
export interface Token {
  readonly text: string;
  readonly lower: string;
  readonly part: string;
  readonly lemma: string;
  /** A name by its form, which joins no other name. */
  readonly whole?: true;
}

export interface TaggedSentence {
  readonly text: string;
  readonly tokens: readonly Token[];
}

export type Tagger = (text: string) => readonly TaggedSentence[];

const BASE_VERBS = new Set(THIRD_PERSON_VERBS.values());
const FIRST_PERSON_CONTRACTION = /^(i|we|you|he|she|they)['’](m|re)$/i;
const SPLITS_INTO: Readonly<Record<string, string>> = { m: 'am', re: 'are' };

let shared: Promise<Tagger> | undefined;

/**
 * wink-nlp with its small English model: sentences, parts of speech and lemmas. Loaded at the first call (about 0.2 s), once a process: the
 * model writes a part of itself out as text at every load, the text of the load before included, and so doubles each time.
 */
export function loadTagger(): Promise<Tagger> {
  shared ??= load();
  return shared;
}

async function load(): Promise<Tagger> {
  const [{ default: winkNlp }, { default: model }] = await Promise.all([import('wink-nlp'), import('wink-eng-lite-web-model')]);
  const nlp = winkNlp(model, ['sbd', 'pos']);
  // The package's types give this function a wrong list of parameters.
  const lemma = nlp.its.lemma as unknown as ItsFunction<string>;
  return (text) => {
    const sentences: TaggedSentence[] = [];
    nlp
      .readDoc(text)
      .sentences()
      .each((sentence: ItemSentence) => {
        const tokens = sentence.tokens();
        const [texts, parts, lemmas, spaces] = [tokens.out(), tokens.out(nlp.its.pos), tokens.out(lemma), tokens.out(nlp.its.precedingSpaces)];
        const read = texts.map((word, i): Token & { readonly glued: boolean } => ({
          text: word,
          lower: word.toLowerCase(),
          part: parts[i] ?? 'X',
          lemma: lemmas[i] ?? word,
          glued: i > 0 && spaces[i] === '',
        }));
        sentences.push({ text: sentence.out().trim(), tokens: correct(join(read)) });
      });
    return sentences;
  };
}

/** Joins what the tokenizer takes apart: "auth-service", "no longer", "because of"; and parts "I'm". */
function join(tokens: readonly (Token & { readonly glued: boolean })[]): Token[] {
  const joined: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const [token, next, afterNext] = [tokens[i], tokens[i + 1], tokens[i + 2]];
    if (token === undefined) continue;
    const previous = joined.at(-1);
    if (token.text === '-' && token.glued && next?.glued === true && previous !== undefined && previous.part !== 'PUNCT') {
      const text = `${previous.text}-${next.text}`;
      joined[joined.length - 1] = { text, lower: text.toLowerCase(), part: next.part, lemma: text.toLowerCase() };
      i++;
    } else if (token.lower === 'no' && next?.lower === 'longer') {
      joined.push({ text: 'no longer', lower: 'no longer', part: 'ADV', lemma: 'no longer' });
      i++;
    } else if (token.lower === 'because' && next?.lower === 'of' && afterNext !== undefined) {
      joined.push({ text: 'because of', lower: 'because of', part: 'ADP', lemma: 'because of' });
      i++;
    } else {
      const contraction = FIRST_PERSON_CONTRACTION.exec(token.text);
      const verb = contraction === null ? undefined : SPLITS_INTO[(contraction[2] ?? '').toLowerCase()];
      if (contraction === null || verb === undefined) joined.push(token);
      else {
        const pronoun = contraction[1] ?? '';
        joined.push(
          { text: pronoun, lower: pronoun.toLowerCase(), part: 'PRON', lemma: pronoun.toLowerCase() },
          { text: verb, lower: verb, part: 'AUX', lemma: 'be' },
        );
      }
    }
  }
  return joined;
}

/** Say when, not what: between subject and verb they hide the one from the other. */
const FILLER = /^(?:now|currently|still|finally|officially)$/;
const BECOMES = /^(?:married|engaged|divorced|promoted|hired|fired)$/;
const ENDS = /^(?:stop|stops|stopped|quit|quits)$/;
/** Verbs that the tagger takes for nouns behind "and": with a preposition, and with an object. */
const GOES_ON = /^(?:work|study|volunteer|commute)$/;
const TAKES_OBJECT = /^(?:love|hate|drink|own)$/;

function correct(read: readonly Token[]): Token[] {
  const tokens = read.filter((token, i) => {
    const [previous, next] = [read[i - 1], read[i + 1]];
    const between = previous !== undefined && /^(?:NOUN|PROPN|PRON|AUX)$/.test(previous.part) && next !== undefined && next.part !== 'PUNCT';
    const beforeSecond = previous?.part === 'CCONJ' && (next?.part === 'VERB' || GOES_ON.test(next?.lower ?? ''));
    return !(token.part === 'ADV' && FILLER.test(token.lower) && (between || beforeSecond));
  });
  return tokens.map((token, i): Token => {
    const [previous, next] = [tokens[i - 1], tokens[i + 1]];
    const subject = previous !== undefined && (/^(?:no longer|not|n't)$/.test(previous.lower) || /^(?:i|we|you|they)$/.test(previous.lower));
    if (token.lower === 'own' && token.part === 'ADJ' && subject) return { ...token, part: 'VERB', lemma: 'own' };
    if (isSecondVerb(tokens, i)) return { ...token, part: 'VERB', lemma: token.lower };
    // "I have retired"
    const isPerfect = /^(?:have|has|['’]ve)$/.test(previous?.lower ?? '') && !/^(?:NOUN|PROPN|ADJ)$/.test(next?.part ?? '');
    if (token.part === 'ADJ' && /ed$/.test(token.lower) && isPerfect) return { ...token, part: 'VERB', lemma: token.lower.replace(/d$/, '') };
    // "Threw away my kayak"
    if (token.lower === 'away' && previous?.part === 'VERB' && /^(?:DET|PRON|PROPN|NOUN)$/.test(next?.part ?? '')) return { ...token, part: 'ADP' };
    // "My parents' house"
    if (/^['’]$/.test(token.text) && previous?.part === 'NOUN' && previous.lower.endsWith('s') && next?.part === 'NOUN')
      return { ...token, part: 'PART' };
    // "Used to like Oslo"
    if (token.lower === 'like' && previous?.lower === 'to' && tokens[i - 2]?.lower === 'used') return { ...token, part: 'VERB', lemma: 'like' };
    const becomes =
      next !== undefined && (BECOMES.test(next.lower) || (next.part === 'VERB' && next.lower !== next.lemma && !/ing$|^used$/.test(next.lower)));
    if (/^(?:got|gets|get)$/.test(token.lower) && becomes) return { ...token, part: 'AUX', lemma: 'be' };
    if (
      token.part === 'NOUN' &&
      /ing$/.test(token.lower) &&
      previous !== undefined &&
      ENDS.test(previous.lower) &&
      /^(?:NOUN|PROPN|DET|ADP)$/.test(next?.part ?? '')
    )
      return { ...token, part: 'VERB' };
    // "changed from blue to green": a colour is no verb. "Used to live in" is one.
    if (token.part === 'VERB' && previous?.lower === 'to' && isState(token.lower) && !/^(?:ADP|DET|PRON|PROPN|NOUN)$/.test(next?.part ?? ''))
      return { ...token, part: 'ADJ' };
    const title = tokens.slice(Math.max(0, i - 3), i).findIndex((word, at, words) => word.lower === 'to' && words[at - 1]?.lower === 'promoted');
    if (token.part === 'VERB' && title >= 0) return { ...token, part: 'NOUN', lemma: token.lower };
    const verb = token.part === 'NOUN' ? THIRD_PERSON_VERBS.get(token.lower) : undefined;
    const afterNoun =
      previous !== undefined &&
      ['NOUN', 'PROPN', 'PRON', 'CCONJ'].includes(previous.part) &&
      !/^(?:my|our|your|his|her|its|their)$/.test(previous.lower);
    const beforeObject = next !== undefined && ['ADP', 'DET', 'PROPN', 'PRON', 'NOUN', 'ADJ', 'NUM'].includes(next.part);
    if (verb !== undefined && afterNoun && beforeObject) return { ...token, part: 'VERB', lemma: verb };
    if (token.lower === 'married' && previous?.part === 'PROPN' && next?.part === 'PROPN') return { ...token, part: 'VERB', lemma: 'marry' };
    // "My kids love dinosaurs"
    const afterPlural = previous?.part === 'NOUN' && previous.lemma !== previous.lower && next?.part !== 'PUNCT';
    if (token.part === 'NOUN' && afterPlural && BASE_VERBS.has(token.lower)) return { ...token, part: 'VERB', lemma: token.lower };
    return token;
  });
}

/** "I live in Lisbon and work at Acme": no second home. In "I like rest and work at home" and "Acme is fun and work at Globex is dull" it is a noun. */
function isSecondVerb(tokens: readonly Token[], at: number): boolean {
  const [first, joined, token, next, afterNext] = [tokens[at - 2], tokens[at - 1], tokens[at], tokens[at + 1], tokens[at + 2]];
  if (token === undefined || !/^(?:NOUN|ADJ)$/.test(token.part) || !/^(?:and|&)$/.test(joined?.lower ?? '')) return false;
  const verb = tokens.slice(0, at - 1).findLast(({ part }) => /^(?:VERB|AUX)$/.test(part));
  if (verb === undefined || (verb.lower !== verb.lemma && /s$/.test(verb.lower))) return false;
  const before = tokens[at - 3];
  // "In lisbon" of who writes no capitals.
  const isBare = first?.part === 'NOUN' && before?.lower !== 'in' && !/^(?:DET|NUM|ADJ|PRON)$/.test(before?.part ?? '');
  if (GOES_ON.test(token.lower)) return next?.part === 'ADP' && (!isBare || afterNext?.part === 'PROPN');
  return TAKES_OBJECT.test(token.lower) && !isBare && /^(?:DET|PRON|PROPN|NOUN)$/.test(next?.part ?? '');
}
