import type { Entity } from '../domain/entity.ts';
import type { Episode } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { LifecycleStore } from '../ports/lifecycle-store.ts';
import { eachPage } from './forget.ts';
import { type NearPair, nearDuplicates } from './near-duplicates.ts';

/** The state of a user's memory. Of every list at most `limit` entries are named; the counts are whole. Ids only, no text. */
export interface AuditReport {
  readonly userId: string;
  readonly episodes: number;
  readonly facts: number;
  readonly entities: number;
  /** Turns that were saved and never read, or whose reading failed. */
  readonly unread: AuditFinding<string>;
  /** Groups of turns of one speaker with the same text. */
  readonly duplicates: AuditFinding<readonly string[]>;
  readonly nearDuplicates: AuditFinding<NearPair>;
  /** Entities that nothing mentions and nothing is known of. */
  readonly orphanEntities: AuditFinding<string>;
  /** Facts that no turn states. */
  readonly orphanFacts: AuditFinding<string>;
  /** Turns that no question has brought up. */
  readonly neverRecalled: AuditFinding<string>;
  /** Facts that hold at once although their subject can have only one of them. */
  readonly contradictions: AuditFinding<readonly string[]>;
  readonly archived: AuditFinding<string>;
  /** Past their expiry and not removed yet; `decay()` does. */
  readonly expired: AuditFinding<string>;
}

export interface AuditFinding<T> {
  readonly count: number;
  readonly examples: readonly T[];
}

const NEAR = 0.8;
const PAGE_SIZE = 500;

/** Looks at everything a user has; changes nothing. */
export async function audit(
  userId: string,
  limit: number,
  now: string,
  graph: GraphStore,
  lifecycle: LifecycleStore | undefined,
): Promise<AuditReport> {
  const texts = new Map<string, string>();
  const same = new Map<string, string[]>();
  const unread: string[] = [];
  await eachPage(
    (page) => graph.findEpisodes({ userId }, page),
    (episode: Episode) => {
      texts.set(episode.id, episode.content);
      if (episode.state === 'pending' || episode.state === 'failed') unread.push(episode.id);
      const key = JSON.stringify([episode.speaker ?? episode.role, episode.content.trim().toLowerCase().replace(/\s+/g, ' ')]);
      same.set(key, [...(same.get(key) ?? []), episode.id]);
    },
  );
  const known = new Set<string>();
  const orphanFacts: string[] = [];
  const slots = new Map<string, Map<string, string>>();
  let facts = 0;
  await eachPage(
    (page) => graph.findFacts({ userId }, page),
    (fact: Fact) => {
      facts++;
      for (const id of fact.entityIds) known.add(id);
      if (fact.evidence.length === 0) orphanFacts.push(fact.id);
      const slot = slotOf(fact, now);
      if (slot !== undefined) slots.set(slot.name, (slots.get(slot.name) ?? new Map<string, string>()).set(slot.value, fact.id));
    },
  );
  const ids = [...texts.keys()];
  for (let from = 0; from < ids.length; from += PAGE_SIZE) {
    for (const mention of await graph.mentions(userId, ids.slice(from, from + PAGE_SIZE))) known.add(mention.entityId);
  }
  const orphans: string[] = [];
  let entities = 0;
  await eachPage(
    (page) => graph.findEntities({ userId }, page),
    (entity: Entity) => {
      entities++;
      if (!known.has(entity.id)) orphans.push(entity.id);
    },
  );
  const marks = (await lifecycle?.marks(userId, ids)) ?? new Map();
  const finding = <T>(items: readonly T[]): AuditFinding<T> => ({ count: items.length, examples: items.slice(0, limit) });
  return {
    userId,
    episodes: texts.size,
    facts,
    entities,
    unread: finding(unread),
    duplicates: finding([...same.values()].filter((group) => group.length > 1)),
    nearDuplicates: finding(nearDuplicates(texts, NEAR)),
    orphanEntities: finding(orphans),
    orphanFacts: finding(orphanFacts),
    neverRecalled: finding(ids.filter((id) => (marks.get(id)?.accesses ?? 0) === 0)),
    contradictions: finding([...slots.values()].filter((values) => values.size > 1).map((values) => [...values.values()])),
    archived: finding(ids.filter((id) => marks.get(id)?.archivedAt !== undefined)),
    expired: finding(ids.filter((id) => (marks.get(id)?.expiresAt ?? now) < now)),
  };
}

/** A slot holds one value at a time, so two facts in it at once contradict each other. */
function slotOf(fact: Fact, now: string): { readonly name: string; readonly value: string } | undefined {
  if (fact.subjectId === undefined || fact.slot === undefined) return undefined;
  if (fact.expiredAt !== undefined || (fact.invalidAt !== undefined && fact.invalidAt <= now)) return undefined;
  return { name: `${fact.subjectId} ${fact.slot}`, value: fact.objectId ?? normalForm(fact.text) };
}
