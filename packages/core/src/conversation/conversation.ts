import { randomUUID } from 'node:crypto';
import PQueue from 'p-queue';
import type { ChatMessage } from '../domain/chat-message.ts';
import type { Context } from '../domain/context.ts';
import type { RetrieveOptions } from '../domain/retrieve-options.ts';
import { MemoryError } from '../errors.ts';
import type { ChatMemoryStore, ConversationEntry, ConversationId } from '../ports/chat-memory-store.ts';
import type { Summariser } from '../ports/summariser.ts';
import { archiveMessages } from './archive.ts';
import { type ConversationOptions, type ConversationPlan, planConversation } from './conversation-options.ts';
import { closedEnd, cutPosition, isDue, lastTurn } from './cut.ts';
import { extractiveSummariser } from './extractive-summariser.ts';
import { InMemoryChatStore } from './in-memory-chat-store.ts';
import { messageTokens } from './message-tokens.ts';
import { readChatMessage } from './read-message.ts';
import { shortenText } from './shorten.ts';
import { type ConversationState, readState } from './state.ts';
import { summaryMessage } from './summary-message.ts';
import { selectWindow, type WindowView } from './window.ts';

/** What came of a step. A model or memory that fails loses no message: it is said here, and tried again with the next step. */
export interface ConversationReport {
  /** Messages that are new; a repeated system message or id is not. */
  readonly added: number;
  /** Messages that the summary took in. */
  readonly summarised: number;
  /** Messages brought to the long-term memory. */
  readonly archived: number;
  /** What failed, in words. */
  readonly degraded: readonly string[];
}

export interface CompactReport extends ConversationReport {
  /** Tokens of all messages beside the system message, before and after, summary included. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export type RecallOptions = Omit<RetrieveOptions, 'userId'>;

/**
 * Scores are not cosines: a match by meaning alone scores about 1.5 times its cosine, a match by words more. On the sample this keeps every
 * piece of evidence that stands among the first five (docs/conversation.md).
 */
const RECALL_THRESHOLD = 0.6;
const RECALL_TOP_K = 5;

/**
 * A conversation: everything that was said, the part of it that a model is shown, a summary of what came before, and the way to the long-term
 * memory and back. Several objects, also in several processes, may write the same conversation; each step reads what the others wrote.
 */
export class Conversation {
  readonly id: ConversationId;
  readonly #options: ConversationOptions;
  readonly #plan: ConversationPlan;
  readonly #store: ChatMemoryStore;
  readonly #fallback: Summariser;
  /** Steps run one after the other, so that unawaited calls keep their order. */
  readonly #steps = new PQueue({ concurrency: 1 });

  /** @throws SCOPE_REQUIRED, CONFIG_INVALID */
  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#plan = planConversation(options);
    this.#store = options.store ?? new InMemoryChatStore();
    this.#fallback = extractiveSummariser(options.counter);
    this.id = { userId: options.userId, sessionId: this.#plan.sessionId };
  }

  /**
   * Adds messages, which are then durable in the store, and summarises and archives what is due.
   * @throws INPUT_INVALID, errors of the store, and ABORTED, which stops the summary and not the adding
   */
  async add(messages: ChatMessage | readonly ChatMessage[], signal?: AbortSignal): Promise<ConversationReport> {
    const list: readonly unknown[] = Array.isArray(messages) ? messages : [messages];
    const now = (this.#options.clock?.now() ?? new Date()).toISOString();
    const read = list.map((message, index) => ({ at: now, ...readChatMessage(message, `messages[${index}]`) }));
    return this.#step(async () => {
      const state = await this.#load();
      const fresh = newMessages(read, state);
      const entries = fresh.map((message): ConversationEntry => ({ type: 'message', message }));
      if (entries.length > 0) await this.#store.update(this.id, [...start(state), ...entries]);
      return this.#settle(fresh.length, signal);
    });
  }

  /** The messages for a model, within the window: system message, summary, then whole messages. @throws BUDGET_TOO_SMALL */
  async messages(): Promise<readonly ChatMessage[]> {
    return (await this.view()).messages;
  }

  /** The same with tokens, and with what is not shown and why. @throws BUDGET_TOO_SMALL */
  async view(): Promise<WindowView> {
    return this.#step(async () => this.#view(await this.#load()));
  }

  /** Everything that was said, word for word, also what left the window: the newest system message first. */
  async history(): Promise<readonly ChatMessage[]> {
    const { system, messages } = await this.#step(() => this.#load());
    return system === undefined ? messages : [system.message, ...messages];
  }

