import { inject } from 'vitest';
import type { QdrantAddress } from './qdrant-service.ts';

/** The Qdrant of this run. @returns undefined in a run of the other tests alone; the reason where there is none */
export function providedQdrant(): QdrantAddress | { readonly missing: string } | undefined {
  return inject('qdrant') as ReturnType<typeof inject<'qdrant'>> | undefined;
}

/** For `describe.skipIf`: the reason has been printed when the tests began. */
const provided = providedQdrant() ?? { missing: 'this run is not about Qdrant' };
export const qdrantMissing = 'missing' in provided;
export const qdrantServer: QdrantAddress = 'missing' in provided ? { url: 'http://127.0.0.1:1' } : provided;
