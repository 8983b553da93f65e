import {
  type Episode,
  type ExtractedEntity,
  type ExtractedFact,
  type ExtractedRelation,
  type Extraction,
  type Extractor,
  type NewEpisode,
  NO_USAGE,
  normalForm,
  readPredicate,
  type SkippedItem,
} from '@tandem-memory/core';
import { readChinese } from './chinese.ts';
import { isPlanned, limitOf } from './corrections.ts';
import { type DateReader, loadDateReader, loadForeignDateReaders, pastYear } from './dates.ts';
import { isEnglish, readEnglish } from './english.ts';
import { loadTagger, type Tagger } from './english-tagger.ts';
import { guessType } from './entity-type.ts';
import { readKorean } from './korean.ts';
import { languageOf } from './languages.ts';
import { namesOfOtherLanguage } from './names.ts';
import type { Author } from './noun-phrases.ts';
import { ownWords } from './own-words.ts';
import { pastPeriod } from './past-time.ts';
import { correctedTriples, type ReadSentence, sentencesOf } from './sentences.ts';
import type { Triple } from './triples.ts';
import { STATE_ADJECTIVES } from './vocabulary.ts';

const MAX_CHARACTERS = 20_000;
const MAX_ENTITIES = 24;
const MAX_RELATIONS = 24;
const MAX_FACTS = 8;
const MAX_SENTENCE = 1000;
/** Rules guess; nothing of theirs outweighs what a model or a caller says. */
const CONFIDENCE = { certain: 0.5, vague: 0.4, assistantShare: 0.6 };

const NOBODY: Author = { name: undefined, named: false };

interface Reading {
  readonly entities: Map<string, ExtractedEntity>;
  readonly relations: ExtractedRelation[];
  readonly facts: ExtractedFact[];
}

/**
 * Extraction without a model: names, subject-verb-object triples and dates by rules, for English, Korean and Chinese; names by form for other languages.
 * Deterministic, quick, and of low confidence. The tagger and the date reader are loaded at the first call.
 */
export function rulesExtractor(): Extractor {
  let tools: Promise<readonly [Tagger, DateReader]> | undefined;
  let foreign: ReturnType<typeof loadForeignDateReaders> | undefined;
  return {
    id: 'rules',
    local: true,

    async extract({ episodes, preceding }): Promise<Extraction> {
      tools ??= Promise.all([loadTagger(), loadDateReader()]);
      const [tag, readDate] = await tools;
      if (episodes.some((episode) => isRead(episode) && !isEnglish(textOf(episode)))) foreign ??= loadForeignDateReaders();
      const readerFor = await foreign;
      const readings = episodes.map((episode, index) =>
        readEpisode(episode, index, {
          tag,
          readDate,
          readerFor,
          before: [...preceding, ...episodes.slice(0, index)],
        }),
      );
      return {
        origin: 'rules',
        entities: readings.flatMap((reading) => [...reading.entities.values()]),
        relations: readings.flatMap((reading) => reading.relations),
        facts: readings.flatMap((reading) => reading.facts),
        skipped: episodes.flatMap(skippedMessages),
        usage: NO_USAGE,
      };
    },
  };
}

function isRead(episode: NewEpisode): boolean {
  return episode.kind !== 'message' || episode.role === 'user' || episode.role === 'assistant';
}

function skippedMessages(episode: NewEpisode): SkippedItem[] {
  if (!isRead(episode)) return [{ item: 'message', reason: `${episode.role} messages are not read` }];
  return episode.content.length > MAX_CHARACTERS ? [{ item: 'message', reason: `only the first ${MAX_CHARACTERS} characters were read` }] : [];
}

interface Tools {
  readonly tag: Tagger;
  readonly readDate: DateReader;
  /** Readers for other languages; absent where no text is in one. */
  readonly readerFor: ((text: string) => DateReader) | undefined;
  /** Turns before, for "I meant Bergen". */
  readonly before: readonly NewEpisode[];
}

