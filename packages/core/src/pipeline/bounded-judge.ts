import { type ModelUsage, NO_USAGE } from '../domain/extraction.ts';
import type { EntityJudge } from '../ports/entity-judge.ts';
import { ServerCalls } from './server-calls.ts';
import { addUsage } from './store-receipt.ts';

/** In one call of the engine. The user's other calls wait meanwhile, and what stays open is only two names in place of one. */
const MAX_QUESTIONS = 6;

/** A judge who is asked a few times, each within a time limit, and no more after one without an answer. What is not asked is not the same. */
export class BoundedJudge implements EntityJudge {
  readonly #judge: EntityJudge | undefined;
  readonly #limitMs: number;
  readonly #calls: ServerCalls;
  #left = MAX_QUESTIONS;
  #usage = NO_USAGE;

  constructor(judge: EntityJudge | undefined, limitMs: number, signal: AbortSignal | undefined) {
    this.#judge = judge;
    this.#limitMs = limitMs;
    this.#calls = new ServerCalls('judge', signal);
  }

  /** What was spent so far. */
  get usage(): ModelUsage {
    return this.#usage;
  }

  async isSame(...[met, known]: Parameters<EntityJudge['isSame']>): Promise<boolean> {
    const judge = this.#judge;
    if (judge === undefined || this.#left === 0) return false;
    this.#left--;
    const spent = (usage: ModelUsage) => {
      this.#usage = addUsage(this.#usage, usage);
    };
    return this.#calls.runOr(this.#limitMs, (signal) => judge.isSame(met, known, { signal, spent }), false);
  }
}
