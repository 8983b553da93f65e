import { isBearable, MemoryError } from '../errors.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { KeywordIndex } from '../ports/keyword-index.ts';
import type { VectorIndex } from '../ports/vector-index.ts';

/** What `forget` needs of the indexes. */
interface ErasableIndexes {
  readonly vectors: Pick<VectorIndex, 'ids' | 'compact'>;
  readonly keywords: Pick<KeywordIndex, 'ids' | 'compact'>;
  /** Resolves when the indexes have made every deletion up to `sequence`. */
  readonly relay: { until(sequence: number): Promise<void> };
}

/**
 * The indexes as erasure sees them where they can't be opened for the embedding model: it is away, or the file was made with another one. A
 * deletion needs no vector, so it is made in the space that the index has. An index that can't say which waits: its steps stay in the outbox.
 * @param error what opening them said
 * @throws the error, where it is not about the model or a server that is away
 */
export async function indexesWithoutModel(
  error: unknown,
  { graph, vectors, keywords }: { readonly graph: GraphStore; readonly vectors: VectorIndex; readonly keywords: KeywordIndex },
): Promise<ErasableIndexes> {
  if (!isBearable(error) && !isOfAnotherModel(error)) throw error;
  const space = await vectors.storedSpace?.();
  if (space === undefined) return outOfReach(error);
  await Promise.all([vectors.open(space), keywords.open(space)]);
  const until = async (sequence: number) => {
    const entries = (await graph.readOutbox(Number.MAX_SAFE_INTEGER)).filter((entry) => entry.operation === 'delete' && entry.sequence <= sequence);
    for (const [userId, steps] of Map.groupBy(entries, (entry) => entry.userId)) {
      const ids = steps.map((step) => step.recordId);
      for (const index of new Set([vectors, keywords])) await index.delete(userId, ids);
    }
  };
  return { vectors, keywords, relay: { until } };
}

function isOfAnotherModel(error: unknown): error is MemoryError {
  return MemoryError.isInstance(error) && (error.code === 'DIMENSION_MISMATCH' || error.code === 'EMBEDDING_MODEL_MISMATCH');
}

function outOfReach(cause: MemoryError): ErasableIndexes {
  const fail = async () => {
    throw new MemoryError('INDEX_UNAVAILABLE', `The indexes can't be opened; they follow when they can. ${cause.message}`, { cause });
  };
  return { vectors: { ids: fail }, keywords: { ids: fail }, relay: { until: fail } };
}
