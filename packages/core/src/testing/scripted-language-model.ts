import type { GenerateReply, GenerateRequest, LanguageModel } from '../ports/language-model.ts';

export type ScriptedReply = string | Partial<GenerateReply> | Error | ((request: GenerateRequest) => string | Promise<string>);

/** A language model that answers from a script, in order, and keeps what it was asked. The last reply repeats. */
export class ScriptedLanguageModel implements LanguageModel {
  readonly modelId = 'scripted';
  readonly requests: GenerateRequest[] = [];
  readonly #replies: readonly ScriptedReply[];

  constructor(replies: readonly ScriptedReply[]) {
    if (replies.length === 0) throw new Error('A scripted model needs at least one reply.');
    this.#replies = replies;
  }

  async generate(request: GenerateRequest): Promise<GenerateReply> {
    const reply = this.#replies[Math.min(this.requests.length, this.#replies.length - 1)];
    this.requests.push(request);
    if (reply instanceof Error) throw reply;
    const content = typeof reply === 'function' ? await reply(request) : reply;
    const plain: GenerateReply = { text: '', finishReason: 'stop', inputTokens: 0, outputTokens: 0 };
    return typeof content === 'string' ? { ...plain, text: content } : { ...plain, ...content };
  }
}
