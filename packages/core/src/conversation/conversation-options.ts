import { z } from 'zod';
import type { Context } from '../domain/context.ts';
import { describeIssues } from '../domain/describe-issues.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { RetrieveOptions } from '../domain/retrieve-options.ts';
import type { StoreInput, StoreOptions } from '../domain/store-input.ts';
import { MemoryError } from '../errors.ts';
import type { ChatMemoryStore } from '../ports/chat-memory-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Summariser } from '../ports/summariser.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { WindowOptions } from './window.ts';

/** What a conversation needs of a `Memory`. */
export interface LongTermMemory {
  store(input: StoreInput, options: StoreOptions): Promise<Receipt>;
  retrieve(query: string, options: RetrieveOptions): Promise<Context>;
}

/** Give messages or tokens; with both, whichever comes first triggers, and the smaller rest is kept. */
export interface SummaryOptions {
  /** Default: extractive, without a model. */
  readonly summariser?: Summariser;
  /** Summarise when more messages than this stand beside the summary, and keep this many of the newest. */
  readonly triggerMessages?: number;
  readonly keepMessages?: number;
  /** Summarise when they count more tokens than this, and keep this many. Default 3/4 of the window (3,000 of 4,000), and 2/5 of that. */
  readonly triggerTokens?: number;
  readonly keepTokens?: number;
  /** Largest size of the summary in tokens. Default 500, and at most a quarter of the window. */
  readonly maxTokens?: number;
}

export interface ArchiveOptions {
  /** `summary` (default): one memory for all that leaves at once. `turns`: the turns themselves, read like any stored turn. `both`. */
  readonly what?: 'summary' | 'turns' | 'both';
  /** Also archive whenever this many turns (a user message and its answer) are not archived yet; 1 keeps the memory up to date. */
  readonly everyTurns?: number;
  /** Default: the summariser of `summary`, else extractive. */
  readonly summariser?: Summariser;
}

export interface ConversationOptions {
  readonly userId: string;
  /** Default `default`. */
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly counter: TokenCounter;
  /** Default: in this process's memory. */
  readonly store?: ChatMemoryStore;
  /** Default `{ maxTokens: 4000 }`. */
  readonly window?: WindowOptions;
  /** Without it nothing is summarised but by `compact()`. */
  readonly summary?: SummaryOptions;
  readonly memory?: LongTermMemory;
  /** Bring what leaves the window or is summarised to `memory`. Without it only `remember()` does. */
  readonly archive?: ArchiveOptions;
  readonly clock?: Pick<Clock, 'now'>;
}

const DEFAULT_WINDOW_TOKENS = 4_000;
const TRIGGER_SHARE = 0.75;
const KEEP_SHARE = 0.4;
const MAX_SUMMARY_TOKENS = 500;
const MAX_SUMMARY_SHARE = 0.25;

const count = z.int().min(1).exactOptional();
const scopeId = z.string().refine((text) => text.trim() !== '' && text.length <= 1024, 'must be 1 to 1024 characters, not only spaces');
const numbersSchema = z.object({
  sessionId: scopeId.default('default'),
  window: z
    .object({
      maxMessages: count,
      maxTokens: count,
      keep: z.enum(['newest', 'important']).exactOptional(),
      systemFirst: z.boolean().exactOptional(),
      startWithUser: z.boolean().exactOptional(),
    })
    .prefault({ maxTokens: DEFAULT_WINDOW_TOKENS }),
  summary: z.object({ triggerMessages: count, keepMessages: count, triggerTokens: count, keepTokens: count, maxTokens: count }).optional(),
  archive: z.object({ what: z.enum(['summary', 'turns', 'both']).default('summary'), everyTurns: count }).optional(),
});

export interface SummaryPlan {
  readonly triggerMessages: number;
  readonly keepMessages: number;
  readonly triggerTokens: number;
  readonly keepTokens: number;
  readonly maxTokens: number;
}

