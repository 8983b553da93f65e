import { z } from 'zod';
import type { EngineOptions } from '../config.ts';
import type { Candidate, Channel } from '../domain/candidate.ts';
import type { Context } from '../domain/context.ts';
import type { IndexFilter, RecordContent } from '../domain/index-record.ts';
import type { Recollection } from '../domain/recollection.ts';
import type { RetrieveOptions } from '../domain/retrieve-options.ts';
import { parseTime, type Timestamp } from '../domain/time.ts';
import { MemoryError } from '../errors.ts';
import { withoutHidden } from '../lifecycle/hidden.ts';
import { diversify } from '../packing/diversify.ts';
import { foldDuplicates } from '../packing/fold.ts';
import { pack } from '../packing/pack.ts';
import type { Clock } from '../ports/clock.ts';
import type { RerankingModel } from '../ports/reranking-model.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { Tracer } from '../ports/tracer.ts';
import { analyseQuery } from '../retrieval/analyse-query.ts';
import { answerability } from '../retrieval/answerability.ts';
import { withNeighbours } from '../retrieval/beside.ts';
import { completeScores } from '../retrieval/complete-scores.ts';
import { type Expansion, expand } from '../retrieval/expand.ts';
import { byScore, fuse } from '../retrieval/fuse.ts';
import { type RecallDependencies, recall } from '../retrieval/recall.ts';
import { rerank } from '../retrieval/rerank.ts';
import { rerankByModel } from '../retrieval/rerank-by-model.ts';
import { atMoment, withoutGraph } from './at-moment.ts';
import { isBlank, parseInput, requireUser } from './read-input.ts';
import { ServerCalls } from './server-calls.ts';

export interface RetrieveDependencies extends RecallDependencies {
  readonly counter: TokenCounter;
  readonly reranker?: RerankingModel;
  readonly clock: Clock;
  readonly tracer?: Tracer;
  /** Records that are archived or have expired. */
  readonly hidden?: ReadonlySet<string>;
  /** What is known to be down before anything was asked: a server that could not be reached when it was opened. */
  readonly down?: { readonly graph?: MemoryError; readonly indexes?: MemoryError };
}

const DEFAULT_BUDGET = 2_000;
const MAX_DEFAULT_ITEMS = 50;
/** Records read and ranked, unless more are asked for: the best by text match and graph. Those below never reach the top of a ranking. */
const MAX_CONSIDERED = 80;
/** Beyond those, the records that the walk visits most: what a title or a name leads to need not sound like the question. */
const LED_TO = 16;

const time = z.union([z.string(), z.date()]);
const optionsSchema = z.strictObject({
  userId: z.string(),
  agentId: z.string().min(1).optional(),
  sessionId: z.string().min(1).optional(),
  sourceId: z.string().min(1).optional(),
  budget: z.union([z.int().min(0), z.literal(Number.POSITIVE_INFINITY)]).default(DEFAULT_BUDGET),
  topK: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(MAX_DEFAULT_ITEMS),
  threshold: z.number().optional(),
  order: z.enum(['relevance', 'time']).default('relevance'),
  foldNearDuplicates: z.boolean().default(true),
  diversity: z.number().min(0).max(1).default(0),
  shorten: z.boolean().default(true),
  hops: z.union([z.literal(0), z.literal(1), z.literal(2)]).optional(),
  kinds: z.array(z.enum(['episode', 'fact'])).optional(),
  since: time.optional(),
  until: time.optional(),
  asOf: time.optional(),
  exclude: z.array(z.string()).optional(),
  recordedAsOf: time.optional(),
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
});

/**
 * Query -> recall -> fuse -> expand -> load -> rerank -> fold -> pack: the only place that knows this order.
 * @throws SCOPE_REQUIRED, INPUT_INVALID, INPUT_EMPTY; the store's error when nothing could answer
 */
