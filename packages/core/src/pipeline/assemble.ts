import type { EngineOptions } from '../config.ts';
import type { RetrieveOptions } from '../domain/retrieve-options.ts';
import { type AssembledPrompt, type AssembleInput, assembleContext } from '../packing/assemble.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { type RetrieveDependencies, recallRanked } from './retrieve.ts';

/** As for `retrieve`; `budget` caps what memories may take, beside the plan. */
export interface AssembleOptions extends RetrieveOptions {
  /** Counts in place of the memory's own counter: that of the model which is called. */
  readonly counter?: TokenCounter;
}

/** Recalls once, then fills the window. */
export async function assemble(
  input: AssembleInput,
  { counter: given, ...options }: AssembleOptions,
  dependencies: RetrieveDependencies,
  engine: EngineOptions,
): Promise<AssembledPrompt> {
  const counter = given ?? dependencies.counter;
  const packRecalled = await recallRanked(input.question, options, { ...dependencies, counter }, engine);
  const most = options.budget ?? Number.POSITIVE_INFINITY;
  return assembleContext(input, { counter, recall: (budget, known) => packRecalled(Math.min(budget, most), known) });
}
