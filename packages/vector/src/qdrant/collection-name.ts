import { createHash } from 'node:crypto';
import type { VectorSpace } from '@tandem-memory/core';

/**
 * Name of a collection: `<prefix>--<model, readable>--<hash of the model's id>--<generation>`. One collection for each embedding model; the
 * generation counts the rebuilds. The readable part is for people, the hash for comparing.
 */
export function collectionName(prefix: string, space: VectorSpace, generation: number): string {
  return `${prefix}--${readable(space.modelId)}--${modelHash(space.modelId)}--${generation}`;
}

export interface CollectionIdentity {
  /** The model's id as far as a name can hold it. */
  readonly model: string;
  readonly hash: string;
  readonly generation: number;
}

/** @returns undefined where the name is none of ours */
export function readName(prefix: string, name: string): CollectionIdentity | undefined {
  if (!name.startsWith(`${prefix}--`)) return undefined;
  const match = /^(.*)--([0-9a-f]{12})--(\d+)$/.exec(name.slice(prefix.length + 2));
  return match === null ? undefined : { model: match[1] ?? '', hash: match[2] ?? '', generation: Number(match[3]) };
}

export function modelHash(modelId: string): string {
  return createHash('sha256').update(modelId).digest('hex').slice(0, 12);
}

/** Letters that every file system and URL takes; Qdrant makes a folder of the name. */
function readable(modelId: string): string {
  return modelId.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80);
}
