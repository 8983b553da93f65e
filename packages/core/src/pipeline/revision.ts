import { deriveId } from '../domain/id.ts';
import type { Metadata } from '../domain/json.ts';
import type { Update } from '../domain/update-log.ts';

export const METADATA_CHANGED = 'the metadata was changed';
export const TEXT_CHANGED = 'the text was changed';

/** The entry of the update log for a change that the caller made of a record. */
export function revision(
  { userId, id }: { readonly userId: string; readonly id: string },
  kind: Update['kind'],
  at: string,
  reason: string,
  texts?: { readonly before: string; readonly after: string },
): Update {
  return {
    id: deriveId(userId, 'update', 'revise', id, at, reason, texts?.before, texts?.after),
    userId,
    action: 'revise',
    kind,
    recordId: id,
    actor: 'caller',
    reason,
    at,
    ...texts,
  };
}

/** Whether both say the same, in whatever order. */
export function sameJson(a: Metadata, b: Metadata): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
