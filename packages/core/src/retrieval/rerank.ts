import type { ScoreParts } from '../domain/candidate.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { Query } from '../domain/query.ts';
import type { Recollection } from '../domain/recollection.ts';
import { localMinute } from '../domain/time.ts';
import { byScore } from './fuse.ts';
import { dateMatch } from './read-dates.ts';
import { liftReplacements } from './replacement.ts';

export interface RerankInput {
  readonly query: Query;
  /** Scored by `cosine + w * keyword share`. */
  readonly recollections: readonly Recollection[];
  /** Id of a memory that ended to the id of the one that took its place. */
  readonly replacedBy?: ReadonlyMap<string, string>;
  readonly now: Date;
}

/**
 * Weights of the final score. All but `graph`, `recency` and `importance` were chosen on five LoCoMo conversations (docs/benchmarks.md);
 * each is round, and moving one by half changes recall by less than a point.
 */
const WEIGHT = {
  /** Cosine of the turns just before and after: what a turn is about often stands beside it. */
  neighbourCosine: 0.1,
  /** Best score within five turns: a good place in a talk lifts what was said there. */
  locality: 0.5,
  /** Share of the best graph score. */
  graph: 0.2,
  speaker: 1.5,
  timeWords: 1.15,
  asking: 0.85,
  date: 1,
  past: 0.5,
  recency: 0.02,
  importance: 0.1,
} as const;
const LOCALITY_TURNS = 5;
const RECENCY_HALF_LIFE_DAYS = 30;
const TIME_WORDS = new RegExp(
  `\\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|years?|recently|just|since|few days|\\d{4}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|` +
    `january|february|march|april|june|july|august|september|october|november|december)\\b|어제|오늘|내일|지난|다음|작년|올해|昨天|今天|明天|上周|下周|去年|今年|昨日|今日|明日|先週|来週`,
  'i',
);

/** Orders the recollections by what is known beyond the text match: place in the talk, speaker, dates, graph, importance, age. Pure; ties by id. */
export function rerank(input: RerankInput): Recollection[] {
  const threads = new Map<string, Map<number, Recollection>>();
  for (const item of input.recollections) {
    if (item.kind !== 'episode' || item.episode.threadId === undefined) continue;
    const places = threads.get(item.episode.threadId) ?? new Map<number, Recollection>();
    threads.set(item.episode.threadId, places.set(item.episode.position, item));
  }
  const beside = (item: Recollection, offset: number) =>
    item.kind === 'episode' && item.episode.threadId !== undefined
      ? threads.get(item.episode.threadId)?.get(item.episode.position + offset)
      : undefined;

  const matched = new Map(
    input.recollections.map((item) => [item.id, item.score + WEIGHT.neighbourCosine * (cosine(beside(item, -1)) + cosine(beside(item, 1)))]),
  );
  const scored = input.recollections.map((item): Recollection => {
    const own = matched.get(item.id) ?? 0;
    let best = own;
    for (let offset = -LOCALITY_TURNS; offset <= LOCALITY_TURNS; offset++) best = Math.max(best, matched.get(beside(item, offset)?.id ?? '') ?? 0);
    const graph = item.channels.find((channel) => channel.channel === 'graph')?.score ?? 0;
    const parts: Record<string, number> = {
      ...(item.parts ?? { match: item.score }),
      neighbours: own - item.score,
      locality: WEIGHT.locality * best,
      graph: WEIGHT.graph * graph,
    };
    let score = own + WEIGHT.locality * best + WEIGHT.graph * graph;
    for (const [name, factor] of Object.entries(item.kind === 'episode' ? turnFactors(item, input.query) : factFactors(item, input))) {
      parts[name] = score * (factor - 1);
      score *= factor;
    }
    parts['recency'] = WEIGHT.recency * recency(item, input.now);
    return { ...item, score: score + parts['recency'], parts: withoutZeros(parts) };
  });
  return liftReplacements(scored, input.replacedBy ?? new Map(), input.query).sort(byScore);
}

function withoutZeros(parts: Readonly<Record<string, number>>): ScoreParts {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== 0));
}

function cosine(item: Recollection | undefined): number {
  return item?.channels.find((channel) => channel.channel === 'vector')?.score ?? 0;
}

/** Factors by what they are about; each multiplies the score so far. */
function turnFactors(item: Extract<Recollection, { kind: 'episode' }>, query: Query): Readonly<Record<string, number>> {
  const { episode } = item;
  const [only, ...others] = query.speakers;
  const spoken = only !== undefined && others.length === 0 && episode.speaker !== undefined && normalForm(episode.speaker) === normalForm(only);
  const isMessage = episode.kind === 'message';
  return {
    speaker: spoken ? WEIGHT.speaker : 1,
    date: query.dates.length > 0 ? 1 + WEIGHT.date * dateMatch(query.dates, localMinute(episode).slice(0, 10)) : 1,
    timeWords: isMessage && TIME_WORDS.test(episode.content) ? WEIGHT.timeWords : 1,
    asking: isMessage && /[?？]\s*$/.test(episode.content) ? WEIGHT.asking : 1,
  };
}

function factFactors(item: Extract<Recollection, { kind: 'fact' }>, input: RerankInput): Readonly<Record<string, number>> {
  const { fact } = item;
  const past = fact.expiredAt !== undefined || (fact.invalidAt !== undefined && fact.invalidAt <= input.now.toISOString());
  return { importance: 1 + WEIGHT.importance * (fact.importance - 0.5), past: past ? WEIGHT.past : 1 };
}

function recency(item: Recollection, now: Date): number {
  const at = item.kind === 'episode' ? item.episode.at : (item.fact.validAt ?? item.fact.createdAt);
  const days = Math.max(0, (now.getTime() - Date.parse(at)) / 86_400_000);
  return 2 ** (-days / RECENCY_HALF_LIFE_DAYS);
}