export interface ConversationPlan {
  readonly sessionId: string;
  readonly window: WindowOptions;
  /** Also there without the option, for `compact()`. */
  readonly summary: SummaryPlan;
  readonly archive: { readonly what: 'summary' | 'turns' | 'both'; readonly everyTurns: number | undefined } | undefined;
}

/** @throws SCOPE_REQUIRED, CONFIG_INVALID listing every option that is wrong */
export function planConversation(options: ConversationOptions): ConversationPlan {
  if (typeof options.userId !== 'string' || !scopeId.safeParse(options.userId).success || !options.userId.isWellFormed()) {
    throw new MemoryError('SCOPE_REQUIRED', 'A conversation belongs to a user: give `userId`, visible text of at most 1024 characters.');
  }
  const parsed = numbersSchema.safeParse(options);
  const problems = parsed.success ? [] : describeIssues(parsed.error.issues);
  if (options.archive !== undefined && options.memory === undefined) problems.push('archive: needs `memory` to archive to');
  const window: WindowOptions = parsed.data?.window ?? {};
  const summary = planSummary(parsed.data?.summary, window.maxTokens ?? DEFAULT_WINDOW_TOKENS);
  if (parsed.data?.summary !== undefined) problems.push(...summaryProblems(summary, window));
  if (!parsed.success || problems.length > 0) {
    throw new MemoryError('CONFIG_INVALID', `The options of the conversation are not valid. ${problems.join('; ')}.`);
  }
  const { sessionId, archive } = parsed.data;
  return { sessionId, window, summary, archive: archive === undefined ? undefined : { what: archive.what, everyTurns: archive.everyTurns } };
}

/** What leaves the window before it is summarised would be in neither. */
function summaryProblems(summary: SummaryPlan, window: WindowOptions): string[] {
  const problems: string[] = [];
  const below = (name: keyof SummaryPlan, limit: number, what: string) => {
    if (Number.isFinite(summary[name]) && summary[name] >= limit) problems.push(`summary.${name}: must be less than ${what}`);
  };
  below('keepMessages', summary.triggerMessages, 'summary.triggerMessages');
  below('keepTokens', summary.triggerTokens, 'summary.triggerTokens');
  below('triggerMessages', (window.maxMessages ?? Number.POSITIVE_INFINITY) + 1, 'or equal to window.maxMessages');
  below('triggerTokens', window.maxTokens ?? Number.POSITIVE_INFINITY, 'window.maxTokens');
  below('maxTokens', window.maxTokens ?? Number.POSITIVE_INFINITY, 'window.maxTokens');
  return problems;
}

function planSummary(given: z.output<typeof numbersSchema>['summary'], windowTokens: number): SummaryPlan {
  const byMessages = given?.triggerMessages !== undefined || given?.keepMessages !== undefined;
  const byTokens = given?.triggerTokens !== undefined || given?.keepTokens !== undefined || !byMessages;
  const triggerMessages = given?.triggerMessages ?? (byMessages ? (given?.keepMessages ?? 0) * 3 : Number.POSITIVE_INFINITY);
  const triggerTokens = given?.triggerTokens ?? (byTokens ? Math.floor(windowTokens * TRIGGER_SHARE) : Number.POSITIVE_INFINITY);
  return {
    triggerMessages,
    keepMessages: given?.keepMessages ?? (byMessages ? Math.max(1, Math.floor(triggerMessages / 3)) : Number.POSITIVE_INFINITY),
    triggerTokens,
    keepTokens: given?.keepTokens ?? (byTokens ? Math.max(1, Math.floor(triggerTokens * KEEP_SHARE)) : Number.POSITIVE_INFINITY),
    maxTokens: given?.maxTokens ?? Math.min(MAX_SUMMARY_TOKENS, Math.max(1, Math.floor(windowTokens * MAX_SUMMARY_SHARE))),
  };
}