export async function retrieve(text: string, options: RetrieveOptions, dependencies: RetrieveDependencies, engine: EngineOptions): Promise<Context> {
  return (await recallRanked(text, options, dependencies, engine))();
}

/** Packs what was recalled: anew for each budget (default: that of the options), without what the prompt holds already. */
export type PackRecalled = (budget?: number, known?: ReadonlySet<string>) => Context;

/** All of `retrieve` but the packing, so that a prompt can try several budgets on one search. */
export async function recallRanked(
  text: string,
  options: RetrieveOptions,
  dependencies: RetrieveDependencies,
  engine: EngineOptions,
): Promise<PackRecalled> {
  const userId = requireUser((options as RetrieveOptions | undefined)?.userId);
  const checked = parseInput(optionsSchema, options, 'options');
  if (typeof text !== 'string' || isBlank(text)) throw new MemoryError('INPUT_EMPTY', 'The query is empty. Ask with at least one visible character.');
  const { graph, vectors, keywords, clock, counter } = dependencies;
  const signal = options.signal;
  const now = clock.now();
  const asOf = checked.asOf === undefined ? undefined : moment(checked.asOf, 'asOf');
  const recordedAsOf = checked.recordedAsOf === undefined ? undefined : moment(checked.recordedAsOf, 'recordedAsOf');
  const timings: Record<string, number> = {};
  const timed = async <T>(stage: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    timings[stage] = performance.now() - start;
    dependencies.tracer?.stage(`retrieve.${stage}`, timings[stage]);
    return result;
  };

  const { recallMs, expandMs } = engine.deadlines;
  const { down } = dependencies;
  const graphCalls = new ServerCalls('graph', signal, down?.graph);
  const vectorCalls = new ServerCalls('vector search', signal, down?.indexes);
  const keywordCalls = new ServerCalls('keyword search', signal, down?.indexes);

  const speakers = await graphCalls.runOr(recallMs, () => graph.speakers(userId), []);
  const query = analyseQuery({ userId, text, filter: indexFilter(options, asOf), speakers });
  const recalled = await timed('recall', () =>
    recall(query, dependencies, {
      candidates: engine.recall.candidates,
      limited: {
        vector: (work) => vectorCalls.run(recallMs, work),
        keyword: (work) => keywordCalls.run(recallMs, work),
        graph: (work) => graphCalls.run(recallMs, work),
      },
    }),
  );
  const keywordWeight = engine.recall.keywordWeight ?? dependencies.embedding.keywordWeight;
  const fused = fuse({ vector: recalled.vector, keyword: recalled.keyword, keywordWeight });

  const hops = checked.hops ?? engine.expansion.hops;
  const toExpand = {
    userId,
    named: recalled.entities,
    speakers: query.speakers,
    candidates: fused,
    ...(asOf === undefined ? {} : { validAt: asOf }),
    ...(recordedAsOf === undefined ? {} : { recordedAt: recordedAsOf }),
  };
  const flat: Expansion = { candidates: fused, density: undefined, anchored: false };
  const expanded =
    hops === 0 || graphCalls.failure !== undefined
      ? flat
      : await timed('expand', () => graphCalls.runOr(expandMs, (limit) => expand(toExpand, { graph }, { ...engine.expansion, hops }, limit), flat));
  const around = await timed('neighbours', () =>
    graphCalls.runOr(recallMs, () => withNeighbours(userId, fused, expanded.candidates, { graph }), expanded.candidates),
  );
  const count = Math.max(MAX_CONSIDERED, checked.topK);
  const toComplete = {
    query,
    queryVector: recalled.queryVector,
    candidates: worthScoring(around, expanded.density ?? 0, count),
    keywordWeight,
    ceiling: recalled.keyword.ceiling,
  };
  const withoutIndexes = vectorCalls.failure !== undefined && keywordCalls.failure !== undefined;
  const scored = withoutIndexes
    ? scoredByGraph(expanded.candidates)
    : await timed('complete', () =>
        completeScores(
          toComplete,
          { vectors, keywords },
          {
            vector: (work, otherwise) => vectorCalls.runOr(recallMs, work, otherwise),
            keyword: (work, otherwise) => keywordCalls.runOr(recallMs, work, otherwise),
          },
        ),
      );
  const considered = mostPromising(scored, expanded.density ?? 0, count);
  const excluded = new Set(checked.exclude);
  const records = await timed('load', () => loadRecords(userId, considered, dependencies, graphCalls, vectorCalls, recallMs));
  const found = withoutHidden(recollect(considered, records, withoutIndexes ? query.filter : undefined), dependencies.hidden ?? new Set()).filter(
    (item) => !isExcluded(item, excluded),
  );
  const moments = { ...(asOf === undefined ? {} : { world: asOf }), ...(recordedAsOf === undefined ? {} : { record: recordedAsOf }) };
  const { recollections, replacedBy } = await timed('times', () =>
    graphCalls.runOr(recallMs, () => atMoment(userId, found, graph, moments), withoutGraph(found, moments)),
  );
  const degraded = [vectorCalls, keywordCalls, graphCalls].flatMap(({ name, failure }) =>
    failure === undefined ? [] : [`${name} unavailable (${failure.code})`],
  );

  const { density, anchored } = expanded;
  const first = await timed('rerank', async () =>
    rerank({
      query,
      recollections,
      replacedBy,
      now: asOf === undefined ? now : new Date(asOf),
      anchored,
      ...(density === undefined ? {} : { density }),
    }),
  );
  const { reranker } = dependencies;
  const ranked =
    reranker === undefined
      ? first
      : await timed('rerankByModel', () =>
          rerankByModelOrNot(
            () => rerankByModel({ question: text, ranked: first, count: engine.reranking.candidates }, { reranker }, options.signal),
            first,
            degraded,
          ),
        );
  const sure = await timed('answerability', async () => answerability(query, recollections));
  const { kept, folded } = await timed('fold', async () => foldDuplicates(ranked, { nearDuplicates: checked.foldNearDuplicates }));
  const ordered = diversify(kept, checked.diversity);
  const { topK, threshold, order, shorten } = checked;
  return (budget = checked.budget, known) => {
    const start = performance.now();
    const packed = pack(
      {
        ranked: ordered,
        budget,
        topK,
        order,
        shorten,
        ...(threshold === undefined ? {} : { threshold }),
        ...(known === undefined ? {} : { known }),
      },
      counter,
    );
    return {
      query: text,
      items: packed.items,
      text: packed.text,
      tokens: packed.tokens,
      answerability: sure,
      omitted: [...packed.omitted, ...folded],
      degraded,
      timings: { ...timings, pack: performance.now() - start },
    };
  };
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

/**
 * The best by what is known of them so far; those that only the graph or a talk led to, of which no channel has said anything yet; and, whatever
 * their words, the turns around the best and those where the walk spent most time: more of them where facts join the memory.
 */
function worthScoring(candidates: readonly Candidate[], density: number, count: number): Candidate[] {
  const isScored = (candidate: Candidate) => isFoundBy(candidate, 'vector') || isFoundBy(candidate, 'keyword');
  const best = candidates.filter(isScored).sort(byScore).slice(0, count);
  const led = candidates.filter((candidate) => !isScored(candidate) || isFoundBy(candidate, 'neighbour'));
  return [...new Set([...best, ...led, ...mostVisited(candidates, Math.max(LED_TO, density * count))])];
}

/**
 * The best by text match and the turns around them; where facts join the memory, up to half of the places go to those where the walk spent
 * most time.
 */
function mostPromising(scored: readonly Candidate[], density: number, count: number): Candidate[] {
  const around = scored.filter((candidate) => isFoundBy(candidate, 'neighbour'));
  const best = [...new Set([...around, ...mostVisited(scored, (density * count) / 2), ...[...scored].sort(byScore)])].slice(0, count);
  return [...new Set([...best, ...mostVisited(scored, LED_TO)])];
}

function isFoundBy(candidate: Candidate, by: Channel): boolean {
  return candidate.channels.some(({ channel }) => channel === by);
}

function mostVisited(candidates: readonly Candidate[], places: number): Candidate[] {
  const visits = (candidate: Candidate) => candidate.channels.find((channel) => channel.channel === 'graph')?.score ?? 0;
  return candidates
    .filter((candidate) => visits(candidate) > 0)
    .sort((a, b) => visits(b) - visits(a) || byScore(a, b))
    .slice(0, Math.floor(places));
}

/** With no index to say how well a text fits, only the walk through the graph can order what it found. */
function scoredByGraph(candidates: readonly Candidate[]): Candidate[] {
  return candidates.map((candidate) => ({ ...candidate, score: candidate.channels.find((channel) => channel.channel === 'graph')?.score ?? 0 }));
}

/**
 * Reads the records behind the candidates: from the graph, or while it is down from what the index keeps beside its vectors.
 * @throws the graph's error where neither has them
 */
async function loadRecords(
  userId: string,
  candidates: readonly Candidate[],
  { graph, vectors }: RetrieveDependencies,
  graphCalls: ServerCalls,
  vectorCalls: ServerCalls,
  milliseconds: number,
): Promise<RecordContent[]> {
  if (candidates.length === 0) return [];
  const ids = (kind: Candidate['kind']) => candidates.filter((candidate) => candidate.kind === kind).map((candidate) => candidate.id);
  try {
    return await graphCalls.run(milliseconds, async () => [
      ...(await graph.getEpisodes(userId, ids('episode'))).map((episode) => ({ kind: 'episode' as const, episode })),
      ...(await graph.getFacts(userId, ids('fact'))).map((fact) => ({ kind: 'fact' as const, fact })),
    ]);
  } catch (error) {
    if (!MemoryError.isInstance(error) || !error.retryable || vectors.contents === undefined) throw error;
    return vectorCalls.run(
      milliseconds,
      async (limit) =>
        (await vectors.contents?.(
          userId,
          candidates.map((candidate) => candidate.id),
          limit,
        )) ?? [],
    );
  }
}

/** A candidate whose record is gone goes. The filter is given where no index has applied it. */
function recollect(candidates: readonly Candidate[], records: readonly RecordContent[], filter: IndexFilter | undefined): Recollection[] {
  const byId = new Map(records.map((record) => [record.kind === 'episode' ? record.episode.id : record.fact.id, record]));
  return candidates.flatMap((candidate): Recollection[] => {
    const record = byId.get(candidate.id);
    if (record === undefined || (filter !== undefined && !passes(record, filter))) return [];
    return record.kind === 'episode' ? [{ ...candidate, ...record }] : [{ ...candidate, ...record }];
  });
}

function isExcluded(item: Recollection, excluded: ReadonlySet<string>): boolean {
  if (item.kind === 'episode') return excluded.has(item.id);
  return item.fact.evidence.length > 0 && item.fact.evidence.every((id) => excluded.has(id));
}

/** A fact has no scope of its own, so a question for one session, agent or source gets none where the index can't tell. */
function passes(record: RecordContent, filter: IndexFilter): boolean {
  const at = record.kind === 'episode' ? record.episode.at : (record.fact.validAt ?? record.fact.createdAt);
  const scope = record.kind === 'episode' ? record.episode : undefined;
  return (
    (filter.agentId === undefined || scope?.agentId === filter.agentId) &&
    (filter.sessionId === undefined || scope?.sessionId === filter.sessionId) &&
    (filter.sourceId === undefined || scope?.sourceId === filter.sourceId) &&
    (filter.kinds === undefined || filter.kinds.includes(record.kind)) &&
    (filter.since === undefined || at >= filter.since) &&
    (filter.until === undefined || at < filter.until)
  );
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
