import { type ChangeSet, type Decision, emptyChangeSet, type OutboxItem } from '../domain/change-set.ts';
import type { Resolution } from '../domain/resolution.ts';

export interface Plan {
  readonly changes: ChangeSet;
  readonly decisions: readonly Decision[];
}

/**
 * Decides what the resolution changes in the record. Pure.
 * What the rules read out of a turn says nothing that the turn itself does not say, so it serves as an edge of the graph only;
 * facts of a model or of the caller are also indexed.
 */
export function plan(userId: string, resolution: Resolution): Plan {
  const outbox: OutboxItem[] = resolution.episodes.map((episode) => ({ operation: 'upsert', kind: 'episode', recordId: episode.id }));
  const decisions: Decision[] = [];
  for (const fact of resolution.facts) {
    const known = resolution.known.get(fact.id);
    decisions.push(
      known === undefined
        ? { action: 'add', factId: fact.id, reason: 'not known before' }
        : { action: 'merge', factId: fact.id, reason: 'stated again: the evidence is added to the known fact' },
    );
    if (known === undefined && fact.origin !== 'rules') outbox.push({ operation: 'upsert', kind: 'fact', recordId: fact.id });
  }
  return {
    changes: {
      ...emptyChangeSet(userId),
      episodes: resolution.episodes.map((episode) => ({ ...episode, state: episode.state === 'pending' ? 'extracted' : episode.state })),
      states: resolution.episodes.flatMap((episode) =>
        episode.state === 'verbatim' ? [] : [{ episodeId: episode.id, state: 'extracted' as const }],
      ),
      entities: resolution.entities,
      facts: resolution.facts,
      mentions: resolution.mentions,
      outbox,
    },
    decisions,
  };
}
