import type { Recollection } from '../domain/recollection.ts';

export interface Folded {
  readonly item: Recollection;
  /** Texts of facts that were read out of the same turn and rank below it. */
  readonly facts: readonly string[];
  /** Episodes behind the duplicates that were folded into it. */
  readonly alsoStatedIn: readonly string[];
}
