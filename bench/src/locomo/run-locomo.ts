import type { Memory } from 'tandem-memory';
import type { Ablation } from '../ablation.ts';
import { areaUnderCurve, type Judged } from '../auc.ts';
import { type EmbeddingName, openBenchMemory } from '../bench-memory.ts';
import { meanRecall, measureRecall, type Recall, round } from '../recall.ts';
import { type LocomoConversation, readLocomo } from './read-locomo.ts';

export interface LocomoOptions {
  readonly data: string;
  readonly embedding: EmbeddingName;
  readonly hops: 0 | 1 | 2;
  /** Keeps the database in this file: the next run asks only. */
  readonly database?: string;
  readonly vectorCache?: string;
  /** Folder of a cross-encoder. */
  readonly reranker?: string;
  readonly without?: readonly Ablation[];
  readonly onProgress: (line: string) => void;
}

export interface LocomoResult {
  readonly recall: Recall;
  readonly by_category: Readonly<Record<string, Recall>>;
  readonly questions: number;
  /** Area under the curve of `context.answerability`: questions with an answer (categories 1 to 4) against those without (5). */
  readonly answerability_auc: number;
  readonly answerability_auc_by_conversation: Readonly<Record<string, number>>;
  readonly by_conversation: Readonly<Record<string, Recall>>;
  readonly settings: {
    readonly embedding: string;
    readonly hops: number;
    readonly extraction: string;
    readonly reranker: string;
    readonly without: string;
  };
  readonly turns: number;
  readonly ingest_seconds: number;
  readonly query_seconds: number;
  readonly seconds: number;
}

interface Asked {
  readonly category: number;
  readonly conversation: string;
  readonly recall: Recall;
}

/**
 * Turn-level recall on LoCoMo: every turn goes through the public `store()`, every question through the public `retrieve()`. A question's
 * recall is the share of its evidence turns among the turns returned; the figures are means over questions of categories 1 to 4.
 */
export async function runLocomo(options: LocomoOptions): Promise<LocomoResult> {
  const started = performance.now();
  const conversations = readLocomo(options.data);
  await using memory = await openBenchMemory({
    embedding: options.embedding,
    ...(options.database === undefined ? {} : { path: options.database }),
    ...(options.vectorCache === undefined ? {} : { vectorCache: options.vectorCache }),
    ...(options.reranker === undefined ? {} : { reranker: options.reranker }),
    ...(options.without === undefined ? {} : { without: options.without }),
  });
  let ingestMs = 0;
  let queryMs = 0;
  const asked: Asked[] = [];
  const judged: (Judged & { readonly conversation: string })[] = [];
  for (const [index, conversation] of conversations.entries()) {
    options.onProgress(`conversation ${index + 1} of ${conversations.length} (${conversation.id}): ${conversation.turns.length} turns`);
    const before = performance.now();
    const episodeOf = await storeConversation(memory, conversation);
    ingestMs += performance.now() - before;
    const asking = performance.now();
    for (const item of conversation.questions) {
      if (item.category > 4 || item.evidence.length === 0) continue;
      const evidence = item.evidence.map((id) => episodeOf.get(id) ?? id);
      const recall = await measureRecall(memory, { userId: conversation.id, question: item.question, evidence, hops: options.hops });
      asked.push({ category: item.category, conversation: conversation.id, recall });
    }
    queryMs += performance.now() - asking;
    for (const { question, category } of conversation.questions) {
      const { answerability } = await memory.retrieve(question, { userId: conversation.id, hops: options.hops, topK: 0 });
      judged.push({ score: answerability, positive: category <= 4, conversation: conversation.id });
    }
  }
  const groups = (key: (item: Asked) => string | number) =>
    Object.fromEntries([...Map.groupBy(asked, key)].sort().map(([group, items]) => [String(group), meanRecall(items.map((item) => item.recall))]));
  return {
    recall: meanRecall(asked.map((item) => item.recall)),
    by_category: groups((item) => item.category),
    questions: asked.length,
    answerability_auc: thousandths(areaUnderCurve(judged)),
    answerability_auc_by_conversation: Object.fromEntries(
      [...Map.groupBy(judged, (item) => item.conversation)].map(([group, items]) => [group, thousandths(areaUnderCurve(items))]),
    ),
    by_conversation: groups((item) => item.conversation),
    settings: {
      embedding: options.embedding,
      hops: options.hops,
      extraction: 'rules',
      reranker: options.reranker ?? '',
      without: options.without?.join(', ') ?? '',
    },
    turns: conversations.reduce((sum, conversation) => sum + conversation.turns.length, 0),
    ingest_seconds: round(ingestMs / 1000),
    query_seconds: round(queryMs / 1000),
    seconds: round((performance.now() - started) / 1000),
  };
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Stores one conversation, a session at a time; returns episode ids by the data set's turn ids. */
export async function storeConversation(memory: Memory, conversation: LocomoConversation): Promise<Map<string, string>> {
  const episodeOf = new Map<string, string>();
  for (const [session, turns] of Map.groupBy(conversation.turns, (turn) => turn.session)) {
    const receipt = await memory.store(
      turns.map((turn) => ({ role: 'user' as const, name: turn.speaker, content: turn.text, at: turn.at, id: turn.id })),
      { userId: conversation.id, sessionId: `session-${session}` },
    );
    const kept = turns.filter((turn) => turn.text !== '');
    for (const [index, episode] of receipt.episodes.entries()) episodeOf.set(kept[index]?.id ?? '', episode.id);
  }
  return episodeOf;
}
