import type { RecordKind } from './change-set.ts';

export interface RetrieveOptions {
  readonly userId: string;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly sourceId?: string;
  /** Largest number of tokens of the packed text. Default 2,000. */
  readonly budget?: number;
  /** Largest number of items. Default: as many as the budget holds, at most 50. 0 gives none. */
  readonly topK?: number;
  /** Smallest score to return. Scores are comparable between questions of one embedding model; there is no default. */
  readonly threshold?: number;
  /** Hops through the graph, 0 (graph off) to 2. Default 2. */
  readonly hops?: 0 | 1 | 2;
  /** Only raw turns, or only facts. */
  readonly kinds?: readonly RecordKind[];
  /** Only what was said or held from then on (inclusive), and before then (exclusive): ISO 8601. */
  readonly since?: string | Date;
  readonly until?: string | Date;
  /** As the world was at that moment: nothing said later, facts that held then. ISO 8601. */
  readonly asOf?: string | Date;
  /** As the record was at that moment: nothing stored later, ends that were learned later not known. ISO 8601. */
  readonly recordedAsOf?: string | Date;
  readonly signal?: AbortSignal;
}
