import type { Context } from '../domain/context.ts';
import type { PromptMessage } from '../domain/prompt-message.ts';
import { MemoryError } from '../errors.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { Allocation, BudgetPlan, Component } from './allocate.ts';
import { ELASTIC, type Elastic, elasticBudgets, tooSmall } from './elastic-budgets.ts';
import { type FittedDocuments, fitDocuments, type PromptDocument } from './fit-documents.ts';
import { type CutMessage, type FittedHistory, fitHistory } from './fit-history.ts';
import { DEFAULT_TOKENS_PER_MESSAGE, messageText, messageTokens, TOKENS_FOR_REPLY } from './message-tokens.ts';
import type { PackedContext } from './pack.ts';
import { type Preset, windowPlan } from './window-plan.ts';

/** A conversation, oldest first; or what chooses its window, given the tokens it may take. */
export type History = readonly PromptMessage[] | ((tokens: number) => readonly PromptMessage[] | Promise<readonly PromptMessage[]>);

export interface AssembleInput {
  /** The user's question; it is never cut. */
  readonly question: string;
  /** The system prompt; it is never cut. A system message of the history that repeats it is left out. */
  readonly system?: string;
  /** Tool definitions as they go to the model; counted as JSON, never cut. */
  readonly tools?: readonly unknown[];
  /** The conversation so far, without the question. */
  readonly history?: History;
  /** Retrieved documents, best first. */
  readonly documents?: readonly PromptDocument[];
  /** Size of the model's window in tokens. Default: that of `preset`, or 128,000. */
  readonly window?: number;
  readonly preset?: Preset;
  /** How the window is shared out. Default: `planForWindow(window)`. */
  readonly plan?: BudgetPlan;
  /** Tokens that the chat API adds to each message. Default 4. */
  readonly tokensPerMessage?: number;
}

export interface AssembleDependencies {
  readonly counter: TokenCounter;
  /** Packs what the memory recalls for the question into a number of tokens, without texts that the prompt holds already. */
  readonly recall: (budget: number, known: ReadonlySet<string>) => PackedContext;
}

export interface PromptSource {
  /** The name in square brackets: `1` for a memory, `D1` for a document. */
  readonly citation: string;
  readonly kind: 'episode' | 'fact' | 'document';
  /** Id of the record, or the caller's id of the document. */
  readonly id: string | undefined;
  /** Episodes behind it; empty for a document. */
  readonly evidence: readonly string[];
}

export interface ComponentReport {
  /** Tokens that the component was given, and those that it takes. */
  readonly budget: number;
  readonly used: number;
}

export interface AssemblyReport {
  readonly counter: string;
  readonly window: number;
  /** Tokens of all messages and tool definitions together; with the reserve and the buffer never more than `window`. */
  readonly used: number;
  readonly components: Readonly<Record<Component, ComponentReport>>;
  readonly cut: {
    readonly messages: readonly CutMessage[];
    /** Documents by their id, or else their place as given, counted from 1. */
    readonly documents: readonly { readonly id: string; readonly tokens: number }[];
    /** Memories that the budget left out; `context.omitted` has every omission. */
    readonly memories: readonly { readonly id: string; readonly tokens: number }[];
  };
  /** What a reader should know: parts that were given less than planned. */
  readonly notes: readonly string[];
}

export interface AssembledPrompt {
  /** Ready for a chat call: system, history, then the question with memories and documents fenced as data before it. */
  readonly messages: readonly PromptMessage[];
  readonly context: Context;
  readonly sources: readonly PromptSource[];
  readonly report: AssemblyReport;
}

/**
 * Fills a model's window. System prompt, tools and question are never cut; what they leave is shared out by `allocateBudget` with real
 * needs, so that what one part does not use passes to the next: memory first, then history (whole messages, tool calls with their results),
 * then documents. The prompt never counts more than the window less the reserve for the answer and the safety buffer.
 * @throws BUDGET_TOO_SMALL where what can't be cut does not fit; INPUT_INVALID for a plan, preset or window that is none
 */
