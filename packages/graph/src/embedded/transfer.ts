import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { enterAdjacency, leaveAdjacency } from './adjacency.ts';

/** What a fact is about and rests on, by key. */
export interface PlacementKeys {
  readonly fact: number;
  readonly subject: number | null;
  readonly object: number | null;
  readonly entities: readonly number[];
  readonly evidence: readonly number[];
  readonly validAt: number | null;
}

/** Puts one entity in the place of another. Degrees are counted anew, so it comes last. */
export function transfer(database: SqliteDatabase, from: number, to: number): void {
  const all = database.prepare('SELECT DISTINCT fact AS key FROM graph_adjacency WHERE entity = ?').all(from);
  const put = (entity: number) => (entity === from ? to : entity);
  for (const fact of all.map((row) => Number(row['key']))) {
    relink(database, fact, linked(database, fact).map(put), () => {
      for (const end of ['subject', 'object']) database.prepare(`UPDATE graph_fact SET ${end} = ? WHERE key = ? AND ${end} = ?`).run(to, fact, from);
    });
  }
  database
    .prepare(
      `UPDATE OR IGNORE graph_mention SET entity = :to, spelling = nullif(coalesce(spelling, (SELECT name FROM graph_entity WHERE key = :from)),
         (SELECT name FROM graph_entity WHERE key = :to)) WHERE entity = :from`,
    )
    .run({ from, to });
  for (const table of ['graph_mention', 'graph_entity_key']) database.prepare(`DELETE FROM ${table} WHERE entity = ?`).run(from);
  database.prepare('DELETE FROM graph_entity WHERE key = ?').run(from);
  countDegrees(database, [to]);
}

/** Degrees are counted anew here too. */
export function place(database: SqliteDatabase, { fact, subject, object, entities, evidence, validAt }: PlacementKeys): void {
  const before = linked(database, fact);
  relink(database, fact, entities, () => {
    database.prepare('UPDATE graph_fact SET subject = ?, object = ?, valid_at = ? WHERE key = ?').run(subject, object, validAt, fact);
  });
  database.prepare('DELETE FROM graph_fact_evidence WHERE fact = ?').run(fact);
  const state = database.prepare('INSERT INTO graph_fact_evidence(fact, ordinal, episode) VALUES (?, ?, ?)');
  for (const [ordinal, episode] of evidence.entries()) state.run(fact, ordinal, episode);
  countDegrees(database, [...before, ...entities]);
}

function linked(database: SqliteDatabase, fact: number): number[] {
  const rows = database.prepare('SELECT entity FROM graph_fact_entity WHERE fact = ? ORDER BY ordinal').all(fact);
  return rows.map((row) => Number(row['entity']));
}

function relink(database: SqliteDatabase, fact: number, entities: readonly number[], change: () => void): void {
  leaveAdjacency(database, fact);
  database.prepare('DELETE FROM graph_fact_entity WHERE fact = ?').run(fact);
  const link = database.prepare('INSERT INTO graph_fact_entity(fact, ordinal, entity) VALUES (?, ?, ?)');
  for (const [ordinal, entity] of [...new Set(entities)].entries()) link.run(fact, ordinal, entity);
  change();
  enterAdjacency(database, fact);
}

function countDegrees(database: SqliteDatabase, entities: readonly number[]): void {
  const count = database.prepare(
    `UPDATE graph_entity SET degree = (SELECT count(*) FROM graph_adjacency WHERE entity = graph_entity.key)
       + (SELECT count(*) FROM graph_mention WHERE entity = graph_entity.key) WHERE key = ?`,
  );
  for (const entity of new Set(entities)) count.run(entity);
}
