export interface TokenCounter {
  /** Name of the encoding, e.g. `o200k_base`. */
  readonly id: string;
  /** Text that spells a control token (`<|endoftext|>`) counts as ordinary text. */
  count(text: string): number;
}
