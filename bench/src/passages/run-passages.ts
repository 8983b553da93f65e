import type { Memory } from 'tandem-memory';
import type { Ablation } from '../ablation.ts';
import { type EmbeddingName, openBenchMemory } from '../bench-memory.ts';
import { round } from '../recall.ts';
import { type Contradictions, contradict, type OtherTurns } from './contradict.ts';
import { measurePassages, type PassageQuestion, type PassageRecall } from './passage-recall.ts';
import { type Passage, readPassages, readQuestions } from './read-passages.ts';

export interface RunOptions {
  readonly embedding: EmbeddingName;
  /** Keeps the database in this file: the next run asks only. */
  readonly database?: string;
  readonly vectorCache?: string;
  /** Folder of a cross-encoder. */
  readonly reranker?: string;
  /** Then says something else of every so manieth triple and asks again. */
  readonly otherTurns?: OtherTurns;
  readonly without?: readonly Ablation[];
  readonly onProgress: (line: string) => void;
}

export interface PassagesOptions extends RunOptions {
  readonly corpus: string;
  readonly questions: string;
}

/** Stores a batch of passages; returns the ids of the episodes of each. */
export type StorePassages = (memory: Memory, passages: readonly Passage[], userId: string) => Promise<readonly (readonly string[])[]>;

export interface PassagesResult {
  readonly graph_off: PassageRecall;
  readonly graph_on: PassageRecall;
  readonly lift: PassageRecall;
  /** With the graph, after the contradictions. */
  readonly contradicted?: PassageRecall;
  readonly contradictions?: Contradictions;
  readonly corpus: Readonly<Record<string, number>>;
  readonly settings: Readonly<Record<string, string | number>>;
  readonly seconds: Readonly<Record<string, number>>;
}

const USER = 'reader';

/** Recall of gold passages, graph off and on, over one corpus that is stored once through the public API. */
export async function runPassages(options: PassagesOptions, extraction: string, store: StorePassages): Promise<PassagesResult> {
  return measureCorpus(readPassages(options.corpus), readQuestions(options.questions), options, extraction, store);
}

export async function measureCorpus(
  passages: readonly Passage[],
  questions: readonly PassageQuestion[],
  options: RunOptions,
  extraction: string,
  store: StorePassages,
): Promise<PassagesResult> {
  await using memory = await openBenchMemory({
    embedding: options.embedding,
    // A busy machine must not look like a graph that is down.
    options: { deadlines: { recallMs: 600_000, expandMs: 600_000 } },
    ...(options.database === undefined ? {} : { path: options.database }),
    ...(options.vectorCache === undefined ? {} : { vectorCache: options.vectorCache }),
    ...(options.reranker === undefined ? {} : { reranker: options.reranker }),
    ...(options.without === undefined ? {} : { without: options.without }),
  });
  const started = performance.now();
  const passageOf = new Map<string, string>();
  const BATCH = 100;
  for (let start = 0; start < passages.length; start += BATCH) {
    const batch = passages.slice(start, start + BATCH);
    const stored = await store(memory, batch, USER);
    for (const [index, ids] of stored.entries()) for (const id of ids) passageOf.set(id, batch[index]?.id ?? '');
    options.onProgress(`${Math.min(start + BATCH, passages.length)} of ${passages.length} passages`);
  }
  const asked = performance.now();
  const graph_off = await measurePassages(memory, questions, USER, 0, passageOf);
  const graph_on = await measurePassages(memory, questions, USER, 2, passageOf);
  const { otherTurns } = options;
  const contradictions = otherTurns === undefined ? undefined : await contradict(memory, passages, USER, otherTurns);
  const contradicted = contradictions === undefined ? undefined : await measurePassages(memory, questions, USER, 2, passageOf);
  const ended = performance.now();
  const stats = await memory.stats(USER);
  const lift = (key: keyof PassageRecall) => round(graph_on[key] - graph_off[key]);
  return {
    graph_off,
    graph_on,
    lift: { '@2': lift('@2'), '@5': lift('@5'), '@10': lift('@10'), 'all@10': lift('all@10') },
    ...(contradicted === undefined ? {} : { contradicted }),
    ...(contradictions === undefined ? {} : { contradictions }),
    corpus: { passages: passages.length, questions: questions.length, entities: stats.entities, facts: stats.facts },
    settings: { embedding: options.embedding, extraction, reranker: options.reranker ?? '', without: options.without?.join(', ') ?? '' },
    seconds: { store: round((asked - started) / 1000), ask: round((ended - asked) / 1000) },
  };
}
