import { z } from 'zod';
import type { EngineOptions } from '../config.ts';
import type { Context } from '../domain/context.ts';
import type { IndexFilter } from '../domain/index-record.ts';
import { metadataFilterSchema } from '../domain/metadata-filter.ts';
import type { RetrieveOptions } from '../domain/retrieve-options.ts';
import { shown } from '../domain/shown.ts';
import { parseTime, type Timestamp } from '../domain/time.ts';
import { isBearable, MemoryError } from '../errors.ts';
import { diversify } from '../packing/diversify.ts';
import { foldDuplicates } from '../packing/fold.ts';
import { type PackedContext, pack } from '../packing/pack.ts';
import type { Clock } from '../ports/clock.ts';
import type { QuestionDecomposer } from '../ports/question-decomposer.ts';
import type { RerankingModel } from '../ports/reranking-model.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { Tracer } from '../ports/tracer.ts';
import { answerability } from '../retrieval/answerability.ts';
import { fuseQuestions } from '../retrieval/fuse-questions.ts';
import { liftReplacements } from '../retrieval/replacement.ts';
import { rerankByModel } from '../retrieval/rerank-by-model.ts';
import { type RankDependencies, rankQuestion } from './rank-question.ts';
import { isBlank, parseInput, requireUser, scopeId, signalInput, timeInput } from './read-input.ts';
import { ServerCalls } from './server-calls.ts';
import { turnsWithMetadata } from './turns-with-metadata.ts';
import { withZones } from './with-zones.ts';

export interface RetrieveDependencies extends RankDependencies {
  readonly counter: TokenCounter;
  readonly reranker?: RerankingModel;
  readonly decomposer?: QuestionDecomposer;
  readonly clock: Clock;
  readonly tracer?: Tracer;
  /** What is known to be down before anything was asked: a server that could not be reached when it was opened. */
  readonly down?: { readonly graph?: MemoryError; readonly indexes?: MemoryError };
}

const DEFAULT_BUDGET = 2_000;
const MAX_DEFAULT_ITEMS = 50;
const optionsSchema = z.strictObject({
  userId: z.string(),
  agentId: scopeId.optional(),
  sessionId: scopeId.optional(),
  sourceId: scopeId.optional(),
  budget: z
    .union([z.int().min(0), z.literal(Number.POSITIVE_INFINITY)], {
      error: ({ input }) => `must be a whole number of tokens, 0 or more, or Infinity; got ${shown(input)}`,
    })
    .default(DEFAULT_BUDGET),
  topK: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(MAX_DEFAULT_ITEMS),
  threshold: z.number().optional(),
  order: z.enum(['relevance', 'time']).default('relevance'),
  foldNearDuplicates: z.boolean().default(true),
  diversity: z.number().min(0).max(1).default(0),
  shorten: z.boolean().default(true),
  decompose: z.boolean().default(false),
  hops: z.literal([0, 1, 2], { error: ({ input }) => `must be 0, 1 or 2; got ${shown(input)}` }).optional(),
  metadata: metadataFilterSchema.optional(),
  kinds: z.array(z.enum(['episode', 'fact'])).optional(),
  since: timeInput.optional(),
  until: timeInput.optional(),
  asOf: timeInput.optional(),
  exclude: z.array(z.string()).optional(),
  recordedAsOf: timeInput.optional(),
  signal: signalInput.optional(),
});

/** What the times are called there, where they can be given. */
const COMMAND_LINE: Readonly<Record<string, string>> = { asOf: '--as-of', recordedAsOf: '--recorded-as-of' };

/**
 * Query -> (parts by a model) -> rank each -> (rerank by a model) -> fold -> pack: with `rankQuestion` the only place that knows this order.
 * @throws SCOPE_REQUIRED, INPUT_INVALID, INPUT_EMPTY; CONFIG_INVALID for `decompose` without a model; the store's error when nothing could answer
 */
export async function retrieve(text: string, options: RetrieveOptions, dependencies: RetrieveDependencies, engine: EngineOptions): Promise<Context> {
  return (await recallRanked(text, options, dependencies, engine))().context;
}

