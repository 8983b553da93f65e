import type { Mention } from './change-set.ts';
import type { Entity } from './entity.ts';
import type { Fact } from './fact.ts';

/** The part of one user's graph around some seed entities. */
export interface Subgraph {
  readonly entities: readonly Entity[];
  /** Hops from the nearest seed, by entity id; seeds are 0. */
  readonly distance: ReadonlyMap<string, number>;
  /** Number of facts and mentions that touch the entity in the whole store, by entity id: hubs are damped by it. */
  readonly degree: ReadonlyMap<string, number>;
  /** Facts between entities of the subgraph, or about one of them. */
  readonly facts: readonly Fact[];
  /** Episodes that mention entities of the subgraph. */
  readonly mentions: readonly Mention[];
  /** Everything that the episodes of `mentions` mention, in their order, then by entity id; without spellings. */
  readonly comentions: readonly Mention[];
  /** True where a bound (fan-out, limit) left something out. */
  readonly truncated: boolean;
}
