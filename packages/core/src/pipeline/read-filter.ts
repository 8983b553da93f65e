import { z } from 'zod';
import { ENTITY_TYPES } from '../domain/entity.ts';
import { EPISODE_STATES } from '../domain/episode.ts';
import { metadataFilterSchema } from '../domain/metadata-filter.ts';
import { UPDATE_ACTIONS } from '../domain/update-log.ts';
import type { EntityFilter, EpisodeFilter, FactFilter, UpdateFilter } from '../ports/graph-store.ts';
import { parseInput, requireUser } from './read-input.ts';

const id = z.string().min(1).optional();
const ids = z.array(z.string()).optional();
const user = { userId: z.string() };
const FILTERS = {
  episodes: z.strictObject({
    ...user,
    agentId: id,
    sessionId: id,
    sourceId: id,
    state: z.enum(EPISODE_STATES).optional(),
    metadata: metadataFilterSchema.optional(),
  }),
  facts: z.strictObject({ ...user, entityId: id, episodeId: id, subjectId: id, objectId: id, slot: id, currentOnly: z.boolean().optional() }),
  entities: z.strictObject({ ...user, keys: ids, prefixes: ids, type: z.enum(ENTITY_TYPES).optional() }),
  updates: z.strictObject({ ...user, recordIds: ids, actions: z.array(z.enum(UPDATE_ACTIONS)).optional() }),
};

interface Filters {
  readonly episodes: EpisodeFilter;
  readonly facts: FactFilter;
  readonly entities: EntityFilter;
  readonly updates: UpdateFilter;
}

/** A condition that is not known would be none, and show more than was asked for. @throws SCOPE_REQUIRED, INPUT_INVALID naming what is wrong */
export function readFilter<Kind extends keyof Filters>(kind: Kind, filter: Filters[Kind]): Filters[Kind] {
  requireUser((filter as Filters[Kind] | undefined)?.userId);
  parseInput<unknown>(FILTERS[kind], filter, 'filter');
  return filter;
}
