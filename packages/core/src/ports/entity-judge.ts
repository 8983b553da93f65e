import type { EntityType } from '../domain/entity.ts';

/** Decides between two names that the rules of resolution leave open. */
export interface EntityJudge {
  /** @returns false also where it can't tell */
  isSame(
    met: { readonly name: string; readonly type: EntityType },
    known: { readonly name: string; readonly type: EntityType; readonly aliases: readonly string[] },
  ): Promise<boolean>;
}
