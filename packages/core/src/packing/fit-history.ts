import type { PromptMessage } from '../domain/prompt-message.ts';

export interface CutMessage {
  /** Place in the history that was given, counted from 0. */
  readonly index: number;
  readonly role: string;
  readonly tokens: number;
  /** `orphan`: a tool result without its call, or a call without all of its results; a chat API refuses both. */
  readonly reason: 'budget' | 'orphan';
}

export interface FittedHistory {
  readonly messages: readonly PromptMessage[];
  readonly tokens: number;
  readonly cut: readonly CutMessage[];
}

interface Unit {
  readonly members: { readonly index: number; readonly message: PromptMessage }[];
  /** Results that the calls of the unit still wait for. */
  readonly waiting: Set<string>;
  /** Name of the function that a message of OpenAI's older form calls. It may go unanswered. */
  function?: string | undefined;
  readonly orphan: boolean;
}

/**
 * The newest messages that fit, whole, without a gap. Tool calls and their results stay or go together; system messages always stay. Pure.
 * @param tokensOf tokens of one message, marks included
 */
export function fitHistory(history: readonly PromptMessage[], budget: number, tokensOf: (message: PromptMessage) => number): FittedHistory {
  const counts = history.map(tokensOf);
  const size = (unit: Unit) => unit.members.reduce((sum, member) => sum + (counts[member.index] ?? 0), 0);
  const units = unitsOf(history);
  const taken = new Set<number>();
  const cut: CutMessage[] = [];
  const leave = (unit: Unit, reason: CutMessage['reason']) => {
    for (const { index, message } of unit.members) cut.push({ index, role: message.role, tokens: counts[index] ?? 0, reason });
  };
  const take = (unit: Unit) => {
    for (const { index } of unit.members) taken.add(index);
    tokens += size(unit);
  };
  let tokens = 0;
  for (const unit of units.filter(isSystem)) take(unit);
  let full = false;
  for (const unit of units.filter((other) => !isSystem(other)).reverse()) {
    if (unit.orphan || unit.waiting.size > 0) {
      leave(unit, 'orphan');
      continue;
    }
    full ||= tokens + size(unit) > budget;
    if (full) leave(unit, 'budget');
    else take(unit);
  }
  return { messages: history.filter((_, index) => taken.has(index)), tokens, cut: cut.sort((a, b) => a.index - b.index) };
}

/** Groups messages that a chat API accepts only together: a message with tool calls and the results that follow it. */
function unitsOf(history: readonly PromptMessage[]): Unit[] {
  const units: Unit[] = [];
  let open: Unit | undefined;
  for (const [index, message] of history.entries()) {
    const [calls, answered] = [callIds(message), resultIds(message)];
    // A tool of the provider is answered in the message that calls it.
    const waiting = calls.filter((id) => !answered.includes(id));
    const results = answered.filter((id) => !calls.includes(id));
    const member = { index, message };
    if (message.role === 'tool' || results.length > 0) {
      if (open !== undefined && open.waiting.size > 0 && results.every((id) => open?.waiting.has(id) === true)) {
        open.members.push(member);
        if (results.length === 0) open.waiting.clear();
        for (const id of results) open.waiting.delete(id);
        for (const id of waiting) open.waiting.add(id);
      } else units.push({ members: [member], waiting: new Set(), orphan: true });
    } else if (message.role === 'function') {
      if (open?.function !== undefined && open.function === text(message, 'name')) {
        open.members.push(member);
        open.function = undefined;
      } else units.push({ members: [member], waiting: new Set(), orphan: true });
    } else {
      open = { members: [member], waiting: new Set(waiting), function: text(message['function_call'], 'name'), orphan: false };
      units.push(open);
    }
  }
  return units;
}

function isSystem(unit: Unit): boolean {
  const role = unit.members[0]?.message.role;
  return role === 'system' || role === 'developer';
}

/** Ids of the tool calls of a message: OpenAI, Vercel AI SDK and Anthropic forms, and that of a `ChatMessage`. */
function callIds(message: PromptMessage): string[] {
  const calls = [message['tool_calls'], message['toolCalls']].find((list) => Array.isArray(list)) ?? [];
  return [
    ...calls.map((call) => text(call, 'id')),
    ...parts(message, ['tool-call', 'tool_use']).map((part) => text(part, 'toolCallId', 'id')),
  ].filter((id) => id !== undefined);
}

function resultIds(message: PromptMessage): string[] {
  const ids = [
    text(message, 'tool_call_id', 'toolCallId'),
    ...parts(message, ['tool-result', 'tool_result']).map((part) => text(part, 'toolCallId', 'tool_use_id')),
  ];
  return ids.filter((id) => id !== undefined);
}

function parts(message: PromptMessage, types: readonly string[]): unknown[] {
  return Array.isArray(message.content) ? message.content.filter((part: unknown) => types.includes(text(part, 'type') ?? '')) : [];
}

function text(value: unknown, ...names: readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  return names.map((name) => fields[name]).find((field) => typeof field === 'string');
}
