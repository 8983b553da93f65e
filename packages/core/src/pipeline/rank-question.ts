import type { EngineOptions } from '../config.ts';
import type { Candidate, Channel } from '../domain/candidate.ts';
import { startOf } from '../domain/fact.ts';
import type { IndexFilter, RecordContent } from '../domain/index-record.ts';
import type { Query } from '../domain/query.ts';
import type { Recollection } from '../domain/recollection.ts';
import { type Timestamp, timestamp } from '../domain/time.ts';
import { MemoryError } from '../errors.ts';
import { withoutHidden } from '../lifecycle/hidden.ts';
import { analyseQuery } from '../retrieval/analyse-query.ts';
import { type TurnBeside, turnsAround, withTurns } from '../retrieval/beside.ts';
import { areOver, DAY_MS } from '../retrieval/calendar-days.ts';
import { completeScores } from '../retrieval/complete-scores.ts';
import { dayTerms } from '../retrieval/day-terms.ts';
import { type Expansion, expand } from '../retrieval/expand.ts';
import { byScore, fuse } from '../retrieval/fuse.ts';
import { type Misspelt, respelt } from '../retrieval/misspelt.ts';
import { type RecallDependencies, type RecallOptions, recall } from '../retrieval/recall.ts';
import { isAboutEnd, type Replacement, replacementsFor } from '../retrieval/replacement.ts';
import { rerank } from '../retrieval/rerank.ts';
import { timeSpans } from '../retrieval/time-spans.ts';
import { withTimely } from '../retrieval/timely.ts';
import { atMoment, type Loaded, withoutGraph } from './at-moment.ts';
import type { ServerCalls } from './server-calls.ts';

export interface RankDependencies extends RecallDependencies {
  /** Records that are archived or have expired. */
  readonly hidden?: ReadonlySet<string>;
}

export interface RankInput {
  readonly userId: string;
  readonly text: string;
  readonly filter: IndexFilter;
  readonly topK: number;
  readonly hops: 0 | 1 | 2;
  readonly asOf?: Timestamp;
  readonly recordedAsOf?: Timestamp;
  /** Ids of episodes to leave out, with the facts that rest on them alone. */
  readonly excluded: ReadonlySet<string>;
  readonly now: Date;
}

/** The servers behind one call, shared by all its questions: what does not answer is waited for once. */
export interface RankCalls {
  readonly graph: ServerCalls;
  readonly vector: ServerCalls;
  readonly keyword: ServerCalls;
  readonly timed: <T>(stage: string, work: () => Promise<T>) => Promise<T>;
}

export interface Ranking {
  readonly query: Query;
  /** When the question is asked, or as of when. */
  readonly now: Date;
  /** Scored by text match. */
  readonly recollections: readonly Recollection[];
  /** See `answerability`. */
  readonly scale: number;
  /** The same by everything that is known without a model, best first. */
  readonly ranked: Recollection[];
  /** Of what ended, and which the question is about, what took its place. */
  readonly replacements: readonly Replacement[];
}

/** Records read and ranked, unless more are asked for: the best by text match and graph. Those below never reach the top of a ranking. */
const MAX_CONSIDERED = 80;
/** Where the question names a time: of what was said then no channel knows before the records are read. */
const MAX_CONSIDERED_BY_TIME = 160;
/** "In three weeks", "next month". */
const LATELY_MS = 31 * DAY_MS;
/** Beyond those, the records that the walk visits most: what a title or a name leads to need not sound like the question. */
const LED_TO = 16;

