import type { WeightedTerm } from '../domain/index-record.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { Query } from '../domain/query.ts';
import type { Recollection } from '../domain/recollection.ts';
import { analyseText } from '../domain/text-analysis.ts';
import { timeFit } from './lift-timely.ts';

/** Best matches whose words are compared with the question's. */
const COMPARED = 5;
/** Best matches among which the share of the speaker that the question names is taken. */
const SHARED = 30;
const SHARE_TEMPERATURE = 0.1;
const SURE = 0.9;

/**
 * Logistic weights, fitted on five LoCoMo conversations: answerable questions (categories 1 to 4) against adversarial ones (category 5, most of them a
 * matter of the wrong speaker) and questions of another conversation with the names exchanged; classes in balance, so that .5 means even
 * odds. Leave-one-conversation-out AUC .78 against category 5 and .86 against foreign questions; reliable to about .1 (docs/answerability.md).
 */
const WEIGHT = { base: -2.99, share: 0.61, coverage: 3, coverageOfOthers: -2.42, cosine: 0.64, keywords: 0.98, support: 3.01 } as const;

/**
 * How sure one can be, 0 to 1, that the memory holds the answer: how much of the question's wording the best matches hold, how well they
 * match and whether more than one does; and where the question names a speaker, whether it is that speaker's words that match rather than
 * somebody else's. Calibrated for the default embedding model; with another one it still orders questions. Pure.
 * @param recollections with the parts `cosine` and `keywords`, in any order
 * @param now when the question is asked
 * @param scale of these parts: below 1 where keywords weigh more than usual, since the model knows little of the language
 */
export function answerability(query: Query, recollections: readonly Recollection[], now: Date, scale = 1): number {
  const part = (item: Recollection, name: 'cosine' | 'keywords') => scale * (item.parts?.[name] ?? 0);
  const match = (item: Recollection) => part(item, 'cosine') + part(item, 'keywords');
  const ranked = [...recollections].sort((a, b) => match(b) - match(a) || (a.id < b.id ? -1 : 1));
  const named = new Set(query.speakers.map(normalForm));
  const forms = new Map<string, string>();
  const sides = ranked.map((item) => ({ item, side: sideOf(item, named, forms) }));
  const own = sides.filter(({ side }) => side === 'own').map(({ item }) => item);
  const others = sides.filter(({ side }) => side === 'other').map(({ item }) => item);
  if (own.length === 0) return 0;
  const weighted = (items: readonly Recollection[]) => items.reduce((sum, item) => sum + Math.exp(match(item) / SHARE_TEMPERATURE), 0);
  const top = sides.slice(0, SHARED);
  const share = weighted(top.filter(({ side }) => side === 'own').map(({ item }) => item)) / Math.max(1, weighted(top.map(({ item }) => item)));
  const most = (name: 'cosine' | 'keywords') => own.reduce((best, item) => Math.max(best, part(item, name)), 0);
  const support = own[Math.min(COMPARED, own.length) - 1];
  const logit =
    WEIGHT.base +
    WEIGHT.share * share +
    WEIGHT.coverage * coverage(query.terms, own) +
    WEIGHT.coverageOfOthers * coverage(query.terms, others) +
    WEIGHT.cosine * most('cosine') +
    WEIGHT.keywords * most('keywords') +
    WEIGHT.support * (support === undefined ? 0 : match(support));
  const likely = 1 / (1 + Math.exp(-logit));
  if (!query.onlyTime) return likely;
  // Who asks for all that was said at a time, or is to come then, has an answer if anything was or is.
  const isTold = own.some((item) => timeFit(item, query, now, false) > 0);
  return isTold ? Math.max(likely, SURE) : Math.min(likely, 1 - SURE);
}

/** Whether a record speaks for a speaker that the question names. Where it names none, all do; a fact that does not name one is neither. */
function sideOf(item: Recollection, named: ReadonlySet<string>, forms: Map<string, string>): 'own' | 'other' | 'neither' {
  if (named.size === 0) return 'own';
  if (item.kind === 'episode') {
    const speaker = item.episode.speaker ?? '';
    const form = forms.get(speaker) ?? normalForm(speaker);
    forms.set(speaker, form);
    return named.has(form) ? 'own' : 'other';
  }
  const text = ` ${item.fact.text
    .split(/[\s,;:!?.()]+/u)
    .map(normalForm)
    .join(' ')} `;
  return [...named].some((name) => text.includes(` ${name} `)) ? 'own' : 'neither';
}

/** Largest share of the question's terms, by their weights, that one of the best records holds. */
function coverage(terms: readonly WeightedTerm[], items: readonly Recollection[]): number {
  if (terms.length === 0) return 0;
  const sum = (some: readonly WeightedTerm[]) => some.reduce((total, { weight }) => total + weight, 0);
  return items.slice(0, COMPARED).reduce((best, item) => {
    const held = new Set(analyseText(item.kind === 'episode' ? item.episode.content : item.fact.text));
    return Math.max(best, sum(terms.filter(({ term }) => held.has(term))) / sum(terms));
  }, 0);
}
