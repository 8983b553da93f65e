import type { NounPhrase } from './chunks.ts';
import type { Token } from './english-tagger.ts';
import { EMPTY_NOUNS, isKin, isPersonNoun, LOOSE_ADJECTIVES, TIME_WORDS } from './vocabulary.ts';

/** Whose message it is: what "I" and "my" stand for. */
export interface Author {
  /** Undefined where "I" is nobody we know (a document). */
  readonly name: string | undefined;
  /** True where the name was given by the caller, not one of our stand-ins. */
  readonly named: boolean;
}

/** What a noun phrase names. */
export interface Named {
  readonly name: string;
  readonly hasName: boolean;
  readonly isAuthor: boolean;
  /** Head noun in lower case, where it is a common noun. */
  readonly noun: string | undefined;
  readonly owner: string | undefined;
  /** Common noun before a name ("my sister Emma"): Emma is the author's sister. */
  readonly role: string | undefined;
  readonly negated: boolean;
  /** The attribute alone, where the name is "status of X". */
  readonly attribute?: string | undefined;
  /** Number before a common noun: how many of them there are is no name, but "5 May" and "20 euros" are values. */
  readonly quantity?: string | undefined;
  /** A name behind "a": one of a kind, nobody's own name. */
  readonly indefinite?: boolean;
}

const MAX_WORDS = 6;

/** @returns undefined for what is no stable name: pronouns, empty words, long or unresolved phrases */
export function nameOf(phrase: NounPhrase, author: Author): Named | undefined {
  const first = phrase.words[0];
  if (first === undefined) return undefined;
  if (phrase.words.length === 1 && first.part === 'PRON') {
    const isAuthor = /^(?:i|we|me|us|myself)$/.test(first.lower);
    return isAuthor && author.name !== undefined
      ? { name: author.name, hasName: author.named, isAuthor, noun: undefined, owner: undefined, role: undefined, negated: false }
      : undefined;
  }
  const possessive = /^(?:my|our)$/.test(first.lower);
  if (!possessive && /^(?:his|her|their|your|its)$/.test(first.lower)) return undefined;
  if (possessive && author.name === undefined) return undefined;
  if (/^(?:this|that|these|those|any|some|every|each|which|what|both|all|another)$/.test(first.lower)) return undefined;
  const negated = first.lower === 'no';
  const words = phrase.words.slice(possessive || first.part === 'DET' ? 1 : 0);
  // "My other dog" is not the one that "my dog" was.
  const keepsOther = (word: Token) => possessive && word.lower === 'other';
  const loose = phrase.hasName ? 0 : words.findIndex((word) => word.part !== 'NUM' && (keepsOther(word) || !LOOSE_ADJECTIVES.has(word.lower)));
  const unnumbered = loose > 0 ? words.slice(loose) : words;
  const quantity = loose > 0 && words.slice(0, loose).every((word) => word.part === 'NUM') ? written(words.slice(0, loose)) : undefined;
  const head = unnumbered.at(-1);
  if (head === undefined || unnumbered.length > MAX_WORDS || head.part === 'PART' || head.part === 'DET') return undefined;

  const genitive = unnumbered.findLastIndex((word) => word.part === 'PART');
  const ownerWords = genitive > 0 ? unnumbered.slice(0, genitive) : [];
  // "My daughter's birthday" has two owners; it stays one name.
  const nested = possessive && genitive > 0;
  const owner = nested ? undefined : possessive ? author.name : genitive > 0 ? written(ownerWords) : undefined;
  const own = genitive > 0 && !nested ? unnumbered.slice(genitive + 1) : unnumbered;
  const nameStart = own.findIndex((word) => word.part === 'PROPN');
  const endsInName = nameStart >= 0 && own.slice(nameStart).every((word) => word.part === 'PROPN' || word.part === 'NUM');
  if (possessive && endsInName && nameStart > 0 && own[nameStart - 1]?.part === 'NOUN') {
    return {
      name: written(own.slice(nameStart)),
      hasName: true,
      isAuthor: false,
      noun: undefined,
      owner,
      role: written(own.slice(0, nameStart)).toLowerCase(),
      negated,
    };
  }
  const noun = endsInName ? undefined : head.lower;
  if (
    noun !== undefined &&
    (head.part === 'ADJ' || head.part === 'NUM' || (EMPTY_NOUNS.has(noun) && !(noun === 'number' && own.length > 1)) || TIME_WORDS.has(noun))
  )
    return undefined;
  const bare = written(own);
  if (!/[\p{L}\p{N}]{2}|\p{Lu}/u.test(bare)) return undefined;
  // "my sister" is somebody else's sister in another mouth; "my garage" is told apart only where several people speak.
  const keepsOwner = owner !== undefined && (!possessive || author.named || (noun !== undefined && isKin(noun)));
  return {
    name: keepsOwner ? `${owner}'s ${bare}` : bare,
    hasName: phrase.hasName,
    isAuthor: false,
    noun,
    owner,
    role: undefined,
    negated,
    quantity,
    indefinite: /^an?$/.test(first.lower),
  };
}

/** Something by its name alone. */
export function plainName(name: string, fields: Partial<Named> = {}): Named {
  return { name, hasName: false, isAuthor: false, noun: name, owner: undefined, role: undefined, negated: false, ...fields };
}

export function isPerson(named: Named): boolean {
  return named.isAuthor || named.role !== undefined || (named.noun !== undefined && isPersonNoun(named.noun));
}

function written(words: readonly Token[]): string {
  return words
    .map((word) => word.text)
    .join(' ')
    .replace(/ (['’]s?)(?= |$)/g, '$1');
}
