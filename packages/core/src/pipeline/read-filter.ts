import { z } from 'zod';
import { ENTITY_TYPES } from '../domain/entity.ts';
import { EPISODE_STATES } from '../domain/episode.ts';
import { metadataFilterSchema } from '../domain/metadata-filter.ts';
import { UPDATE_ACTIONS } from '../domain/update-log.ts';
import type { EntityFilter, EpisodeFilter, FactFilter, Page, UpdateFilter } from '../ports/graph-store.ts';
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

const wholeNumber = z.int('must be a whole number, 0 or more, for example 100').min(0, 'must be 0 or more; leave it out for the first 100');
const pageSchema = z.strictObject({ limit: wholeNumber, after: z.string('must be the cursor of the page before, a text').optional() });

/** @throws INPUT_INVALID naming the option: a limit that is none would be read as "all", or as nothing, by each store in its own way */
export function readPage(page: Page): Page {
  parseInput<unknown>(pageSchema, page, 'page');
  return page;
}

/** How many entries a list is to name at most. @throws INPUT_INVALID */
export function readLimit(limit: number): number {
  return parseInput(z.strictObject({ limit: wholeNumber }), { limit }, 'options').limit;
}
