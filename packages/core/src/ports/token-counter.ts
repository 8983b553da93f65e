export interface TokenCounter {
  /** Name of the encoding, e.g. `o200k_base`. */
  readonly id: string;
  /** True where the counts of whole lines that begin with `[` add up to the count of the text they make, as in the byte-pair encodings of OpenAI's models. */
  readonly addsUpByLine?: boolean;
  /** Text that spells a control token (`<|endoftext|>`) counts as ordinary text. */
  count(text: string): number;
}