/** Packs what was recalled: anew for each budget (default: that of the options), without what the prompt holds already. */
export type PackRecalled = (budget?: number, known?: ReadonlySet<string>) => PackedContext;

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
  const { clock, counter } = dependencies;
  const signal = options.signal;
  const asOf = checked.asOf === undefined ? undefined : moment(checked.asOf, 'asOf');
  const recordedAsOf = checked.recordedAsOf === undefined ? undefined : moment(checked.recordedAsOf, 'recordedAsOf');
  const timings: Record<string, number> = {};
  const timed = async <T>(stage: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    const took = performance.now() - start;
    timings[stage] = (timings[stage] ?? 0) + took;
    dependencies.tracer?.stage(`retrieve.${stage}`, took);
    return result;
  };

  const { down } = dependencies;
  const calls = {
    graph: new ServerCalls('graph', signal, down?.graph),
    vector: new ServerCalls('vector search', signal, down?.indexes),
    keyword: new ServerCalls('keyword search', signal, down?.indexes),
    timed,
  };
  const { metadata } = checked;
  // Without the graph there is no answer: one about other turns would be wrong.
  const admitted =
    metadata === undefined
      ? {}
      : await timed('metadata', () =>
          calls.graph.run(engine.deadlines.recallMs, () => turnsWithMetadata({ userId, ...scopeOf(options), metadata }, dependencies.graph)),
        );
  const toRank = {
    userId,
    filter: { ...indexFilter(options, asOf), ...admitted },
    topK: checked.topK,
    hops: checked.hops ?? engine.expansion.hops,
    ...(asOf === undefined ? {} : { asOf }),
    ...(recordedAsOf === undefined ? {} : { recordedAsOf }),
    excluded: new Set(checked.exclude),
    now: clock.now(),
  };
  const degraded: string[] = [];
  const { decomposer, reranker } = dependencies;
  const parts = checked.decompose
    ? await timed('decompose', () => modelOr('decomposition', () => partsOf(text, decomposer, signal), [], degraded))
    : [];
  const rank = (question: string) => rankQuestion({ ...toRank, text: question }, dependencies, engine, calls);
  // Halves of surrogate pairs are a fault of whoever cut the question; no server takes them.
  const [whole, ...others] = await Promise.all([rank(text.toWellFormed()), ...parts.map(rank)]);
  for (const { name, failure } of [calls.vector, calls.keyword, calls.graph]) {
    // What does not pass by itself comes with its remedy.
    if (failure !== undefined) degraded.push(`${name} unavailable (${failure.code}${failure.retryable ? '' : `: ${failure.message}`})`);
  }
  const first = others.length === 0 ? whole.ranked : fuseQuestions([whole, ...others].map(({ ranked }) => ranked));
  const toOrder = { question: text, ranked: first, count: engine.reranking.candidates, weight: engine.reranking.weight };
  const ordered =
    // Who only asks how sure the memory is waits for no order.
    reranker === undefined || checked.topK === 0
      ? first
      : await timed('rerankByModel', () => modelOr('reranking', () => rerankByModel(toOrder, { reranker }, signal), first, degraded));
  // Parts of a question, and a model, know nothing of what took the place of what.
  const replacements = [...others, whole].flatMap((ranking) => ranking.replacements);
  const lifted = liftReplacements(ordered, replacements);
  const ranked = await calls.graph.runOr(engine.deadlines.recallMs, () => withZones(userId, lifted, dependencies.graph), lifted);
  const sure = await timed('answerability', async () => answerability(whole.query, whole.recollections, whole.now, whole.scale));
  const { kept, folded } = await timed('fold', async () => foldDuplicates(ranked, { nearDuplicates: checked.foldNearDuplicates }));
  const chosen = diversify(kept, checked.diversity, replacements);
  const { topK, threshold, order, shorten } = checked;
  return (budget = checked.budget, known) => {
    const start = performance.now();
    const packed = pack(
      {
        ranked: chosen,
        budget,
        topK,
        order,
        shorten,
        ...(threshold === undefined ? {} : { threshold }),
        ...(known === undefined ? {} : { known }),
      },
      counter,
    );
    const context = {
      query: text,
      items: packed.items,
      text: packed.text,
      tokens: packed.tokens,
      answerability: sure,
      omitted: [...packed.omitted, ...folded],
      degraded,
      timings: { ...timings, pack: performance.now() - start },
    };
    return { context, room: packed.room };
  };
}

async function partsOf(question: string, decomposer: QuestionDecomposer | undefined, signal: AbortSignal | undefined): Promise<readonly string[]> {
  if (decomposer === undefined) {
    throw new MemoryError(
      'CONFIG_INVALID',
      '`decompose` needs a language model, and this memory has none. Configure `model` (TANDEM_MODEL), or give createMemory() a `decomposer`.',
    );
  }
  const parts: unknown = await decomposer.decompose(question, signal);
  if (Array.isArray(parts) && parts.every((part) => typeof part === 'string'))
    return parts.map((part) => part.toWellFormed()).filter((part) => !isBlank(part));
  throw new MemoryError('MODEL_OUTPUT_UNUSABLE', `The decomposer ${decomposer.modelId} did not give a list of questions. Use another model.`);
}

/** Without the model the answer is only in a worse order. */
async function modelOr<T>(what: string, work: () => Promise<T>, otherwise: T, degraded: string[]): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isBearable(error)) throw error;
    degraded.push(`${what} unavailable (${error.code})`);
    return otherwise;
  }
}

function scopeOf({ agentId, sessionId, sourceId }: RetrieveOptions): Pick<IndexFilter, 'agentId' | 'sessionId' | 'sourceId'> {
  return {
    ...(agentId === undefined ? {} : { agentId }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(sourceId === undefined ? {} : { sourceId }),
  };
}

function indexFilter(options: RetrieveOptions, asOf: Timestamp | undefined): IndexFilter {
  const since = options.since === undefined ? undefined : moment(options.since, 'since');
  const until = options.until === undefined ? undefined : moment(options.until, 'until');
  // `until` is exclusive, `asOf` inclusive: one millisecond later is the first moment that is too late.
  const after = asOf === undefined ? undefined : new Date(Date.parse(asOf) + 1).toISOString();
  const end = until === undefined ? after : after === undefined || until < after ? until : after;
  return {
    ...scopeOf(options),
    ...(options.kinds === undefined ? {} : { kinds: options.kinds }),
    ...(since === undefined ? {} : { since }),
    ...(end === undefined ? {} : { until: end }),
  };
}

function moment(value: string | Date, name: 'since' | 'until' | 'asOf' | 'recordedAsOf'): Timestamp {
  const parsed = parseTime(value);
  if (parsed !== undefined) return parsed.at;
  const flag = COMMAND_LINE[name];
  throw new MemoryError(
    'INPUT_INVALID',
    `options.${name} is not a date. Give ISO 8601, for example 2024-03-01 or 2024-03-01T09:30:00+01:00${flag === undefined ? '' : ` (CLI: ${flag})`}.`,
  );
}
