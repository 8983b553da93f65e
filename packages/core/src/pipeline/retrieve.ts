import { z } from 'zod';
import type { EngineOptions } from '../config.ts';
import type { Candidate } from '../domain/candidate.ts';
import type { Context } from '../domain/context.ts';
import type { IndexFilter } from '../domain/index-record.ts';
import type { Recollection } from '../domain/recollection.ts';
import type { RetrieveOptions } from '../domain/retrieve-options.ts';
import { parseTime, type Timestamp } from '../domain/time.ts';
import { MemoryError } from '../errors.ts';
import { foldDuplicates } from '../packing/fold.ts';
import { pack } from '../packing/pack.ts';
import type { Clock } from '../ports/clock.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { RerankingModel } from '../ports/reranking-model.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { Tracer } from '../ports/tracer.ts';
import { analyseQuery } from '../retrieval/analyse-query.ts';
import { completeScores } from '../retrieval/complete-scores.ts';
import { type Expansion, expand } from '../retrieval/expand.ts';
import { byScore, fuse } from '../retrieval/fuse.ts';
import { type RecallDependencies, recall } from '../retrieval/recall.ts';
import { rerank } from '../retrieval/rerank.ts';
import { rerankByModel } from '../retrieval/rerank-by-model.ts';
import { isBlank, parseInput, requireUser } from './read-input.ts';

export interface RetrieveDependencies extends RecallDependencies {
  readonly counter: TokenCounter;
  readonly reranker?: RerankingModel;
  readonly clock: Clock;
  readonly tracer?: Tracer;
}

const DEFAULT_BUDGET = 2_000;
const MAX_DEFAULT_ITEMS = 50;
/** Records read and ranked, unless more are asked for: the best by text match and graph. Those below never reach the top of a ranking. */
const MAX_CONSIDERED = 160;

const time = z.union([z.string(), z.date()]);
const optionsSchema = z.strictObject({
  userId: z.string(),
  agentId: z.string().min(1).optional(),
  sessionId: z.string().min(1).optional(),
  sourceId: z.string().min(1).optional(),
  budget: z.union([z.int().min(0), z.literal(Number.POSITIVE_INFINITY)]).default(DEFAULT_BUDGET),
  topK: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(MAX_DEFAULT_ITEMS),
  threshold: z.number().optional(),
  hops: z.union([z.literal(0), z.literal(1), z.literal(2)]).optional(),
  kinds: z.array(z.enum(['episode', 'fact'])).optional(),
  since: time.optional(),
  until: time.optional(),
  asOf: time.optional(),
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
});

/**
 * Query -> recall -> fuse -> expand -> load -> rerank -> fold -> pack: the only place that knows this order.
 * @throws SCOPE_REQUIRED, INPUT_INVALID, INPUT_EMPTY; the store's error when nothing could answer
 */
export async function retrieve(text: string, options: RetrieveOptions, dependencies: RetrieveDependencies, engine: EngineOptions): Promise<Context> {
  const userId = requireUser((options as RetrieveOptions | undefined)?.userId);
  const checked = parseInput(optionsSchema, options, 'options');
  if (typeof text !== 'string' || isBlank(text)) throw new MemoryError('INPUT_EMPTY', 'The query is empty. Ask with at least one visible character.');
  const { graph, vectors, keywords, clock, counter } = dependencies;
  const signal = options.signal;
  const now = clock.now();
  const asOf = checked.asOf === undefined ? undefined : moment(checked.asOf, 'asOf');
  const timings: Record<string, number> = {};
  const timed = async <T>(stage: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    timings[stage] = performance.now() - start;
    dependencies.tracer?.stage(`retrieve.${stage}`, timings[stage]);
    return result;
  };

  const query = analyseQuery({ userId, text, filter: indexFilter(options, asOf), speakers: await graph.speakers(userId) });
  const recalled = await timed('recall', () => recall(query, dependencies, engine.recall.candidates, signal));
  const keywordWeight = engine.recall.keywordWeight ?? dependencies.embedding.keywordWeight;
  const fused = fuse({ vector: recalled.vector, keyword: recalled.keyword, keywordWeight });

  const degraded = [...recalled.degraded];
  const hops = checked.hops ?? engine.expansion.hops;
  const expanded =
    hops === 0 || (degraded.length > 0 && degraded.some((reason) => reason.startsWith('graph')))
      ? { candidates: fused, density: undefined }
      : await timed('expand', () =>
          expandOrNot(
            () =>
              expand(
                { userId, named: recalled.entities, candidates: fused, ...(asOf === undefined ? {} : { validAt: asOf }) },
                { graph },
                { ...engine.expansion, hops },
                signal,
              ),
            fused,
            degraded,
          ),
        );
  const scored = await timed('complete', () =>
    completeScores(
      { query, queryVector: recalled.queryVector, candidates: expanded.candidates, keywordWeight, ceiling: recalled.keyword.ceiling },
      { vectors, keywords },
      signal,
    ),
  );
  const considered = mostPromising(scored, expanded.density ?? 0, Math.max(MAX_CONSIDERED, checked.topK));
  const recollections = await timed('load', () => load(userId, considered, graph, asOf));

  const first = rerank({ query, recollections, now, ...(expanded.density === undefined ? {} : { density: expanded.density }) });
  const { reranker } = dependencies;
  const ranked =
    reranker === undefined
      ? first
      : await timed('rerank', () =>
          rerankByModelOrNot(
            () => rerankByModel({ question: text, ranked: first, count: engine.reranking.candidates }, { reranker }, signal),
            first,
            degraded,
          ),
        );
  const start = performance.now();
  const { kept, folded } = foldDuplicates(ranked);
  const packed = pack(
    { ranked: kept, budget: checked.budget, topK: checked.topK, ...(checked.threshold === undefined ? {} : { threshold: checked.threshold }) },
    counter,
  );
  timings['pack'] = performance.now() - start;
  return { query: text, items: packed.items, text: packed.text, tokens: packed.tokens, omitted: [...packed.omitted, ...folded], degraded, timings };
}

