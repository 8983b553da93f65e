import type { Episode, NewEpisode } from '../domain/episode.ts';
import { type ModelUsage, NO_USAGE, type SkippedItem } from '../domain/extraction.ts';
import type { JoinedNames, Receipt, StoredEpisode } from '../domain/receipt.ts';
import type { Update } from '../domain/update-log.ts';
import type { MemoryError } from '../errors.ts';
import type { Plan } from '../resolution/plan.ts';

/** What became of one batch of turns. */
export interface Outcome {
  readonly episodeIds: readonly string[];
  readonly plan?: Plan;
  readonly failure?: string;
  readonly sequences: readonly number[];
  readonly skipped: readonly SkippedItem[];
  readonly usage: ModelUsage;
}

/** Where an id or a key of the caller says that it is the same turn, what was saved of it is what is read. */
export function asSaved(episode: NewEpisode, known: ReadonlyMap<string, Episode>): NewEpisode {
  return { ...episode, content: known.get(episode.id)?.content ?? episode.content };
}

export function storedEpisode(episode: NewEpisode, known: ReadonlyMap<string, Episode>, outcomes: readonly Outcome[]): StoredEpisode {
  const before = known.get(episode.id);
  const outcome = outcomes.find((item) => item.episodeIds.includes(episode.id));
  const state =
    outcome === undefined
      ? (before?.state ?? episode.state)
      : outcome.failure !== undefined
        ? 'failed'
        : episode.state === 'verbatim'
          ? 'verbatim'
          : (outcome.plan?.changes.states.find(({ episodeId }) => episodeId === episode.id)?.state ?? 'extracted');
  return { id: episode.id, state, created: before === undefined, ...(outcome?.failure === undefined ? {} : { failure: outcome.failure }) };
}

export function toldMerge({ id, recordId, before = '', after = '', reason, episodeId }: Update): JoinedNames {
  return { id, entityId: recordId, name: before, spelling: after, step: reason, ...(episodeId === undefined ? {} : { episodeId }) };
}

export function uniqueById<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

export function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  return { calls: a.calls + b.calls, inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
}

/** What was spent before an extraction failed, as its error tells. */
export function usageOfFailure({ details }: MemoryError): ModelUsage {
  const count = (key: keyof ModelUsage) => (typeof details[key] === 'number' ? details[key] : 0);
  return { calls: count('calls'), inputTokens: count('inputTokens'), outputTokens: count('outputTokens') };
}

export function emptyReceipt(skipped: readonly SkippedItem[]): Receipt {
  return { episodes: [], entities: [], facts: [], decisions: [], merges: [], skipped, usage: NO_USAGE, indexed: true, degraded: [] };
}
