import type { EngineOptions } from '../config.ts';
import type { ScoreParts } from '../domain/candidate.ts';
import { dayOf } from '../domain/fact.ts';
import type { Role } from '../domain/message.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { Query } from '../domain/query.ts';
import type { Recollection } from '../domain/recollection.ts';
import { byScore, upTo, withPart } from './fuse.ts';
import { liftTimely, timeFit } from './lift-timely.ts';
import { liftReplacements, type Replacement } from './replacement.ts';
import { followTitles } from './title-links.ts';

export interface RerankInput {
  readonly query: Query;
  /** Scored by `cosine + w * keyword share`. */
  readonly recollections: readonly Recollection[];
  /** Memories that ended, each with one that took its place (`replacementsFor`). */
  readonly replacements?: readonly Replacement[];
  readonly now: Date;
  /** How far the memory is a knowledge graph, 0 to 1 (`Expansion.density`); undefined where the graph was not asked. */
  readonly density?: number;
  /** Whether the question names something of the graph besides speakers (`Expansion.anchored`). Default false. */
  readonly anchored?: boolean;
  /** What is left out of account: dates and words of time, or everything but the text match. */
  readonly without?: EngineOptions['reranking']['without'];
}

/**
 * Weights of the final score. All but `graph`, `recency`, `importance` and `assistant` were chosen on five LoCoMo conversations (docs/benchmarks.md);
 * each is round, and moving one by half changes recall by less than a point.
 */
const WEIGHT = {
  /** Cosine of the turns just before and after: what a turn is about often stands beside it. */
  neighbourCosine: 0.1,
  /** The same where one is asked about and another spoken to: what one answers ("That's so lovely!") is about what the other said. */
  neighbourBetweenThem: 0.5,
  /** Best score within five turns: a good place in a talk lifts what was said there. */
  locality: 0.5,
  /** The graph against the text match, where only names join the passages, and where facts do. */
  graphOfNames: 0.1,
  graphOfFacts: 7,
  /** How far a fact is as good as the passage that states it, where facts join the passages: alone, a short text fits too easily. */
  passageOfFact: 0.75,
  speaker: 1.5,
  /** Who said what the question asks for, of the user and the assistant; and the user where it is only about him (docs/benchmarks.md, MemoryBank). */
  said: 1.5,
  about: 1.25,
  timeWords: 1.15,
  asking: 0.85,
  /** The question itself, asked before. */
  asked: 0.1,
  date: 1,
  past: 0.5,
  /** A fact that only the assistant stated: it may have guessed. */
  assistant: 0.8,
  recency: 0.02,
  importance: 0.1,
} as const;
/** Visits fewer than e to the power of minus this, of the most visited, count for nothing. A name leads less far than a fact. */
const RANGE_OF_FACTS = 7;
const RANGE_OF_NAMES = 3;
/**
 * Where graph and words disagree, neither has it all. Names that passages share lift a passage to the end of the head, not into it: whom a
 * question names stands in many passages that do not answer it. And where facts lead, the passages that fit the words best stay just below
 * the head: what nobody drew an edge to can be the answer.
 */
const HEAD = 5;
const KEPT = 4;
/** How many times as good as the next a match is that nothing may stand before. */
const CLEAR = 2;
/** By so much a fact stands before its passage: it says the same in fewer words, which is worth 6 points of recall within 500 tokens. */
const LEAD = 1e-6;
const LOCALITY_TURNS = 5;
const RECENCY_HALF_LIFE_DAYS = 30;
const TIME_WORDS = new RegExp(
  `\\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|years?|recently|just|since|few days|\\d{4}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|` +
    `january|february|march|april|june|july|august|september|october|november|december)\\b|어제|오늘|내일|지난|다음|작년|올해|昨天|今天|明天|上周|下周|去年|今年|昨日|今日|明日|先週|来週`,
  'i',
);