async function expandOrNot(work: () => Promise<Expansion>, fused: Candidate[], degraded: string[]): Promise<Expansion> {
  try {
    return await work();
  } catch (error) {
    if (!MemoryError.isInstance(error) || !error.retryable) throw error;
    degraded.push(`graph unavailable (${error.code})`);
    return { candidates: fused, density: undefined };
  }
}

/** Without the reranking model the answer is only in a worse order. */
async function rerankByModelOrNot(work: () => Promise<Recollection[]>, ranked: Recollection[], degraded: string[]): Promise<Recollection[]> {
  try {
    return await work();
  } catch (error) {
    if (!MemoryError.isInstance(error) || (error.kind !== 'model' && error.kind !== 'unavailable')) throw error;
    degraded.push(`reranking unavailable (${error.code})`);
    return ranked;
  }
}

/** The best by text match; where facts join the memory, up to half of the places go to those where the walk spent most time. */
function mostPromising(scored: readonly Candidate[], density: number, count: number): Candidate[] {
  const visits = (candidate: Candidate) => candidate.channels.find((channel) => channel.channel === 'graph')?.score ?? 0;
  const byText = [...scored].sort(byScore);
  const byGraph = byText.filter((candidate) => visits(candidate) > 0).sort((a, b) => visits(b) - visits(a) || byScore(a, b));
  const places = Math.floor((density * count) / 2);
  return [...new Set([...byText.slice(0, count - places), ...byGraph.slice(0, places), ...byText])].slice(0, count);
}

/** Reads the records behind the candidates. A candidate whose record is gone, or is not of this time, goes. */
async function load(userId: string, candidates: readonly Candidate[], graph: GraphStore, asOf: Timestamp | undefined): Promise<Recollection[]> {
  const ids = (kind: Candidate['kind']) => candidates.filter((candidate) => candidate.kind === kind).map((candidate) => candidate.id);
  const episodes = new Map((await graph.getEpisodes(userId, ids('episode'))).map((episode) => [episode.id, episode]));
  const facts = new Map((await graph.getFacts(userId, ids('fact'))).map((fact) => [fact.id, fact]));
  return candidates.flatMap((candidate): Recollection[] => {
    const episode = episodes.get(candidate.id);
    if (episode !== undefined) return [{ ...candidate, kind: 'episode', episode }];
    const fact = facts.get(candidate.id);
    if (fact === undefined) return [];
    const heldThen = asOf === undefined || ((fact.validAt ?? fact.createdAt) <= asOf && (fact.invalidAt === undefined || fact.invalidAt > asOf));
    return heldThen ? [{ ...candidate, kind: 'fact', fact }] : [];
  });
}

function indexFilter(options: RetrieveOptions, asOf: Timestamp | undefined): IndexFilter {
  const since = options.since === undefined ? undefined : moment(options.since, 'since');
  const until = options.until === undefined ? undefined : moment(options.until, 'until');
  // `until` is exclusive, `asOf` inclusive: one millisecond later is the first moment that is too late.
  const after = asOf === undefined ? undefined : new Date(Date.parse(asOf) + 1).toISOString();
  const end = until === undefined ? after : after === undefined || until < after ? until : after;
  return {
    ...(options.agentId === undefined ? {} : { agentId: options.agentId }),
    ...(options.sessionId === undefined ? {} : { sessionId: options.sessionId }),
    ...(options.sourceId === undefined ? {} : { sourceId: options.sourceId }),
    ...(options.kinds === undefined ? {} : { kinds: options.kinds }),
    ...(since === undefined ? {} : { since }),
    ...(end === undefined ? {} : { until: end }),
  };
}

function moment(value: string | Date, name: string): Timestamp {
  const parsed = parseTime(value);
  if (parsed !== undefined) return parsed.at;
  throw new MemoryError('INPUT_INVALID', `options.${name} is not a date. Give ISO 8601, for example 2024-03-01 or 2024-03-01T09:30:00+01:00.`);
}