/** What one question finds, best first: recall -> fuse -> expand -> complete scores -> load -> rerank. */
export async function rankQuestion(input: RankInput, dependencies: RankDependencies, engine: EngineOptions, calls: RankCalls): Promise<Ranking> {
  const { userId, text, filter, hops, asOf, recordedAsOf } = input;
  const { graph, vectors, keywords } = dependencies;
  const { graph: graphCalls, vector: vectorCalls, keyword: keywordCalls, timed } = calls;
  const { recallMs, expandMs } = engine.deadlines;
  const now = asOf === undefined ? input.now : new Date(asOf);
  const speakers = await graphCalls.runOr(recallMs, () => graph.speakers(userId), []);
  const search = async (query: Query) =>
    recall(query, dependencies, {
      candidates: Math.max(engine.recall.candidates, input.topK),
      ...(engine.reranking.without?.includes('time') === true ? { spans: [], dayTerms: [] } : timesToSearch(query, now)),
      limited: {
        vector: (work) => vectorCalls.run(recallMs, work),
        keyword: (work) => keywordCalls.run(recallMs, work),
        graph: (work) => graphCalls.run(recallMs, work),
      },
    });
  const written = analyseQuery({ userId, text, filter, speakers });
  const first = await timed('recall', () => search(written));
  const query = first.misspelt.length === 0 ? written : asMeant(written, first.misspelt, speakers);
  const recalled = query === written ? first : await timed('recall', () => search(query));
  const { embedding } = dependencies;
  const usual = engine.recall.keywordWeight ?? embedding.keywordWeight;
  const keywordWeight = engine.recall.keywordWeight ?? embedding.keywordWeightFor?.(query.denseText) ?? usual;
  const fused = withTimely(fuse({ vector: recalled.vector, keyword: recalled.keyword, keywordWeight }), recalled.timely, recalled.told);

  const toExpand = {
    userId,
    named: recalled.entities,
    speakers: query.speakers,
    candidates: fused,
    now: timestamp(now),
    ...(asOf === undefined ? {} : { validAt: asOf }),
    ...(recordedAsOf === undefined ? {} : { recordedAt: recordedAsOf }),
  };
  const flat: Expansion = { candidates: fused, density: undefined, anchored: false };
  const walk = async () =>
    hops === 0 || graphCalls.failure !== undefined
      ? flat
      : timed('expand', () => graphCalls.runOr(expandMs, (limit) => expand(toExpand, { graph }, { ...engine.expansion, hops }, limit), flat));
  const none: ReadonlyMap<string, TurnBeside> = new Map();
  const [expanded, around] = await Promise.all([
    walk(),
    timed('neighbours', () => graphCalls.runOr(recallMs, () => turnsAround(userId, fused, { graph }), none)),
  ]);
  const count = Math.max(query.times.length > 0 ? MAX_CONSIDERED_BY_TIME : MAX_CONSIDERED, input.topK);
  const toComplete = {
    query,
    queryVector: recalled.queryVector,
    candidates: worthScoring(withTurns(expanded.candidates, around), expanded.density ?? 0, count),
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
  const records = await timed('load', () => loadRecords(userId, considered, around, dependencies, graphCalls, vectorCalls, recallMs));
  const shown = (items: readonly Recollection[]) =>
    withoutHidden(items, dependencies.hidden ?? new Set()).filter((item) => !isExcluded(item, input.excluded));
  const found = shown(recollect(considered, records, withoutIndexes ? query.filter : undefined));
  const moments = { world: asOf, record: recordedAsOf, now: input.now.toISOString() };
  const then = await timed('times', () =>
    graphCalls.runOr(recallMs, () => atMoment(userId, found, graph, moments, isAboutEnd(query)), withoutGraph(found, moments)),
  );
  // What comes in for having taken the place of something must be what is asked for, like all else.
  const foundIds = new Set(found.map((item) => item.id));
  const recollections = shown(then.recollections).filter((item) => foundIds.has(item.id) || passes(item, query.filter));
  const replacements = [...aheadOf(query, recollections, then.ending), ...replacementsFor(query, recollections, then.replacedBy)];
  const { density, anchored } = expanded;
  const ranked = await timed('rerank', async () =>
    rerank({
      query,
      recollections,
      replacements,
      now,
      anchored,
      without: engine.reranking.without,
      ...(density === undefined ? {} : { density }),
    }),
  );
  const kept = Math.max(MAX_CONSIDERED + LED_TO, input.topK);
  return { query, now, recollections, scale: usual / (keywordWeight || 1), ranked: ranked.slice(0, kept), replacements };
}

/** Where a question looks ahead: what was said of late, that of "tomorrow" or "Friday" may mean the day, and whatever names it. */
function timesToSearch({ times, looksAhead }: Query, now: Date): Pick<RecallOptions, 'spans' | 'dayTerms'> {
  if (!looksAhead || areOver(times, now.toISOString())) return { spans: timeSpans(times, now), dayTerms: [] };
  return { spans: [{ since: new Date(now.getTime() - LATELY_MS).toISOString() }], dayTerms: dayTerms(times, now) };
}

/** What is to come goes after what holds until then: of what it will replace after the best. */
function aheadOf(query: Query, recollections: readonly Recollection[], { items, replacedBy }: Loaded['ending']): Replacement[] {
  if (items.size === 0) return [];
  const ends = replacementsFor(
    query,
    recollections.map((item) => items.get(item.id) ?? item),
    replacedBy,
  );
  return ends.map(([now, then]) => [then, now] as const).reverse();
}

/** The question with its names as they are meant. What was written is searched for too: it may be a name that nothing knows as one. */
function asMeant(query: Query, misspelt: readonly Misspelt[], speakers: readonly string[]): Query {
  const meant = analyseQuery({ userId: query.userId, text: respelt(query.text, misspelt), filter: query.filter, speakers });
  const terms = new Map([...meant.terms, ...query.terms].map((weighted) => [weighted.term, weighted]));
  return { ...meant, terms: [...terms.values()] };
}

/**
 * The best by what is known of them so far; those that only the graph or a talk led to, of which no channel has said anything yet; and, whatever
 * their words, the turns around the best and those where the walk spent most time: more of them where facts join the memory.
 */
function worthScoring(candidates: readonly Candidate[], density: number, count: number): Candidate[] {
  const isScored = (candidate: Candidate) => isFoundBy(candidate, 'vector') || isFoundBy(candidate, 'keyword');
  const best = candidates.filter(isScored).sort(byScore).slice(0, count);
  const led = candidates.filter((candidate) => !isScored(candidate) || isFoundBy(candidate, 'neighbour') || isFoundBy(candidate, 'time'));
  return [...new Set([...best, ...led, ...mostVisited(candidates, Math.max(LED_TO, density * count))])];
}

/**
 * The best by text match and the turns around them; where facts join the memory, up to half of the places go to those where the walk spent
 * most time.
 */
function mostPromising(scored: readonly Candidate[], density: number, count: number): Candidate[] {
  const around = scored.filter((candidate) => isFoundBy(candidate, 'neighbour') || isFoundBy(candidate, 'time'));
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
 * Reads the records behind the candidates, but for the turns that were read already: from the graph, or while it is down from what the index
 * keeps beside its vectors.
 * @throws the graph's error where neither has them
 */
async function loadRecords(
  userId: string,
  candidates: readonly Candidate[],
  around: ReadonlyMap<string, TurnBeside>,
  { graph, vectors }: RankDependencies,
  graphCalls: ServerCalls,
  vectorCalls: ServerCalls,
  milliseconds: number,
): Promise<RecordContent[]> {
  if (candidates.length === 0) return [];
  const ids = (kind: Candidate['kind']) => candidates.filter(({ id, kind: each }) => each === kind && !around.has(id)).map(({ id }) => id);
  try {
    return await graphCalls.run(milliseconds, async () => [
      ...[...around.values()].map(({ episode }) => ({ kind: 'episode' as const, episode })),
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
  const at = record.kind === 'episode' ? record.episode.at : startOf(record.fact);
  const scope = record.kind === 'episode' ? record.episode : undefined;
  return (
    (filter.ids === undefined || (scope !== undefined && filter.ids.includes(scope.id))) &&
    (filter.agentId === undefined || scope?.agentId === filter.agentId) &&
    (filter.sessionId === undefined || scope?.sessionId === filter.sessionId) &&
    (filter.sourceId === undefined || scope?.sourceId === filter.sourceId) &&
    (filter.kinds === undefined || filter.kinds.includes(record.kind)) &&
    (filter.since === undefined || at >= filter.since) &&
    (filter.until === undefined || at < filter.until)
  );
}
