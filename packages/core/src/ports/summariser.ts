import type { ChatMessage } from '../domain/chat-message.ts';

export interface SummaryInput {
  /** The summary of what was said before, which the new one replaces. */
  readonly previous?: string;
  readonly messages: readonly ChatMessage[];
  /** Largest size of the result in tokens. */
  readonly maxTokens: number;
}

export interface Summariser {
  /** Who summarises, e.g. `extractive` or `model:gpt-4o-mini`. */
  readonly id: string;
  /** @throws errors of the language model; MODEL_OUTPUT_UNUSABLE for an empty reply */
  summarise(input: SummaryInput, signal?: AbortSignal): Promise<string>;
}