export async function assembleContext(input: AssembleInput, { counter, recall }: AssembleDependencies): Promise<AssembledPrompt> {
  const { window, plan } = windowPlan(input);
  const perMessage = input.tokensPerMessage ?? DEFAULT_TOKENS_PER_MESSAGE;
  const tokensOf = (message: PromptMessage) => messageTokens(message, counter, perMessage);
  const system: PromptMessage[] = input.system === undefined ? [] : [{ role: 'system', content: input.system }];
  const fixed = {
    systemPrompt: system.reduce((sum, message) => sum + tokensOf(message), 0),
    toolDefinitions: input.tools === undefined || input.tools.length === 0 ? 0 : counter.count(toolsText(input.tools)),
    question: tokensOf({ role: 'user', content: `\n${input.question}` }) + TOKENS_FOR_REPLY,
  };
  const total = fixed.systemPrompt + fixed.toolDefinitions + fixed.question;
  const { allocate, notes } = elasticBudgets(window, plan, total);

  const documents = input.documents ?? [];
  const documentNeed = fitDocuments(documents, Number.POSITIVE_INFINITY, counter).tokens;
  const given = typeof input.history === 'function' ? undefined : withoutRepeats(input.history ?? [], input);
  const historyNeed = given === undefined ? Number.POSITIVE_INFINITY : given.reduce((sum, message) => sum + tokensOf(message), 0);
  const historyWithin = async (budget: number): Promise<FittedHistory> => {
    const messages = given ?? withoutRepeats(typeof input.history === 'function' ? await input.history(budget) : [], input);
    return fitHistory(messages, budget, tokensOf);
  };
  const build = async (budgets: Readonly<Record<Elastic, number>>) => {
    const history = await historyWithin(budgets.conversationHistory);
    const known = new Set(history.messages.map(messageText).filter((text) => text !== undefined));
    return prompt(input, system, history, recall(budgets.longTermMemory, known), fitDocuments(documents, budgets.documents, counter));
  };

  // What the memory needs is known only once it has packed all it may.
  const first = allocate({ documents: documentNeed, conversationHistory: historyNeed });
  const trial = await build(first);
  const allocation = allocate({ documents: documentNeed, conversationHistory: historyNeed, longTermMemory: trial.room });
  const limit = window - allocation.responseReserve - allocation.safetyBuffer;
  const budgets = { ...allocation };
  for (;;) {
    const built = await build(budgets);
    const used = TOKENS_FOR_REPLY + fixed.toolDefinitions + built.messages.reduce((sum, message) => sum + tokensOf(message), 0);
    if (used <= limit) return { ...built.result, report: report(input, { counter, window, used, fixed, allocation, notes, ...built }) };
    if (ELASTIC.every((component) => budgets[component] === 0)) throw tooSmall(window, used, allocation, built.history.tokens);
    // A counter whose parts do not add up: the parts that can shrink do so, the least needed first.
    let over = used - limit;
    for (const component of [...ELASTIC].reverse()) {
      const less = Math.min(over, budgets[component]);
      budgets[component] -= less;
      over -= less;
    }
  }
}

/** The question as the last message, and the system prompt as a message, are often in the history already. */
function withoutRepeats(history: readonly PromptMessage[], { question, system }: AssembleInput): readonly PromptMessage[] {
  const last = history.at(-1);
  const kept = last?.role === 'user' && last.content === question ? history.slice(0, -1) : history;
  return kept.filter((message) => message.role !== 'system' || system === undefined || message.content !== system);
}

function toolsText(tools: readonly unknown[]): string {
  try {
    return JSON.stringify(tools);
  } catch (error) {
    throw new MemoryError('INPUT_INVALID', `\`tools\` have no JSON, and a model takes nothing else: ${String(error).split('\n')[0]}.`, {
      cause: error,
    });
  }
}

function prompt(
  input: AssembleInput,
  system: readonly PromptMessage[],
  history: FittedHistory,
  { context, room }: PackedContext,
  documents: FittedDocuments,
) {
  const recalled = `${context.text}${documents.text}`;
  const content = recalled === '' ? input.question : `${recalled}\n${input.question}`;
  const messages = [...system, ...history.messages, { role: 'user', content }];
  const sources: PromptSource[] = [
    ...context.items.map(({ citation, kind, id, evidence }) => ({ citation: String(citation), kind, id, evidence })),
    ...documents.taken.map(({ citation, document }) => ({ citation, kind: 'document' as const, id: document.id, evidence: [] })),
  ];
  return { messages, context, room, history, documents, result: { messages, context, sources } };
}

function report(
  input: AssembleInput,
  parts: {
    readonly counter: TokenCounter;
    readonly window: number;
    readonly used: number;
    readonly fixed: { readonly systemPrompt: number; readonly toolDefinitions: number; readonly question: number };
    readonly allocation: Allocation;
    readonly notes: readonly string[];
    readonly context: Context;
    readonly history: FittedHistory;
    readonly documents: FittedDocuments;
  },
): AssemblyReport {
  const { allocation, fixed, context, history, documents } = parts;
  const placeOf = (document: PromptDocument) => document.id ?? String((input.documents ?? []).indexOf(document) + 1);
  // The line break before the question may be a token of its own, or none: what the others do not take is the conversation's, so that all adds up.
  const others = fixed.systemPrompt + fixed.toolDefinitions + context.tokens.used + documents.tokens;
  const reserved = (component: 'responseReserve' | 'safetyBuffer') => ({ budget: allocation[component], used: 0 });
  return {
    counter: parts.counter.id,
    window: parts.window,
    used: parts.used,
    components: {
      systemPrompt: { budget: fixed.systemPrompt, used: fixed.systemPrompt },
      toolDefinitions: { budget: fixed.toolDefinitions, used: fixed.toolDefinitions },
      longTermMemory: { budget: allocation.longTermMemory, used: context.tokens.used },
      conversationHistory: { budget: allocation.conversationHistory + fixed.question, used: parts.used - others },
      documents: { budget: allocation.documents, used: documents.tokens },
      responseReserve: reserved('responseReserve'),
      safetyBuffer: reserved('safetyBuffer'),
    },
    cut: {
      messages: history.cut,
      documents: documents.cut.map(({ document, tokens }) => ({ id: placeOf(document), tokens })),
      memories: context.omitted.filter((item) => item.reason === 'budget').map(({ id, tokens }) => ({ id, tokens: tokens ?? 0 })),
    },
    notes: parts.notes,
  };
}
