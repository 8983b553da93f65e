import type { ChatMessage } from '../domain/chat-message.ts';
import { MemoryError } from '../errors.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { type Exchange, splitExchanges } from './exchange.ts';
import { fitMessages } from './fit-messages.ts';
import { importanceOf } from './importance.ts';
import { messageTokens } from './message-tokens.ts';

export interface WindowOptions {
  /** Largest number of messages beside the system message and the summary. */
  readonly maxMessages?: number;
  /** Largest number of tokens, system message and summary included. */
  readonly maxTokens?: number;
  /** `newest` (default), or `important`: decisions, constraints and errors stay longer than small talk. System and last message never leave. */
  readonly keep?: 'newest' | 'important';
  /** The system message stands first, wherever it was given. Default true; false leaves it at the place where its text last changed. */
  readonly systemFirst?: boolean;
  /** Never begin with an assistant or tool message. Default true. */
  readonly startWithUser?: boolean;
}

export interface WindowInput {
  /** Without system messages, in order. */
  readonly messages: readonly ChatMessage[];
  readonly system?: { readonly message: ChatMessage; readonly position: number };
  /** Stands before the messages; left out where it does not fit. */
  readonly summary?: ChatMessage;
}

export type LeaveReason = 'window' | 'start' | 'orphan' | 'incomplete';

export interface WindowView {
  /** Ready for a model: system message, summary, then whole messages in their order. */
  readonly messages: readonly ChatMessage[];
  readonly tokens: { readonly system: number; readonly summary: number; readonly messages: number; readonly total: number };
  /** Positions of the messages shown, ascending. */
  readonly shown: readonly number[];
  /** Every message that is not shown, with the reason. `start`: only because the window must begin with a user message. */
  readonly omitted: readonly { readonly position: number; readonly reason: LeaveReason }[];
  /** Positions of messages that are shown with a mark in place of their middle, since they alone exceed the budget. */
  readonly shortened: readonly number[];
  readonly summaryOmitted: boolean;
}

interface Size {
  readonly messages: number;
  readonly tokens: number;
}

/**
 * Chooses what a model is shown. Pure. Whole messages only; calls and their results stay together; the order stays. The last user message and
 * what followed last never leave, so that a loop of tool calls keeps the question it works on: where they alone exceed the tokens, the longest
 * text among them is shortened with a visible mark; where they exceed the number of messages, the user message stays.
 * @throws BUDGET_TOO_SMALL where the system message, or it and a shortened last message, exceed `maxTokens`
 */
export function selectWindow(input: WindowInput, options: WindowOptions, given: TokenCounter): WindowView {
  const counter = remembering(given);
  const maxMessages = options.maxMessages ?? Number.POSITIVE_INFINITY;
  const maxTokens = options.maxTokens ?? Number.POSITIVE_INFINITY;
  const startWithUser = options.startWithUser ?? true;
  const cost = (messages: readonly ChatMessage[]) => messages.reduce((sum, message) => sum + messageTokens(message, counter), 0);
  const system = input.system === undefined ? 0 : cost([input.system.message]);
  if (system > maxTokens) throw tooSmall(maxTokens, system, 'the system message alone');

  const { exchanges, broken } = splitExchanges(input.messages);
  let summary = input.summary === undefined ? 0 : cost([input.summary]);
  const choices = requiredChoices(exchanges, maxMessages, startWithUser);
  const needed = cost((choices[0] ?? []).flatMap((exchange) => exchange.messages));
  // The earlier talk gives way to the last message, not the other way round.
  if (system + summary + needed > maxTokens) summary = 0;
  const fitted = first(choices, (choice) => fitMessages(choice, maxTokens - system - summary, counter)) ?? [];
  if (fitted.length === 0 && choices.length > 0)
    throw tooSmall(maxTokens, system + needed, 'the system message and the last message, even shortened,');
  const required = exchanges.filter((exchange) => fitted.some((item) => item.start === exchange.start));

  const sizeOf = (exchange: Exchange): Size => ({ messages: exchange.messages.length, tokens: cost(exchange.messages) });
  const room: Size = {
    messages: maxMessages - required.reduce((sum, exchange) => sum + exchange.messages.length, 0),
    tokens: maxTokens - system - summary - cost(fitted.flatMap((exchange) => exchange.messages)),
  };
  const optional = exchanges.filter((exchange) => !required.includes(exchange));
  const chosen = new Set(options.keep === 'important' ? mostImportant(optional, sizeOf, room) : newest(optional, sizeOf, room));
  const whole = new Map(fitted.map((exchange) => [exchange.start, exchange]));
  let kept = exchanges.flatMap((exchange) => whole.get(exchange.start) ?? (chosen.has(exchange) ? exchange : []));
  const omitted: { position: number; reason: LeaveReason }[] = [...broken];
  const keptStarts = new Set(kept.map((exchange) => exchange.start));
  for (const exchange of exchanges) if (!keptStarts.has(exchange.start)) leave(omitted, exchange, 'window');
  if (startWithUser) {
    const asked = kept.findIndex((exchange) => exchange.kind === 'user');
    const cut = asked === -1 ? kept.length : asked;
    for (const exchange of kept.slice(0, cut)) leave(omitted, exchange, 'start');
    kept = kept.slice(cut);
  }

  const body = kept.flatMap((exchange) => exchange.messages);
  const shown = kept.flatMap((exchange) => exchange.messages.map((_, index) => exchange.start + index));
  const messages = cost(body);
  return {
    messages: arrange(kept, input, summary > 0, options.systemFirst ?? true),
    tokens: { system, summary, messages, total: system + summary + messages },
    shown,
    omitted: omitted.sort((a, b) => a.position - b.position),
    shortened: fitted.flatMap((exchange) =>
      exchange.messages.flatMap((message, index) =>
        message === input.messages[exchange.start + index] || !shown.includes(exchange.start + index) ? [] : [exchange.start + index],
      ),
    ),
    summaryOmitted: input.summary !== undefined && summary === 0,
  };
}

