import { type ExtractedEntity, readPredicate } from '@tandem-memory/core';
import { type Chunk, chunk } from './chunks.ts';
import { correctionOf, corrects } from './corrections.ts';
import type { TaggedSentence, Tagger, Token } from './english-tagger.ts';
import { withLimits } from './frames.ts';
import { mask, type NameSpan, namesByForm } from './names.ts';
import type { Author } from './noun-phrases.ts';
import type { ReadSentence } from './sentences.ts';
import { type Triple, triplesOf } from './triples.ts';
import { ENGLISH_WORDS, NOT_NAMES, OTHER_LANGUAGE_WORDS, TIME_WORDS } from './vocabulary.ts';

const STAND_IN = 'Zqx';
const MAX_TOKENS = 120;
/** No word: encoded data, which tokenizer and patterns would chew on for seconds. */
const BLOB = /\S{300,}/g;

/** Whether the English rules apply: mostly Latin letters, and more English small words than those of other languages. */
export function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/[a-z]/gi)?.length ?? 0;
  if (latin === 0 || latin < letters * 0.8) return false;
  let balance = 0;
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}']+/gu))
    balance += (ENGLISH_WORDS.has(word) ? 1 : 0) - (OTHER_LANGUAGE_WORDS.has(word) ? 1 : 0);
  return balance > 0 || (balance === 0 && latin === letters);
}

/** Reads English text: names that stand in it, and triples of its statements. */
export function readEnglish(text: string, author: Author, tag: Tagger): ReadSentence[] {
  return text
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .flatMap((line) => readLine(line, author, tag));
}

function readLine(line: string, author: Author, tag: Tagger): ReadSentence[] {
  const plain = line.replaceAll('’', "'").replace(BLOB, ' ');
  // A text that holds our stand-in word is read without them.
  const spans = plain.includes(STAND_IN) ? [] : namesByForm(plain);
  const shouted = /\p{Lu}{2}/u.test(plain) && !/\p{Ll}/u.test(plain);
  const masked = mask(shouted ? plain.toLowerCase() : plain, shouted ? [] : spans, (index) => `${STAND_IN}${letters(index)}`);
  return tag(masked).map((sentence) => readSentence(sentence, spans, author));
}

/** Letters only, so that the tokenizer keeps a stand-in whole. */
function letters(index: number): string {
  return String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26));
}

function readSentence(sentence: TaggedSentence, spans: readonly NameSpan[], author: Author): ReadSentence {
  const restore = (text: string) =>
    text.replace(
      /Zqx([a-z])([a-z])/g,
      (word, high: string, low: string) => spans[(high.charCodeAt(0) - 97) * 26 + low.charCodeAt(0) - 97]?.name ?? word,
    );
  const tokens = withoutSpeaker(sentence.tokens)
    .slice(0, MAX_TOKENS)
    .map((token): Token => {
      const span = restore(token.text);
      return span === token.text ? token : { text: span, lower: span.toLowerCase(), part: 'PROPN', lemma: span, whole: true };
    });
  const isTold = author.name !== undefined && lacksSubject(tokens);
  const asks =
    sentence.tokens.at(-1)?.text.includes('?') === true ||
    (tokens[0]?.part === 'AUX' && !isTold) ||
    (SUPPOSES.test(tokens[0]?.lower ?? '') && /^(?:PRON|SCONJ|PROPN)$/.test(tokens[1]?.part ?? '')) ||
    /^(?:what|where|when|why|how|who|which)$/.test(tokens[0]?.lower ?? '');
  const words = (isTold ? [I, ...tokens] : tokens).map((token, i) =>
    token.part === 'PROPN' && !isNameToken(token, i) ? { ...token, part: 'NOUN' } : token,
  );
  const chunks = withLimits(chunk(words), words);
  const text = restore(sentence.text);
  const cause = /\bbecause (?!of\b)(.{3,200})/i.exec(text)?.[1]?.replace(/[.!\s]+$/, '');
  return {
    text,
    isStatement: !asks,
    names: nameRuns(chunks, spans),
    triples: asks ? [] : triplesOf(chunks, author).filter((triple) => !isTold || changesLife(triple, chunks)),
    cause,
    corrects: corrects(text),
    correction: corrects(text) ? correctionOf(text) : undefined,
  };
}

/** "Pretend I moved" states nothing, like a question. */
const SUPPOSES = /^(?:pretend|suppose|imagine|assume|say)$/;
const I: Token = { text: 'I', lower: 'i', part: 'PRON', lemma: 'i' };

/** "Left Acme!", "just got fired": who tells of the past so tells of themselves. "Based in Oslo, Acme makes boats" has its subject behind. */
function lacksSubject(tokens: readonly Token[]): boolean {
  const at = tokens.findIndex((token) => token.part !== 'ADV');
  const [verb, next] = [tokens[at], tokens[at + 1]];
  const isPast = verb?.part === 'VERB' && verb.lower !== verb.lemma && !/(?:ing|[^s]s)$/.test(verb.lower);
  const isMine = verb?.lower === 'quit' && /^(?:my|our)$/.test(next?.lower ?? '');
  if (!isPast && !isMine && verb?.lower !== 'got') return false;
  return !tokens.slice(at + 1).some((token, i) => /^(?:PRON|PROPN|NOUN)$/.test(token.part) && /^(?:VERB|AUX)$/.test(tokens[at + i + 2]?.part ?? ''));
}

/** Of a sentence without a subject only what is sure to be about its author; "moved to Done" is about a ticket. */
function changesLife({ predicate, object }: Triple, chunks: readonly Chunk[]): boolean {
  const { slot, holds } = readPredicate(predicate, object.name);
  return slot === 'place' ? chunks.some(({ kind }) => kind === 'time') : slot !== undefined || holds === 'ended';
}

/** "Melanie: I signed up" is how transcripts name the speaker. */
function withoutSpeaker(tokens: readonly Token[]): readonly Token[] {
  return tokens[0]?.part === 'PROPN' && tokens[1]?.text === ':' ? tokens.slice(2) : tokens;
}

function isNameToken(token: Token, at: number): boolean {
  if (!/^(?:\p{Lu}|\p{N}|#|v\d|.*[./@])/u.test(token.text) || NOT_NAMES.has(token.lower) || TIME_WORDS.has(token.lower)) return false;
  return at > 0 || token.text.length > 1;
}

/** Runs of proper nouns within noun phrases. */
function nameRuns(chunks: readonly Chunk[], spans: readonly NameSpan[]): ExtractedEntity[] {
  const runs: ExtractedEntity[] = [];
  for (const phrase of chunks) {
    if (phrase.kind !== 'noun' || !phrase.hasName) continue;
    let run: string[] = [];
    const close = () => {
      if (run.length > 0) runs.push({ name: run.join(' ') });
      run = [];
    };
    for (const token of phrase.words) {
      if (token.whole) {
        close();
        const type = spans.find((span) => span.name === token.text)?.type;
        runs.push({ name: token.text, ...(type === undefined ? {} : { type }) });
      } else if (token.part === 'PROPN' || (token.part === 'NUM' && run.length > 0)) run.push(token.text);
      else close();
    }
    close();
  }
  return runs;
}
