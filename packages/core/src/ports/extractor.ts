import type { Episode, NewEpisode } from '../domain/episode.ts';
import type { Extraction } from '../domain/extraction.ts';
import type { Fact } from '../domain/fact.ts';

export interface ExtractionInput {
  /** The episodes to read; `episode` in the result is an index into them. */
  readonly episodes: readonly NewEpisode[];
  /** What was said just before, for reference words ("it", "there"); nothing is extracted from it. */
  readonly preceding: readonly Episode[];
  /** Facts that hold so far and may end by what is read; `replaces` in the result is an index into them. */
  readonly known?: readonly Fact[];
}

export interface Extractor {
  readonly id: string;
  /** True where reading is a pure function of the text: it can't fail for outside reasons, so the turn need not be saved beforehand. */
  readonly local: boolean;
  /** @throws MODEL_OUTPUT_UNUSABLE when no usable reply came within the bound; the errors of the language model */
  extract(input: ExtractionInput, signal?: AbortSignal): Promise<Extraction>;
}