/** Counts a text once, however often it is asked for: one message may be megabytes. */
function remembering(counter: TokenCounter): TokenCounter {
  const counts = new Map<string, number>();
  const count = (text: string) => {
    const tokens = counts.get(text) ?? counter.count(text);
    counts.set(text, tokens);
    return tokens;
  };
  return { id: counter.id, count };
}

/** What must be shown, the best choice first: the last user message with what followed last, or one of them where there is no room for both. */
function requiredChoices(exchanges: readonly Exchange[], maxMessages: number, startWithUser: boolean): readonly (readonly Exchange[])[] {
  const last = exchanges.at(-1);
  if (last === undefined) return [];
  const asked = exchanges.findLast((exchange) => exchange.kind === 'user');
  const fits = (wanted: readonly Exchange[]) => wanted.reduce((sum, exchange) => sum + exchange.messages.length, 0) <= maxMessages;
  if (asked === undefined || asked === last || (last.kind === 'assistant' && !startWithUser)) return [[last]].filter(fits);
  return (startWithUser ? [[asked, last], [asked]] : [[asked, last], [last], [asked]]).filter(fits);
}

function first<Item, Result>(items: readonly Item[], read: (item: Item) => Result | undefined): Result | undefined {
  for (const item of items) {
    const result = read(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** From the end backwards without a gap. */
function newest(optional: readonly Exchange[], sizeOf: (exchange: Exchange) => Size, room: Size): readonly Exchange[] {
  let left = room;
  let first = optional.length;
  for (const exchange of optional.toReversed()) {
    left = minus(left, sizeOf(exchange));
    if (left.messages < 0 || left.tokens < 0) break;
    first--;
  }
  return optional.slice(first);
}

/** By importance, doubled for the newest and falling to one for the oldest, as far as they fit. */
function mostImportant(optional: readonly Exchange[], sizeOf: (exchange: Exchange) => Size, room: Size): readonly Exchange[] {
  const weigh = (exchange: Exchange, index: number) =>
    Math.max(...exchange.messages.map((message) => importanceOf(message.content))) * (1 + (index + 1) / optional.length);
  const ranked = optional.map((exchange, index) => ({ exchange, weight: weigh(exchange, index) })).sort((a, b) => b.weight - a.weight);
  const chosen: Exchange[] = [];
  let left = room;
  for (const { exchange } of ranked) {
    const next = minus(left, sizeOf(exchange));
    if (next.messages < 0 || next.tokens < 0) continue;
    left = next;
    chosen.push(exchange);
  }
  return chosen;
}

function minus(room: Size, size: Size): Size {
  return { messages: room.messages - size.messages, tokens: room.tokens - size.tokens };
}

function leave(omitted: { position: number; reason: LeaveReason }[], exchange: Exchange, reason: LeaveReason): void {
  for (const index of exchange.messages.keys()) omitted.push({ position: exchange.start + index, reason });
}

function arrange(kept: readonly Exchange[], input: WindowInput, withSummary: boolean, systemFirst: boolean): readonly ChatMessage[] {
  const body = kept.flatMap((exchange) => exchange.messages);
  const lead = withSummary && input.summary !== undefined ? [input.summary] : [];
  if (input.system === undefined) return [...lead, ...body];
  const { message, position } = input.system;
  // Between a call and its results no chat model takes anything.
  const before = systemFirst ? [] : kept.filter((exchange) => exchange.start < position);
  const place = before.reduce((sum, exchange) => sum + exchange.messages.length, 0);
  return place === 0 ? [message, ...lead, ...body] : [...lead, ...body.slice(0, place), message, ...body.slice(place)];
}

function tooSmall(maxTokens: number, needed: number, what: string): MemoryError {
  return new MemoryError(
    'BUDGET_TOO_SMALL',
    `A window of ${maxTokens} tokens is too small: ${what} needs more (${needed} in full). Raise \`window.maxTokens\`, or shorten the system message.`,
    { details: { maxTokens, needed } },
  );
}
