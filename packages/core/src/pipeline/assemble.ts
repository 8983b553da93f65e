import { z } from 'zod';
import type { EngineOptions } from '../config.ts';
import { wellFormedTree } from '../domain/clean-text.ts';
import type { RetrieveOptions } from '../domain/retrieve-options.ts';
import { type AssembledPrompt, type AssembleInput, assembleContext, type History } from '../packing/assemble.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { checkedCounter } from './checked-counter.ts';
import { parseInput } from './read-input.ts';
import { type RetrieveDependencies, recallRanked } from './retrieve.ts';

/** As for `retrieve`; `budget` caps what memories may take, beside the plan. */
export interface AssembleOptions extends RetrieveOptions {
  /** Counts in place of the memory's own counter: that of the model which is called. */
  readonly counter?: TokenCounter;
}

/** No model takes halves of surrogate pairs. */
const wellFormed = z.string().transform((text) => text.toWellFormed());
const messages = z.array(z.looseObject({ role: z.string() })).transform(wellFormedTree);
const inputSchema = z.strictObject({
  question: wellFormed,
  system: wellFormed.optional(),
  tools: z.array(z.unknown()).optional(),
  history: z
    .union([messages, z.custom((value) => typeof value === 'function')], 'Give a list of messages, or a function of the tokens that gives one')
    .optional(),
  documents: z.array(z.object({ text: wellFormed, id: z.string().optional(), title: wellFormed.optional() })).optional(),
  // Checked where the window is shared out.
  window: z.unknown().optional(),
  preset: z.unknown().optional(),
  plan: z.unknown().optional(),
  tokensPerMessage: z.number().min(0).optional(),
});

/** Recalls once, then fills the window. */
export async function assemble(
  wanted: AssembleInput,
  { counter: given, ...options }: AssembleOptions,
  dependencies: RetrieveDependencies,
  engine: EngineOptions,
): Promise<AssembledPrompt> {
  const { history, ...others } = parseInput(inputSchema, wanted, 'input') as AssembleInput;
  const input = history === undefined ? others : { ...others, history: checkedHistory(history) };
  const counter = given === undefined ? dependencies.counter : checkedCounter(given);
  const packRecalled = await recallRanked(input.question, options, { ...dependencies, counter }, engine);
  const most = options.budget ?? Number.POSITIVE_INFINITY;
  return assembleContext(input, { counter, recall: (budget, known) => packRecalled(Math.min(budget, most), known) });
}

/** What a function gives is checked as a list is: a chat API names no message that is none. */
function checkedHistory(history: History): History {
  if (typeof history !== 'function') return history;
  return async (tokens) => parseInput(messages, await history(tokens), 'input.history()');
}
