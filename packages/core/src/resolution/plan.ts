import { type ChangeSet, type Decision, emptyChangeSet, type OutboxItem } from '../domain/change-set.ts';
import type { NewEpisode } from '../domain/episode.ts';
import type { Resolution } from '../domain/resolution.ts';
import type { Timestamp } from '../domain/time.ts';
import type { Update } from '../domain/update-log.ts';
import { type Decided, decide } from './decide.ts';

export interface Plan {
  readonly changes: ChangeSet;
  readonly decisions: readonly Decision[];
  readonly ended: Decided['ended'];
  /** Names that it joins. */
  readonly merges: readonly Update[];
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Decides what the resolution changes in the record. Pure.
 * What the rules read out of a turn says nothing that the turn itself does not say, so it serves as an edge of the graph only;
 * facts of a model or of the caller are also indexed.
 * @param outlined ids of the turns that only the rules have read
 */
export function plan(userId: string, resolution: Resolution, now: Timestamp, outlined: ReadonlySet<string> = NONE): Plan {
  const stateOf = ({ id, state }: NewEpisode) => (state === 'verbatim' ? state : outlined.has(id) ? 'outlined' : 'extracted');
  const outbox: OutboxItem[] = resolution.episodes.map((episode) => ({ operation: 'upsert', kind: 'episode', recordId: episode.id }));
  const decided = decide(resolution, now);
  const added = new Set(decided.decisions.flatMap((decision) => (decision.action === 'add' ? [decision.factId] : [])));
  for (const fact of decided.facts)
    if (added.has(fact.id) && fact.origin !== 'rules') outbox.push({ operation: 'upsert', kind: 'fact', recordId: fact.id });
  return {
    changes: {
      ...emptyChangeSet(userId),
      episodes: resolution.episodes.map((episode) => ({ ...episode, state: stateOf(episode) })),
      states: resolution.episodes.flatMap((episode) => (episode.state === 'verbatim' ? [] : [{ episodeId: episode.id, state: stateOf(episode) }])),
      entities: resolution.entities,
      facts: decided.facts,
      mentions: resolution.mentions,
      transfers: resolution.transfers ?? [],
      closures: decided.closures,
      updates: [...resolution.merges, ...(resolution.retoldMerges ?? []), ...decided.updates],
      outbox,
    },
    decisions: decided.decisions,
    ended: decided.ended,
    merges: resolution.merges,
  };
}
