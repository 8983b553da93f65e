import type { SqliteDatabase } from '@tandem-memory/sqlite';

/** Enters a fact into the adjacency rows of its entities; it must not be there. */
export function enterAdjacency(database: SqliteDatabase, fact: number): void {
  database
    .prepare(
      `INSERT INTO graph_adjacency(entity, expired, confidence, created_at, fact_id, fact, valid_at, invalid_at, expired_at)
       SELECT link.entity, fact.expired_at IS NOT NULL, fact.confidence, fact.created_at, fact.id, fact.key, fact.valid_at, fact.invalid_at,
         fact.expired_at
       FROM graph_fact fact JOIN graph_fact_entity link ON link.fact = fact.key WHERE fact.key = ?`,
    )
    .run(fact);
}

/** The rows are found by the fact's strength and state, so they leave before these change. */
export function leaveAdjacency(database: SqliteDatabase, fact: number): void {
  database
    .prepare(
      `DELETE FROM graph_adjacency WHERE (entity, expired, confidence, created_at, fact_id) IN (
         SELECT link.entity, fact.expired_at IS NOT NULL, fact.confidence, fact.created_at, fact.id
         FROM graph_fact fact JOIN graph_fact_entity link ON link.fact = fact.key WHERE fact.key = ?)`,
    )
    .run(fact);
}
