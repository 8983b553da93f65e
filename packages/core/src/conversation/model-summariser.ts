import type { ChatMessage } from '../domain/chat-message.ts';
import { MemoryError } from '../errors.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { Summariser, SummaryInput } from '../ports/summariser.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { messageTokens } from './message-tokens.ts';
import { shortenText } from './shorten.ts';
import { summaryPrompt } from './summary-prompt.ts';

export interface ModelSummariserOptions {
  readonly counter: TokenCounter;
  /** Tokens of messages shown in one call; more are summarised in several, each taking in the summary so far. Default 8,000. */
  readonly maxInputTokens?: number;
}

/** Models that think aloud count their thoughts as output. */
const ROOM_FOR_THOUGHT = 4;

/** Summarises with a language model. The texts are data to it; see `summaryPrompt`. */
export function modelSummariser(model: LanguageModel, options: ModelSummariserOptions): Summariser {
  const { counter } = options;
  const maxInputTokens = options.maxInputTokens ?? 8_000;
  return {
    id: `model:${model.modelId}`,
    async summarise(input: SummaryInput, signal?: AbortSignal): Promise<string> {
      let summary = input.previous;
      for (const messages of batches(input.messages, maxInputTokens, counter)) {
        const part: SummaryInput = { messages, maxTokens: input.maxTokens, ...(summary === undefined ? {} : { previous: summary }) };
        const reply = await model.generate({ messages: summaryPrompt(part), maxOutputTokens: input.maxTokens * ROOM_FOR_THOUGHT }, signal);
        const text = withoutThoughts(reply.text);
        if (text === '' || reply.finishReason === 'refusal') {
          throw new MemoryError('MODEL_OUTPUT_UNUSABLE', `The model ${model.modelId} gave no summary. Try again, or choose another model.`);
        }
        summary = shortenText(text, input.maxTokens, counter) ?? '';
      }
      return summary ?? '';
    },
  };
}

function withoutThoughts(text: string): string {
  return text
    .replace(/<think>[\s\S]*?(?:<\/think>|$)/g, '')
    .replace(/^[\s\S]*<\/think>/, '')
    .trim();
}

function batches(messages: readonly ChatMessage[], maxTokens: number, counter: TokenCounter): ChatMessage[][] {
  const result: ChatMessage[][] = [];
  let used = 0;
  for (const message of messages) {
    const whole = messageTokens(message, counter);
    const content = whole <= maxTokens ? undefined : shortenText(message.content, maxTokens, counter);
    const tokens = Math.min(whole, maxTokens);
    const current = result.at(-1);
    const next = content === undefined ? message : { ...message, content };
    if (current === undefined || used + tokens > maxTokens) {
      result.push([next]);
      used = tokens;
    } else {
      current.push(next);
      used += tokens;
    }
  }
  return result;
}