  /** The summary as it stands. */
  async summary(): Promise<string | undefined> {
    return (await this.#step(() => this.#load())).summary?.text;
  }

  /** Brings all that was said and is not there yet to the long-term memory, now. @throws CONFIG_INVALID without `memory` */
  async remember(signal?: AbortSignal): Promise<ConversationReport> {
    this.#memory();
    return this.#step(async () => {
      const state = await this.#load();
      return this.#archive(state, state.messages.length, 'turns', signal);
    });
  }

  /**
   * Recalls from the user's whole long-term memory, without the turns that the window shows anyway.
   * @param query Default: the last user message
   * @param options Defaults: `topK` 5, `threshold` 0.6
   * @throws CONFIG_INVALID without `memory`, INPUT_EMPTY, and errors of `retrieve()`
   */
  async recall(query?: string, options: RecallOptions = {}): Promise<Context> {
    const memory = this.#memory();
    const state = await this.#step(() => this.#load());
    const text = query ?? state.messages.findLast((message) => message.role === 'user')?.content ?? '';
    const exclude = this.#view(state).shown.flatMap((position) => state.episodes.get(position) ?? []);
    const { userId } = this.id;
    const agentId = this.#options.agentId;
    return memory.retrieve(text, {
      topK: RECALL_TOP_K,
      threshold: RECALL_THRESHOLD,
      ...(agentId === undefined ? {} : { agentId }),
      ...(exclude.length === 0 ? {} : { exclude }),
      ...options,
      userId,
    });
  }

  /** Summarises now, due or not: all but what `summary` keeps, or where that is everything, all but the last turn. */
  async compact(signal?: AbortSignal): Promise<CompactReport> {
    return this.#step(async () => {
      const before = await this.#load();
      const degraded: string[] = [];
      const summarised = await this.#summarise(before, true, degraded, signal);
      const report = await this.#settle(0, signal);
      return {
        ...report,
        summarised: summarised + report.summarised,
        degraded: [...degraded, ...report.degraded],
        tokensBefore: this.#size(before),
        tokensAfter: this.#size(await this.#load()),
      };
    });
  }

  /** Deletes the conversation from its store, summary included. What is in the long-term memory stays there. */
  async clear(): Promise<void> {
    await this.#step(() => this.#store.delete(this.id));
  }

  #step<T>(work: () => Promise<T>): Promise<T> {
    return this.#steps.add(work) as Promise<T>;
  }

  async #load(): Promise<ConversationState> {
    return readState(await this.#store.get(this.id));
  }

  #memory(): NonNullable<ConversationOptions['memory']> {
    if (this.#options.memory !== undefined) return this.#options.memory;
    throw new MemoryError('CONFIG_INVALID', 'This conversation has no long-term memory. Give createConversation() the option `memory`.');
  }

  #view(state: ConversationState): WindowView {
    const covers = state.summary?.covers ?? 0;
    const view = selectWindow(
      {
        messages: state.messages.slice(covers),
        ...(state.system === undefined ? {} : { system: { ...state.system, position: state.system.position - covers } }),
        ...shownSummary(state),
      },
      this.#plan.window,
      this.#options.counter,
    );
    return {
      ...view,
      shown: view.shown.map((position) => position + covers),
      shortened: view.shortened.map((position) => position + covers),
      omitted: view.omitted.map((item) => ({ ...item, position: item.position + covers })),
    };
  }

  #size(state: ConversationState): number {
    const { counter } = this.#options;
    const { summary } = shownSummary(state);
    const messages = state.messages.slice(state.summary?.covers ?? 0);
    return (summary === undefined ? messages : [summary, ...messages]).reduce((sum, message) => sum + messageTokens(message, counter), 0);
  }

  /** Summarises and archives what is due. */
  async #settle(added: number, signal: AbortSignal | undefined): Promise<ConversationReport> {
    const degraded: string[] = [];
    const { counter, summary, archive } = this.#options;
    let state = await this.#load();
    let summarised = 0;
    if (summary !== undefined && isDue(state.messages.slice(state.summary?.covers ?? 0), this.#plan.summary, counter)) {
      summarised = await this.#summarise(state, false, degraded, signal);
      if (summarised > 0) state = await this.#load();
    }
    if (archive === undefined) return { added, summarised, archived: 0, degraded };
    const report = await this.#archive(state, this.#archiveEnd(state), this.#plan.archive?.what ?? 'summary', signal);
    return { added, summarised, archived: report.archived, degraded: [...degraded, ...report.degraded] };
  }

  /**
   * A model that fails is stood in for by the extractive summariser: the messages have to leave all the same. Where that was not due but asked
   * for, they stay unless the summary is shorter than they are.
   */
  async #summarise(state: ConversationState, forced: boolean, degraded: string[], signal: AbortSignal | undefined): Promise<number> {
    const { counter, summary } = this.#options;
    const { epoch } = state;
    const covers = state.summary?.covers ?? 0;
    const open = state.messages.slice(covers);
    const cut = cutPosition(open, this.#plan.summary, counter) || (forced ? lastTurn(open) : 0);
    if (cut === 0 || epoch === undefined) return 0;
    const replaced = this.#size({ ...state, messages: state.messages.slice(0, covers + cut) });
    const worthwhile = replaced - messageTokens(summaryMessage(''), counter) - 1;
    const maxTokens = forced ? Math.min(this.#plan.summary.maxTokens, worthwhile) : this.#plan.summary.maxTokens;
    if (maxTokens < 1) return 0;
    const input = { messages: open.slice(0, cut), maxTokens, ...(state.summary === undefined ? {} : { previous: state.summary.text }) };
    let summariser = summary?.summariser ?? this.#fallback;
    const made = await summariser
      .summarise(input, signal)
      .then(requireText)
      .catch((error: unknown) => {
        degraded.push(`summary without a model (${failure(error)})`);
        summariser = this.#fallback;
        return summariser.summarise(input);
      });
    // A summariser of the caller's own may take no notice of the limit, and none counts the text as it is shown.
    const shown = { id: counter.id, count: (part: string) => messageTokens(summaryMessage(part), counter) };
    const text = shortenText(made, maxTokens + shown.count(''), shown) ?? '';
    if (forced && (text === '' || shown.count(text) >= replaced)) return 0;
    // The model took its time: where the talk was cleared meanwhile, nothing of it may come back, not even unread.
    if ((await this.#load()).epoch !== epoch) return 0;
    await this.#store.update(this.id, [{ type: 'summary', epoch, covers: covers + cut, text, by: summariser.id }]);
    return cut;
  }

  /** What has left the window or is summarised; every so many turns, all turns that are over. */
  #archiveEnd(state: ConversationState): number {
    let end = state.summary?.covers ?? 0;
    try {
      const { shown } = selectWindow(
        // What is archived already can only be further back.
        { messages: state.messages.slice(state.archivedUpTo), ...(state.system === undefined ? {} : { system: state.system }) },
        { ...this.#plan.window, keep: 'newest' },
        this.#options.counter,
      );
      end = Math.max(end, state.archivedUpTo + (shown[0] ?? 0));
    } catch (error) {
      // Reading says that the window is too small; adding goes on.
      if (!MemoryError.isInstance(error) || error.code !== 'BUDGET_TOO_SMALL') throw error;
    }
    const everyTurns = this.#plan.archive?.everyTurns;
    if (everyTurns === undefined) return end;
    const closed = closedEnd(state.messages);
    const turns = state.messages.slice(state.archivedUpTo, closed).filter((message) => message.role === 'user').length;
    return turns >= everyTurns ? Math.max(end, closed) : end;
  }

  async #archive(
    state: ConversationState,
    end: number,
    what: 'summary' | 'turns' | 'both',
    signal: AbortSignal | undefined,
  ): Promise<ConversationReport> {
    const { epoch, archivedUpTo: from } = state;
    const { memory, agentId, archive, summary } = this.#options;
    if (epoch === undefined || memory === undefined || end <= from) return { added: 0, summarised: 0, archived: 0, degraded: [] };
    const scope = { ...this.id, ...(agentId === undefined ? {} : { agentId }) };
    const summariser = archive?.summariser ?? summary?.summariser ?? this.#fallback;
    try {
      const episodes = await archiveMessages(
        { scope, epoch, from, messages: state.messages.slice(from, end), what },
        { memory, summariser, summaryTokens: this.#plan.summary.maxTokens },
        signal,
      );
      await this.#store.update(this.id, [{ type: 'archived', epoch, upTo: end, episodes }]);
      return { added: 0, summarised: 0, archived: end - from, degraded: [] };
    } catch (error) {
      return { added: 0, summarised: 0, archived: 0, degraded: [`not archived yet (${failure(error)})`] };
    }
  }
}

/** Nothing where there is no word to show. */
function shownSummary({ summary }: ConversationState): { readonly summary?: ChatMessage } {
  return summary === undefined || summary.text === '' ? {} : { summary: summaryMessage(summary.text) };
}

function requireText(text: unknown): string {
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw new MemoryError('MODEL_OUTPUT_UNUSABLE', 'The summariser gave no text.');
}

/** What failed, in a word; the text of an error of somebody else's code may hold anything. An abort is thrown on. */
function failure(error: unknown): string {
  if (MemoryError.isInstance(error) && error.code !== 'ABORTED') return error.code;
  if (!(error instanceof Error) || MemoryError.isInstance(error) || error.name === 'AbortError') throw error;
  return error.name;
}

function start(state: ConversationState): readonly ConversationEntry[] {
  return state.epoch === undefined ? [{ type: 'start', epoch: randomUUID() }] : [];
}

function newMessages(read: readonly ChatMessage[], state: ConversationState): readonly ChatMessage[] {
  const ids = new Set(state.ids);
  let system = state.system?.message.content;
  return read.filter((message) => {
    if (message.id !== undefined && ids.has(message.id)) return false;
    if (message.role === 'system' && message.content === system) return false;
    if (message.id !== undefined) ids.add(message.id);
    if (message.role === 'system') system = message.content;
    return true;
  });
}

/** A conversation with a window, and as far as the options say with a summary and a long-term memory. */
export function createConversation(options: ConversationOptions): Conversation {
  return new Conversation(options);
}
