import type { EntityTransfer } from '../domain/change-set.ts';
import { DEFAULT_ENTITY_TYPE, type Entity } from '../domain/entity.ts';
import type { FactOrigin } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { Timestamp } from '../domain/time.ts';
import type { Update } from '../domain/update-log.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { unlessUndone } from './find-match.ts';
import { joinsNames, livingMerges, STATED } from './joined-names.ts';
import type { MatchStep } from './match-name.ts';
import { nameKey, type StatedPair } from './names.ts';

const MAX_UPDATES = 1000;

/** A name that is taken for an entity. */
export interface JoinedName {
  readonly entity: Entity;
  /** The name by which the entity is known, and the other one. */
  readonly known: string;
  readonly name: string;
  /** The entity that the name is, or would be without it. */
  readonly relatedId: string;
  readonly step: MatchStep;
  readonly actor: FactOrigin;
  /** The turn that says so, or that has the name. */
  readonly episode: { readonly id: string; readonly content: string } | undefined;
}

/** Told again, by another turn or after it was undone, it is another entry of the log. */
export function mergeUpdate({ entity, known, name, relatedId, step, actor, episode }: JoinedName, at: Timestamp): Update {
  const { id: recordId, userId } = entity;
  return {
    id: deriveId(userId, 'update', 'merge', recordId, relatedId, episode?.id, episode?.content, at),
    userId,
    action: 'merge',
    kind: 'entity',
    recordId,
    relatedId,
    actor,
    reason: step,
    ...(episode === undefined ? {} : { episodeId: episode.id }),
    before: known,
    after: name,
    at,
  };
}

export interface StatedJoins {
  readonly merges: readonly Update[];
  /** Of merges that hold already. */
  readonly retold: readonly Update[];
  readonly transfers: readonly EntityTransfer[];
}

/**
 * Makes one of known entities that somebody says are one, and notes who says so of what is one already.
 * @param entities by the names of the extraction; of two that are joined both names get the one that stays
 * @param told merges that these turns have told already
 */
export async function joinStated(
  pairs: readonly (Omit<StatedPair, 'episode'> & Pick<JoinedName, 'episode'>)[],
  entities: Map<string, Entity>,
  told: readonly Update[],
  at: Timestamp,
  graph: GraphStore,
): Promise<StatedJoins> {
  const merges: Update[] = [];
  const retold: Update[] = [];
  const transfers: EntityTransfer[] = [];
  for (const { names, origin, episode } of pairs) {
    const keys = [nameKey(names[0]), nameKey(names[1])] as const;
    const [first, second] = [entities.get(keys[0]), entities.get(keys[1])];
    if (first === undefined || second === undefined) continue;
    const statement = { step: STATED, actor: origin, episode };
    if (first.id !== second.id) {
      const joined = await join(first, second, graph);
      if (joined === undefined) continue;
      const { kept, gone } = joined;
      for (const [key, { id }] of entities) if (id === gone.id || id === kept.id) entities.set(key, kept);
      transfers.push({ fromId: gone.id, toId: kept.id });
      const [known, name] = kept.id === first.id ? names : [names[1], names[0]];
      merges.push(mergeUpdate({ ...statement, entity: kept, known: known.trim(), name: name.trim(), relatedId: gone.id }, at));
    } else if (![...told, ...merges, ...retold].some((merge) => merge.episodeId === episode?.id && joinsNames(merge, keys))) {
      const log = await graph.readUpdates({ userId: first.userId, recordIds: [first.id], actions: ['merge', 'unmerge'] }, { limit: MAX_UPDATES });
      const before = livingMerges(log).find((merge) => joinsNames(merge, keys));
      const [known, name] = normalForm(names[1]) === first.key ? [names[1], names[0]] : names;
      const relatedId = before?.relatedId ?? deriveId(first.userId, 'entity', nameKey(name), first.type);
      const again = mergeUpdate(
        { ...statement, entity: first, known: before?.before ?? known.trim(), name: before?.after ?? name.trim(), relatedId },
        at,
      );
      retold.push(before === undefined ? again : { ...again, recordId: before.recordId });
    }
  }
  return { merges, retold, transfers };
}

interface Joined {
  /** With the names of both. */
  readonly kept: Entity;
  readonly gone: Entity;
}

/**
 * Two known entities as one: the one of a type that says something stays, then the one that was there first.
 * @returns undefined where their types conflict, or where they were one before and that was undone
 */
async function join(first: Entity, second: Entity, graph: GraphStore): Promise<Joined | undefined> {
  if (first.type !== second.type && first.type !== DEFAULT_ENTITY_TYPE && second.type !== DEFAULT_ENTITY_TYPE) return undefined;
  const rank = (entity: Entity) => `${entity.type === DEFAULT_ENTITY_TYPE ? 1 : 0} ${entity.createdAt} ${entity.id}`;
  const [kept, gone] = rank(first) <= rank(second) ? [first, second] : [second, first];
  for (const [entity, other] of [
    [kept, gone],
    [gone, kept],
  ] as const)
    if ((await unlessUndone(kept.userId, { entity, step: STATED }, other, graph)) === undefined) return undefined;
  const gained = [gone.name, ...gone.aliases].filter((name) => name !== kept.name && !kept.aliases.includes(name));
  return { kept: { ...kept, aliases: [...kept.aliases, ...gained] }, gone };
}