/** Orders the recollections by what is known beyond the text match: place in the talk, speaker, dates, graph, importance, age. Pure; ties by id. */
export function rerank(input: RerankInput): Recollection[] {
  if (input.without?.includes('rerank') === true) return [...input.recollections].sort(byScore);
  const withTime = input.without?.includes('time') !== true;
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

  const besideWeight = input.query.isBetween ? WEIGHT.neighbourBetweenThem : WEIGHT.neighbourCosine;
  const matched = new Map(
    input.recollections.map((item) => [item.id, item.score + besideWeight * (cosine(beside(item, -1)) + cosine(beside(item, 1)))]),
  );
  const density = input.density ?? 0;
  const leaders = density > 0 ? leadingFacts(matched, input.recollections) : new Map<string, string>();
  leanOnPassages(matched, input.recollections, density * WEIGHT.passageOfFact);
  const bestMatch = Math.max(0, ...matched.values());
  const asked = {
    isGroup: areUsersWithAndWithoutNames(input.recollections),
    subjects: new Set(input.query.subjects.map(normalForm)),
  };
  const rated = input.recollections.map((item) => {
    const own = matched.get(item.id) ?? 0;
    let best = own;
    for (let offset = -LOCALITY_TURNS; offset <= LOCALITY_TURNS; offset++) best = Math.max(best, matched.get(beside(item, offset)?.id ?? '') ?? 0);
    const parts: Record<string, number> = {
      ...(item.parts ?? { match: item.score }),
      neighbours: own - item.score,
      locality: WEIGHT.locality * best,
    };
    let text = own + WEIGHT.locality * best;
    let graph = bestMatch * visited(item, RANGE_OF_FACTS);
    for (const [name, factor] of Object.entries(
      item.kind === 'episode' ? turnFactors(item, input, withTime, asked) : factFactors(item, input, withTime),
    )) {
      parts[name] = text * (factor - 1);
      text *= factor;
      graph *= factor;
    }
    parts['recency'] = WEIGHT.recency * recency(item, input.now);
    return { item, parts, text: text + parts['recency'], graph };
  });
  const head = nth(
    HEAD,
    rated.map(({ text }) => text),
  );
  const blended = rated.map(({ item, parts, text, graph }) => {
    const names = text + upTo(head - text, input.anchored === true ? WEIGHT.graphOfNames * bestMatch * visited(item, RANGE_OF_NAMES) : 0);
    const facts = (text + WEIGHT.graphOfFacts * graph) / (1 + WEIGHT.graphOfFacts);
    return { item, parts, text, score: (1 - density) * names + density * facts };
  });
  const passages = blended.filter(({ item }) => item.kind === 'episode');
  const texts = passages.map(({ text }) => text);
  const fitting = nth(KEPT, texts);
  const floor = nth(
    HEAD + 1,
    passages.map(({ score }) => score),
  );
  // One that fits the words far better than any other is what was asked for, whatever the walk says.
  const best = nth(1, texts);
  const clear = best >= CLEAR * nth(2, texts) ? best : Number.POSITIVE_INFINITY;
  const top = nth(
    1,
    blended.map(({ score }) => score),
  );
  const scored = blended
    .map(({ item, parts, text, score: own }): Recollection => {
      const least = item.kind !== 'episode' || text < fitting ? own : text >= clear ? top + LEAD : floor;
      const score = Math.max(own, least);
      return { ...item, score, parts: withoutZeros({ ...parts, graph: score - text }) };
    })
    .sort(byScore);
  const walked = input.density === undefined ? scored : followTitles(withLeaders(scored, leaders), input.query.text);
  const timely = withTime ? liftTimely(walked, input.query, input.now) : walked;
  return liftReplacements(timely, input.replacements ?? []);
}

/** The n-th largest; 0 where there are fewer. */
function nth(n: number, values: readonly number[]): number {
  return values.toSorted((a, b) => b - a)[n - 1] ?? 0;
}

/** A fact that says what its passage says in fewer words stands just before it. */
function withLeaders(scored: readonly Recollection[], leaders: ReadonlyMap<string, string>): Recollection[] {
  const scores = new Map(scored.map((item) => [item.id, item.score]));
  const led = scored.map((item) => {
    const passage = scores.get(leaders.get(item.id) ?? '');
    return passage === undefined || passage < item.score ? item : withPart(item, 'lead', passage + LEAD - item.score);
  });
  return led.sort(byScore);
}

/** Of each passage the fact that fits better than the passage itself, best of all: it says the same in fewer words, and stands before it. */
function leadingFacts(matched: ReadonlyMap<string, number>, recollections: readonly Recollection[]): Map<string, string> {
  const best = new Map<string, string>();
  for (const item of recollections) {
    if (item.kind !== 'fact') continue;
    const match = matched.get(item.id) ?? 0;
    for (const episodeId of item.fact.evidence) {
      const passage = matched.get(episodeId);
      if (passage !== undefined && match > Math.max(passage, matched.get(best.get(episodeId) ?? '') ?? 0)) best.set(episodeId, item.id);
    }
  }
  return new Map([...best].map(([episodeId, factId]) => [factId, episodeId]));
}