function readEpisode(episode: NewEpisode, index: number, { tag, readDate, readerFor, before }: Tools): Reading {
  const reading: Reading = { entities: new Map(), relations: [], facts: [] };
  if (!isRead(episode)) return reading;
  const text = textOf(episode);
  const author = authorOf(episode);
  if (author.named && author.name !== undefined) addEntity(reading, { name: author.name, type: 'person', episode: index });
  const said: Triple[] = [];
  const { own, shown, asWritten } = episode.kind === 'message' ? ownWords(text) : { own: text, shown: '', asWritten: (sentence: string) => sentence };
  for (const sentence of [...readText(own, author, tag), ...readText(shown, NOBODY, tag)]) {
    const corrected =
      sentence.triples.length > 0 || sentence.correction === undefined
        ? []
        : correctedTriples(sentence.correction, said.length > 0 ? said : triplesBefore(before, episode, tag));
    readSentence(reading, corrected.length === 0 ? sentence : { ...sentence, triples: corrected }, {
      episode,
      index,
      author,
      asWritten,
      readDate: isEnglish(text) ? readDate : (readerFor?.(text) ?? readDate),
    });
    said.push(...sentence.triples);
  }
  return reading;
}

/** What the same author stated last, of the turns shown. */
function triplesBefore(before: readonly NewEpisode[], episode: NewEpisode, tag: Tagger): Triple[] {
  for (const earlier of before.toReversed()) {
    if (earlier.role !== episode.role || earlier.speaker !== episode.speaker) continue;
    const triples = readText(ownWords(textOf(earlier)).own, authorOf(earlier), tag).flatMap((sentence) => sentence.triples);
    if (triples.length > 0) return triples;
  }
  return [];
}

/** By the rules of the language of the text; of a language without rules the names are read. */
function readText(text: string, author: Author, tag: Tagger): readonly ReadSentence[] {
  if (isEnglish(text)) return readEnglish(text, author, tag);
  const language = languageOf(text);
  if (language === 'ko') return readKorean(text, author);
  if (language === 'zh') return readChinese(text, author);
  return sentencesOf(text).map((sentence) => ({
    text: sentence,
    isStatement: true,
    names: namesOfOtherLanguage(sentence),
    triples: [],
    cause: undefined,
    corrects: false,
    correction: undefined,
  }));
}

function textOf(episode: NewEpisode | Episode): string {
  return episode.content.slice(0, MAX_CHARACTERS).toWellFormed();
}

function authorOf(episode: NewEpisode | Episode): Author {
  if (episode.kind === 'chunk') return NOBODY;
  const speaker = episode.speaker?.trim() ?? '';
  if (speaker !== '') return { name: speaker, named: true };
  return { name: episode.role === 'assistant' ? 'Assistant' : 'User', named: false };
}

interface SentenceContext {
  readonly episode: NewEpisode;
  readonly index: number;
  readonly author: Author;
  readonly readDate: DateReader;
  /** The sentence with the quotations that it was read without. */
  readonly asWritten: (sentence: string) => string;
}

