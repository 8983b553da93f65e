import { DEFAULT_ENTITY_TYPE, type Entity } from '../domain/entity.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { unlessUndone } from './find-match.ts';

export interface Joined {
  /** With the names of both. */
  readonly kept: Entity;
  readonly gone: Entity;
}

/**
 * Two known entities as one: the one of a type that says something stays, then the one that was there first.
 * @returns undefined where their types conflict, or where they were one before and that was undone
 */
export async function join(first: Entity, second: Entity, graph: GraphStore): Promise<Joined | undefined> {
  if (first.type !== second.type && first.type !== DEFAULT_ENTITY_TYPE && second.type !== DEFAULT_ENTITY_TYPE) return undefined;
  const rank = (entity: Entity) => `${entity.type === DEFAULT_ENTITY_TYPE ? 1 : 0} ${entity.createdAt} ${entity.id}`;
  const [kept, gone] = rank(first) <= rank(second) ? [first, second] : [second, first];
  for (const [entity, other] of [
    [kept, gone],
    [gone, kept],
  ] as const)
    if ((await unlessUndone(kept.userId, { entity, step: 'alias' }, other, graph)) === undefined) return undefined;
  const gained = [gone.name, ...gone.aliases].filter((name) => name !== kept.name && !kept.aliases.includes(name));
  return { kept: { ...kept, aliases: [...kept.aliases, ...gained] }, gone };
}
