import type { Timestamp } from './time.ts';

/** The closed set of entity types; also the only labels that ever reach a graph database. */
export const ENTITY_TYPES = ['person', 'organization', 'place', 'product', 'object', 'event', 'concept', 'document', 'other'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];
export const DEFAULT_ENTITY_TYPE: EntityType = 'other';

export interface Entity {
  readonly id: string;
  readonly userId: string;
  /** The first spelling met, character for character. */
  readonly name: string;
  /** Normal form of the name (see `normalForm`): what equality is decided on. */
  readonly key: string;
  /** Other spellings met, without `name`. */
  readonly aliases: readonly string[];
  readonly type: EntityType;
  /** The model's own word for the type where it is not one of ours. */
  readonly typeLabel?: string;
  readonly createdAt: Timestamp;
}