/** A share of each fact's match is that of the best passage that states it. */
function leanOnPassages(matched: Map<string, number>, recollections: readonly Recollection[], share: number): void {
  // Where only facts were asked for, there are no passages to lean on.
  if (share === 0 || recollections.every((item) => item.kind === 'fact')) return;
  for (const item of recollections) {
    if (item.kind !== 'fact') continue;
    const stated = Math.max(0, ...item.fact.evidence.map((id) => matched.get(id) ?? 0));
    matched.set(item.id, (1 - share) * (matched.get(item.id) ?? 0) + share * stated);
  }
}

/** The walker's visits as a number from 0 to 1 by their logarithm: a passage two hops away has a hundredth of the visits, not of the worth. */
function visited(item: Recollection, range: number): number {
  const share = item.channels.find((channel) => channel.channel === 'graph')?.score ?? 0;
  return share > 0 ? Math.max(0, 1 + Math.log(share) / range) : 0;
}

function withoutZeros(parts: Readonly<Record<string, number>>): ScoreParts {
  const kept: Record<string, number> = {};
  for (const [name, value] of Object.entries(parts)) if (value !== 0) kept[name] = value;
  return kept;
}

function cosine(item: Recollection | undefined): number {
  return item?.parts?.['cosine'] ?? 0;
}

/** Factors by what they are about; each multiplies the score so far. */
function turnFactors(
  item: Extract<Recollection, { kind: 'episode' }>,
  { query, now }: RerankInput,
  withTime: boolean,
  { isGroup, subjects }: { readonly isGroup: boolean; readonly subjects: ReadonlySet<string> },
): Readonly<Record<string, number>> {
  const { episode } = item;
  const isOther = isGroup && episode.role === 'user' && episode.speaker !== undefined;
  const spoken = subjects.size > 0 && episode.speaker !== undefined && subjects.has(normalForm(episode.speaker));
  const isMessage = episode.kind === 'message';
  return {
    speaker: spoken ? WEIGHT.speaker : 1,
    voice: episode.kind === 'chunk' || isOther ? 1 : voiceFactor(query, episode.role),
    date: withTime ? 1 + WEIGHT.date * timeFit(item, query, now) : 1,
    timeWords: withTime && isMessage && TIME_WORDS.test(episode.content) ? WEIGHT.timeWords : 1,
    asking: isMessage && /[?？]\s*$/.test(episode.content) ? (isSame(episode.content, query.text) ? WEIGHT.asked : WEIGHT.asking) : 1,
  };
}

/** In such a group who asks is the one without a name; a single name may be that of who asks. */
function areUsersWithAndWithoutNames(recollections: readonly Recollection[]): boolean {
  const names = new Set<string | undefined>();
  for (const item of recollections) {
    if (item.kind === 'episode' && item.episode.kind === 'message' && item.episode.role === 'user') names.add(item.episode.speaker);
  }
  return names.has(undefined) && names.size > 2;
}

function voiceFactor({ voice }: Query, role: Role): number {
  return voice?.role !== role ? 1 : voice.said ? WEIGHT.said : WEIGHT.about;
}

function isSame(text: string, other: string): boolean {
  const plain = (question: string) => normalForm(question.replace(/[?？\s]+$/, ''));
  return text.length < 2 * other.length && plain(text) === plain(other);
}

function factFactors(item: Extract<Recollection, { kind: 'fact' }>, input: RerankInput, withTime: boolean): Readonly<Record<string, number>> {
  const { fact } = item;
  const date = withTime ? 1 + WEIGHT.date * timeFit(item, input.query, input.now) : 1;
  const past = fact.expiredAt !== undefined || (fact.invalidAt !== undefined && fact.invalidAt <= input.now.toISOString());
  const assistant = fact.saidBy === 'assistant' && input.query.voice?.role !== 'assistant' ? WEIGHT.assistant : 1;
  const voice = voiceFactor(input.query, fact.saidBy);
  return { importance: (1 + WEIGHT.importance * (fact.importance - 0.5)) * assistant, voice, date, past: past ? WEIGHT.past : 1 };
}

function recency(item: Recollection, now: Date): number {
  const at = item.kind === 'episode' ? item.episode.at : dayOf(item.fact);
  const days = Math.max(0, (now.getTime() - Date.parse(at)) / 86_400_000);
  return 2 ** (-days / RECENCY_HALF_LIFE_DAYS);
}
