import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { enterAdjacency, leaveAdjacency } from './adjacency.ts';

export interface TransferKeys {
  readonly from: number;
  readonly to: number;
  /** Undefined: all, and what is left of the first goes. */
  readonly facts: readonly number[] | undefined;
}

/** Puts one entity in the place of another, in facts and, where all is meant, in mentions. Degrees are counted anew, so it comes last. */
export function transfer(database: SqliteDatabase, { from, to, facts }: TransferKeys): void {
  const all = database.prepare('SELECT DISTINCT fact AS key FROM graph_adjacency WHERE entity = ?');
  for (const fact of facts ?? all.all(from).map((row) => Number(row['key']))) transferFact(database, fact, from, to);
  if (facts === undefined) {
    database
      .prepare(
        `UPDATE OR IGNORE graph_mention SET entity = :to, spelling = nullif(coalesce(spelling, (SELECT name FROM graph_entity WHERE key = :from)),
           (SELECT name FROM graph_entity WHERE key = :to)) WHERE entity = :from`,
      )
      .run({ from, to });
    for (const table of ['graph_mention', 'graph_entity_key']) database.prepare(`DELETE FROM ${table} WHERE entity = ?`).run(from);
    database.prepare('DELETE FROM graph_entity WHERE key = ?').run(from);
  }
  const count = database.prepare(
    `UPDATE graph_entity SET degree = (SELECT count(*) FROM graph_adjacency WHERE entity = graph_entity.key)
       + (SELECT count(*) FROM graph_mention WHERE entity = graph_entity.key) WHERE key = ?`,
  );
  for (const entity of [from, to]) count.run(entity);
}

function transferFact(database: SqliteDatabase, fact: number, from: number, to: number): void {
  leaveAdjacency(database, fact);
  const linked = database.prepare('SELECT entity FROM graph_fact_entity WHERE fact = ? ORDER BY ordinal').all(fact);
  const entities = new Set(linked.map((row) => Number(row['entity'])).map((entity) => (entity === from ? to : entity)));
  database.prepare('DELETE FROM graph_fact_entity WHERE fact = ?').run(fact);
  const link = database.prepare('INSERT INTO graph_fact_entity(fact, ordinal, entity) VALUES (?, ?, ?)');
  for (const [ordinal, entity] of [...entities].entries()) link.run(fact, ordinal, entity);
  for (const end of ['subject', 'object']) database.prepare(`UPDATE graph_fact SET ${end} = ? WHERE key = ? AND ${end} = ?`).run(to, fact, from);
  enterAdjacency(database, fact);
}
