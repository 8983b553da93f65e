import type { NewEpisode } from '../domain/episode.ts';

/** A turn on its way in, whose id is its text. */
export function newEpisode(content: string, fields: Partial<NewEpisode> = {}): NewEpisode {
  const at = fields.at ?? '2024-03-01T09:30:00.000Z';
  return {
    id: content,
    userId: 'u',
    kind: 'message',
    role: 'user',
    content,
    at,
    createdAt: at,
    utcOffsetMinutes: 0,
    metadata: {},
    state: 'pending',
    ...fields,
  };
}
