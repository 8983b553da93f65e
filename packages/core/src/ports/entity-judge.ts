import type { EntityType } from '../domain/entity.ts';
import type { ModelUsage } from '../domain/extraction.ts';

/** Decides between two names that the rules of resolution leave open. */
export interface EntityJudge {
  /** @returns false also where it can't tell */
  isSame(
    met: { readonly name: string; readonly type: EntityType },
    known: { readonly name: string; readonly type: EntityType; readonly aliases: readonly string[] },
    /** `spent` is told of each call to a model, for the account of whoever asks. */
    call?: { readonly signal?: AbortSignal; readonly spent?: (usage: ModelUsage) => void },
  ): Promise<boolean>;
}