function readSentence(reading: Reading, sentence: ReadSentence, { episode, index, author, readDate, asWritten }: SentenceContext): void {
  for (const entity of sentence.names) {
    const type = entity.type ?? guessType(entity.name);
    addEntity(reading, { ...entity, ...(type === undefined ? {} : { type }), episode: index });
  }
  if (!sentence.isStatement) return;
  const text = sentence.text.slice(0, MAX_SENTENCE);
  const told = asWritten(sentence.text).slice(0, MAX_SENTENCE);
  const day = readDate(text, episode);
  const trust = episode.role === 'assistant' ? CONFIDENCE.assistantShare : 1;
  const planned = isPlanned(text);
  const before = reading.relations.length;
  for (const { subject, predicate: bare, object: written, year } of withLastMove(sentence.triples)) {
    const limit = limitOf(text, bare, written.name);
    const predicate = limit === undefined ? bare : `${bare} ${limit}`;
    const object = { ...written, name: nameWithoutCapitals(written.name, { subject: subject.name, predicate, text }) };
    if (reading.relations.length >= MAX_RELATIONS || normalForm(subject.name) === normalForm(object.name)) continue;
    const ends = [
      {
        name: subject.name,
        type: guessType(subject.name, {
          subjectOf: bare,
          named: subject,
          isAuthor: subject.isAuthor,
          ...(bare === 'be' ? { isA: object.name } : {}),
        }),
      },
      { name: object.name, type: guessType(object.name, { objectOf: bare, named: object, isAuthor: object.isAuthor }) },
    ];
    if (!ends.every(({ name, type }) => addEntity(reading, { name, ...(type === undefined ? {} : { type }), episode: index }))) continue;
    const { slot } = readPredicate(predicate, object.name);
    // "The deadline is 5 May": the day is what it is set to, not since when.
    const isValue = slot !== undefined && day !== undefined && readDate(object.name, episode) === day;
    const since = day ?? pastYear(year, episode) ?? pastPeriod(languageOf(text), text, episode);
    const confidence = (subject.hasName || subject.isAuthor ? CONFIDENCE.certain : CONFIDENCE.vague) * trust;
    reading.relations.push({
      subject: subject.name,
      predicate: planned && !predicate.startsWith('will ') ? `will ${predicate}` : predicate,
      object: object.name,
      text: told,
      episode: index,
      confidence,
      ...(sentence.corrects ? { corrects: true } : {}),
      ...(since === undefined || isValue ? {} : { validAt: since }),
      ...(sentence.cause === undefined || sentence.cause.includes(object.name) ? {} : { properties: { cause: sentence.cause } }),
    });
  }
  // A dated statement is worth keeping although no triple came out of it.
  if (day !== undefined && reading.relations.length === before && reading.facts.length < MAX_FACTS) {
    const about = [...sentence.names.map(({ name }) => name), ...(author.named && author.name !== undefined ? [author.name] : [])];
    reading.facts.push({ text: told, ...(about.length === 0 ? {} : { about }), episode: index, confidence: CONFIDENCE.vague * trust, validAt: day });
  }
}

/** "I moved to Corran, then to Bergen": where one moves last one lives. */
function withLastMove(triples: readonly Triple[]): readonly Triple[] {
  const isMove = ({ predicate, object }: Triple) => /^(?:move|relocate) /.test(predicate) && readPredicate(predicate, object.name).slot === 'place';
  const isLater = (first: Triple, second: Triple) => second.subject.name === first.subject.name && second.year === first.year;
  return triples.filter((triple, at) => !isMove(triple) || !triples.slice(at + 1).some((later) => isMove(later) && isLater(triple, later)));
}

/** Who writes no capitals names a home and people all the same: "i moved to corran". */
function nameWithoutCapitals(name: string, { subject, predicate, text }: { subject: string; predicate: string; text: string }): string {
  if (/\p{Lu}/u.test(text) || !/^\p{Ll}+(?: \p{Ll}+)?$/u.test(name) || STATE_ADJECTIVES.has(name)) return name;
  const capitalised = name.replace(/(?<=^| )\p{Ll}/gu, (letter) => letter.toUpperCase());
  const isName = readPredicate(predicate, name, subject).slot !== readPredicate(predicate, capitalised, subject).slot;
  return isName && new RegExp(`\\b(?:in|to|into|at|is) (?:new )?${name}(?!\\p{L})`, 'u').test(text) ? capitalised : name;
}

/** @returns whether the entity is in; a second meeting may only tell its type */
function addEntity(reading: Reading, entity: ExtractedEntity): boolean {
  const key = normalForm(entity.name);
  const known = reading.entities.get(key);
  if (known === undefined) {
    if (key === '' || reading.entities.size >= MAX_ENTITIES) return false;
    reading.entities.set(key, entity);
  } else if (known.type === undefined && entity.type !== undefined) reading.entities.set(key, { ...known, type: entity.type });
  return true;
}
