import {
  type ChatMessage,
  type Context,
  type Conversation,
  type LanguageModel,
  type Memory,
  MemoryError,
  type ModelMessage,
  messageTokens,
  type TokenCounter,
  toModelMessages,
} from '@tandem-memory/core';

/** Tokens of one prompt by what they are spent on. */
export interface ChatTokens {
  readonly system: number;
  readonly memory: number;
  readonly summary: number;
  readonly history: number;
  readonly reply: number;
  readonly total: number;
  /** The model's context window. */
  readonly window: number;
}

export interface ChatTurn {
  /** Undefined where there is no model to answer. */
  readonly answer: string | undefined;
  /** Undefined where the memory could not be asked; `degraded` says why. */
  readonly recalled: Context | undefined;
  readonly tokens: ChatTokens;
  /** What the model was shown. */
  readonly prompt: readonly ModelMessage[];
  readonly degraded: readonly string[];
}

export interface ChatParts {
  readonly memory: Memory;
  readonly conversation: Conversation;
  readonly model: LanguageModel | undefined;
  readonly counter: TokenCounter;
  readonly budgets: { readonly window: number; readonly memory: number; readonly reply: number };
  readonly resources: readonly { close(): void }[];
}

/** A chat with memory: recall, answer, remember. `openChat` puts it together. */
export class Chat implements AsyncDisposable {
  readonly memory: Memory;
  readonly conversation: Conversation;
  readonly model: LanguageModel | undefined;
  readonly #parts: ChatParts;
  /** Remembering may ask a model; it goes on while the user reads the answer. Gives what failed. */
  #remembering: Promise<readonly string[]> = Promise.resolve([]);

  constructor(parts: ChatParts) {
    this.#parts = parts;
    this.memory = parts.memory;
    this.conversation = parts.conversation;
    this.model = parts.model;
  }

  /**
   * One turn: the pieces of the answer as they come, then all about it. The message is kept also where the model fails.
   * @throws errors of the model and of the store; BUDGET_TOO_SMALL
   */
  async *send(text: string, signal?: AbortSignal): AsyncGenerator<string, ChatTurn, undefined> {
    const { budgets, counter } = this.#parts;
    const degraded = [...(await this.settled())];
    const added = await this.conversation.add({ role: 'user', content: text }, signal);
    degraded.push(...added.degraded);
    const recalled = await this.#recall(text, degraded, signal);
    const view = await this.conversation.view();
    const memory: readonly ChatMessage[] = recalled === undefined || recalled.text === '' ? [] : [{ role: 'user', content: recalled.text }];
    const systemCount = view.messages[0]?.role === 'system' ? 1 : 0;
    // Recalled text stands with what users say, never in the system message: it is data.
    const prompt = toModelMessages([...view.messages.slice(0, systemCount), ...memory, ...view.messages.slice(systemCount)]);

    let answer: string | undefined;
    if (this.model !== undefined) {
      answer = yield* this.#answer(this.model, prompt, budgets.reply, signal);
      if (answer.trim() === '') throw new MemoryError('MODEL_OUTPUT_UNUSABLE', `The model ${this.model.modelId} answered with nothing. Try again.`);
      degraded.push(...(await this.conversation.add({ role: 'assistant', content: answer })).degraded);
    }
    this.#remembering = this.#remember();
    const parts = {
      system: view.tokens.system,
      memory: memory.reduce((sum, message) => sum + messageTokens(message, counter), 0),
      summary: view.tokens.summary,
      history: view.tokens.messages,
      reply: answer === undefined ? 0 : counter.count(answer),
    };
    const total = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0);
    return { answer, recalled, tokens: { ...parts, total, window: budgets.window }, prompt, degraded };
  }

  /** Begins the conversation anew, with the same system message. What is in the long-term memory stays. */
  async clear(): Promise<void> {
    await this.settled();
    const system = (await this.conversation.history()).find((message) => message.role === 'system');
    await this.conversation.clear();
    if (system !== undefined) await this.conversation.add({ role: 'system', content: system.content });
  }

  /** Resolves when the last turn is in the long-term memory; gives what failed on the way, in words. */
  async settled(): Promise<readonly string[]> {
    const failures = await this.#remembering;
    this.#remembering = Promise.resolve([]);
    return failures;
  }

  /** Waits for what is under way, then closes the memory. */
  async close(): Promise<void> {
    await this.#remembering;
    await this.memory.close();
    for (const resource of this.#parts.resources) resource.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #recall(text: string, degraded: string[], signal: AbortSignal | undefined): Promise<Context | undefined> {
    try {
      const recalled = await this.conversation.recall(text, {
        budget: this.#parts.budgets.memory,
        // Without a model nobody is shown the window, so what it holds is recalled like the rest.
        ...(this.model === undefined ? { exclude: [] } : {}),
        ...(signal === undefined ? {} : { signal }),
      });
      degraded.push(...recalled.degraded);
      return recalled;
    } catch (error) {
      if (!MemoryError.isInstance(error) || error.code === 'ABORTED') throw error;
      // Without memory the chat still goes on; it says so.
      degraded.push(`nothing recalled (${error.code})`);
      return undefined;
    }
  }

  async #remember(): Promise<readonly string[]> {
    try {
      return (await this.conversation.remember()).degraded;
    } catch (error) {
      // Nobody awaits this before the next turn, so nothing may be thrown here.
      return [`not remembered yet (${MemoryError.isInstance(error) ? error.code : String((error as Error | undefined)?.name)})`];
    }
  }

  async *#answer(
    model: LanguageModel,
    messages: readonly ModelMessage[],
    maxOutputTokens: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<string, string, undefined> {
    const request = { messages, maxOutputTokens };
    if (model.stream !== undefined) return (yield* model.stream(request, signal)).text;
    const { text } = await model.generate(request, signal);
    yield text;
    return text;
  }
}
