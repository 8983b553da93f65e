import { createHash } from 'node:crypto';
import type { Schemas } from '@qdrant/js-client-rest';
import type { QdrantConnection } from './connection.ts';

const PAGE = 200;

/** What was copied: point ids with a digest of what they held. */
export type CopiedPoints = ReadonlyMap<string, string>;

/**
 * Copies all points of a collection as they are, vectors and payload; with `known` only what changed since, and deletes in the copy what is
 * no longer in the original.
 */
export async function copyPoints(connection: QdrantConnection, from: string, to: string, known?: CopiedPoints): Promise<CopiedPoints> {
  const met = new Map<string, string>();
  for (let offset: Schemas['ExtendedPointId'] | undefined; ; ) {
    const page = await connection.read(from, (api, init) =>
      api.scrollPoints(
        { collection_name: from, limit: PAGE, with_payload: true, with_vector: true, ...(offset === undefined ? {} : { offset }) },
        init,
      ),
    );
    const points: Schemas['PointStruct'][] = [];
    for (const { id, payload, vector } of page.points) {
      const digest = createHash('sha256').update(JSON.stringify(payload)).digest('base64');
      met.set(String(id), digest);
      if (known?.get(String(id)) !== digest) points.push({ id, vector: (vector ?? {}) as Schemas['VectorStruct'], ...(payload ? { payload } : {}) });
    }
    if (points.length > 0) await connection.write(to, (api, init) => api.upsertPoints({ collection_name: to, wait: true, points }, init));
    const next = page.next_page_offset;
    if (typeof next !== 'string' && typeof next !== 'number') break;
    offset = next;
  }
  const gone = [...(known?.keys() ?? [])].filter((id) => !met.has(id));
  if (gone.length > 0) await connection.write(to, (api, init) => api.deletePoints({ collection_name: to, wait: true, points: gone }, init));
  return met;
}
