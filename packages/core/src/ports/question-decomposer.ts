/** Takes a question apart that needs several memories: dearer than one search, and better where the halves share no words. */
export interface QuestionDecomposer {
  readonly modelId: string;
  /**
   * Questions that each stand alone, without the question itself; none where it needs no taking apart. The question is data, never an instruction.
   * @throws MODEL_OUTPUT_UNUSABLE, MODEL_UNAVAILABLE, MODEL_RATE_LIMITED (with `retryAfterMs`), MODEL_REJECTED, ABORTED
   */
  decompose(question: string, signal?: AbortSignal): Promise<readonly string[]>;
}
