import type { MetadataFilter } from './metadata-filter.ts';
import type { RecordKind } from './record-kind.ts';

export interface RetrieveOptions {
  readonly userId: string;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly sourceId?: string;
  /** Largest number of tokens of the packed text. Default 2,000. */
  readonly budget?: number;
  /** Largest number of items. Default: as many as the budget holds, at most 50. 0 gives none. */
  readonly topK?: number;
  /**
   * Smallest score to return; applied before `topK`, and 0 is a threshold like any other. There is no default. The score is
   * `cosine + w * keyword share` and what rerank adds (`parts`); it means the same from one question to the next, not from one
   * embedding model to another. A larger score is always a better match.
   */
  readonly threshold?: number;
  /** Order of the items in the text; which are taken is decided by relevance all the same. Default `relevance`. */
  readonly order?: 'relevance' | 'time';
  /** Fold what one speaker said twice in almost the same words. Equal texts are folded in any case. Default true. */
  readonly foldNearDuplicates?: boolean;
  /** 0 (default) to 1: prefer memories that are unlike those above them (maximal marginal relevance), for overviews. Costs recall. */
  readonly diversity?: number;
  /** Cut the best memory at the end of a sentence where none fits the budget whole. Default true. */
  readonly shorten?: boolean;
  /**
   * Have the language model take the question apart, and search for each part too: for questions that need several memories. One call of the
   * model and a search a part. Default false.
   */
  readonly decompose?: boolean;
  /** Hops through the graph, 0 (graph off) to 2. Default 2. */
  readonly hops?: 0 | 1 | 2;
  /** Only turns that were stored with these metadata: each name with this value, or a list with it. Facts have none, and are left out. */
  readonly metadata?: MetadataFilter;
  /** Only raw turns, or only facts. */
  readonly kinds?: readonly RecordKind[];
  /** Only what was said or held from then on (inclusive), and before then (exclusive): ISO 8601. */
  readonly since?: string | Date;
  readonly until?: string | Date;
  /** As the world was at that moment: nothing said later, facts that held then. ISO 8601. */
  readonly asOf?: string | Date;
  /** Ids of episodes to leave out, with the facts that rest on them alone: what the prompt holds anyway. */
  readonly exclude?: readonly string[];
  /** As the record was at that moment: nothing stored later, ends that were learned later not known. ISO 8601. */
  readonly recordedAsOf?: string | Date;
  readonly signal?: AbortSignal;
}
