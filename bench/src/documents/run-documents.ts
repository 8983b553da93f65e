import type { MemoryOptions } from '@tandem-memory/core';
import type { ContextItem, Memory } from 'tandem-memory';
import { openBenchMemory } from '../bench-memory.ts';
import { round } from '../recall.ts';
import { type BenchDocument, type BenchQuestion, documentCorpus } from './corpus.ts';

const CUTS = [1, 3, 5, 10] as const;
const BUDGETS = [500, 1000, 2000] as const;
const USER = 'reader';

export interface DocumentsOptions {
  readonly embedding: 'minilm' | 'fast';
  readonly vectorCache?: string;
  /** Default: all. */
  readonly ways?: readonly string[];
}

interface Way {
  readonly store: (memory: Memory, document: BenchDocument) => Promise<unknown>;
  readonly options?: MemoryOptions;
}

/** Equal pieces without a name: neither titles nor headings are seen, as most programs cut a text. */
const flat: Way['store'] = (memory, { text, sourceId }) => memory.store({ text: [{ text }], sourceId }, { userId: USER, infer: false });

const WAYS: Readonly<Record<string, Way>> = {
  flat_512: { store: flat },
  // As small as the sections are on average, so that a gain within a budget is not one of size alone.
  flat_128: { store: flat, options: { documents: { maxTokens: 128, overlapTokens: 16 } } },
  hierarchical: { store: (memory, { text, sourceId, title }) => memory.store({ text, sourceId, title }, { userId: USER, infer: false }) },
};

/** Recall of answers in long documents: flat pieces against document, section and chunk. */
export async function runDocuments(options: DocumentsOptions): Promise<object> {
  const started = performance.now();
  const { documents, questions } = documentCorpus();
  const result: Record<string, Record<string, Record<string, number>>> = {};
  let chunks = {};
  for (const [way, { store, options: engine }] of Object.entries(WAYS)) {
    if (options.ways !== undefined && !options.ways.includes(way)) continue;
    await using memory = await openBenchMemory({
      embedding: options.embedding,
      ...(options.vectorCache === undefined ? {} : { vectorCache: options.vectorCache }),
      ...(engine === undefined ? {} : { options: engine }),
    });
    for (const document of documents) await store(memory, document);
    chunks = { ...chunks, [way]: (await memory.stats()).episodes };
    const measured: { kind: BenchQuestion['kind']; measures: Record<string, number> }[] = [];
    for (const question of questions) measured.push({ kind: question.kind, measures: await measure(memory, question) });
    const groups = [['all', measured] as const, ...Map.groupBy(measured, (item) => item.kind)];
    result[way] = Object.fromEntries(groups.map(([name, items]) => [name, mean(items.map((item) => item.measures))]));
  }
  return {
    ...result,
    documents: documents.length,
    questions: questions.length,
    chunks,
    settings: { embedding: options.embedding, infer: false },
    seconds: round((performance.now() - started) / 1000),
  };
}

/** Whether the answer's words stand in what was recalled: among the first so many items, and within so many tokens. */
async function measure(memory: Memory, question: BenchQuestion): Promise<Record<string, number>> {
  const holds = (items: readonly ContextItem[]) => items.some((item) => item.text.includes(question.answer) && item.sourceId === question.document);
  const wide = await memory.retrieve(question.question, { userId: USER, topK: Math.max(...CUTS), budget: Number.POSITIVE_INFINITY });
  const rank = wide.items.findIndex((item) => holds([item]));
  const upTo = rank < 0 ? Number.NaN : wide.items.slice(0, rank + 1).reduce((sum, item) => sum + item.tokens, 0);
  const measures: Record<string, number> = Object.fromEntries(CUTS.map((cut) => [`@${cut}`, holds(wide.items.slice(0, cut)) ? 100 : 0]));
  for (const budget of BUDGETS) {
    const packed = await memory.retrieve(question.question, { userId: USER, budget, topK: 1000 });
    measures[`tokens${budget}`] = holds(packed.items) ? 100 : 0;
  }
  return { ...measures, tokensToAnswer: upTo };
}

/** `tokensToAnswer` over those that were found. */
function mean(list: readonly Record<string, number>[]): Record<string, number> {
  const names = Object.keys(list[0] ?? {});
  return Object.fromEntries(
    names.map((name) => {
      const values = list.map((item) => item[name] ?? Number.NaN).filter((value) => !Number.isNaN(value));
      return [name, round(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length))];
    }),
  );
}
