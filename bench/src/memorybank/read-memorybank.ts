import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readJsonLines } from '../read-json-lines.ts';

/** Our labels, and our translations of the data set (MIT). */
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'data', 'memorybank');
const OURS = ['ko', 'ja', 'es', 'de'] as const;
/** Languages of the data set itself, by the names of its files. */
const THEIRS = { en: 'en', zh: 'cn' } as const;
export const LANGUAGES = [...Object.keys(THEIRS), ...OURS];

interface MemoryBankTurn {
  /** `DATE/INDEX/query` or `DATE/INDEX/response`. */
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly at: string;
  /** Its day. */
  readonly session: string;
}

interface MemoryBankQuestion {
  readonly question: string;
  /** Parts of the answer; each lists the turns of which any one gives it. Empty where the memory does not hold the answer. */
  readonly evidence: readonly (readonly string[])[];
}

export interface MemoryBankUser {
  readonly name: string;
  readonly turns: readonly MemoryBankTurn[];
  readonly questions: readonly MemoryBankQuestion[];
}

const historySchema = z.record(z.string(), z.array(z.object({ query: z.string(), response: z.string() })));
const bankSchema = z.record(z.string(), z.object({ history: historySchema }));
const questionsSchema = z.record(z.string(), z.array(z.string()));
const translationSchema = z.object({ user: z.string(), history: historySchema, questions: z.array(z.string()) });
const evidenceSchema = z.object({ user: z.string(), question: z.int(), evidence: z.array(z.array(z.string())) });

/**
 * Users of one language with their questions and our labels. English and Chinese come from the data set.
 * @returns undefined for these where no folder is given
 * @throws where a language is not known, or a file is missing
 */
export function readMemoryBank(language: string, data: string | undefined): MemoryBankUser[] | undefined {
  const theirs = THEIRS[language as keyof typeof THEIRS];
  if (!LANGUAGES.includes(language)) throw new Error(`--languages: '${language}' is none of ${LANGUAGES.join(', ')}.`);
  if (theirs !== undefined && data === undefined) return undefined;
  const labels = readJsonLines(join(FOLDER, `evidence-${language === 'zh' ? 'zh' : 'en'}.jsonl`)).map((line) => evidenceSchema.parse(line));
  const texts = theirs === undefined ? ourTexts(language) : theirTexts(theirs, data ?? '');
  return texts.map(({ user, history, questions }) => ({
    name: user,
    turns: Object.entries(history).flatMap(([day, exchanges]) => exchanges.flatMap((exchange, index) => turnsOf(day, index, exchange))),
    questions: labels.filter((label) => label.user === user).map(({ question, evidence }) => ({ question: questions[question] ?? '', evidence })),
  }));
}

function turnsOf(day: string, index: number, { query, response }: { readonly query: string; readonly response: string }): MemoryBankTurn[] {
  const minute = (count: number) => `${day}T10:${String(count).padStart(2, '0')}:00Z`;
  return [
    { id: `${day}/${index}/query`, role: 'user' as const, content: query, at: minute(2 * index), session: day },
    { id: `${day}/${index}/response`, role: 'assistant' as const, content: response, at: minute(2 * index + 1), session: day },
  ].filter(({ content }) => content.trim() !== '');
}

function ourTexts(language: string) {
  return readJsonLines(join(FOLDER, `${language}.jsonl`)).map((line) => translationSchema.parse(line));
}

function theirTexts(language: string, folder: string) {
  const bank = bankSchema.parse(JSON.parse(readFileSync(join(folder, `memory_bank_${language}.json`), 'utf8')));
  const asked = readJsonLines(join(folder, `probing_questions_${language}.jsonl`)).flatMap((line) => Object.entries(questionsSchema.parse(line)));
  const questionsOf = new Map(asked.map(([user, questions]) => [user.trim(), questions]));
  // Some names have stray spaces.
  return Object.entries(bank).map(([user, { history }]) => ({ user: user.trim(), history, questions: questionsOf.get(user.trim()) ?? [] }));
}
