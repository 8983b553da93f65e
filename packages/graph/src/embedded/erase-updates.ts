import type { Update } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { reopenFact } from './fact-writer.ts';
import { mergesOf } from './update-log.ts';

const IN_LIST = 'IN (SELECT value FROM json_each(?))';

export interface ErasedIds {
  readonly episodes: readonly string[];
  readonly facts: readonly string[];
  readonly entities: readonly string[];
  /** Spellings that entities lost, by entity id. */
  readonly released: ReadonlyMap<string, readonly string[]>;
}

/**
 * Takes what was erased out of the update log, and undoes the ends that it brought about: a fact holds again where the turn that told of its
 * end, or the fact that took its place, is gone and nothing else ended it.
 * @returns facts that hold again, and the merges that an erased turn told of
 */
export function eraseUpdates(
  database: SqliteDatabase,
  { key: user, id: userId }: { readonly key: number; readonly id: string },
  erased: ErasedIds,
): { readonly reopened: number[]; readonly merges: Update[] } {
  const episodes = JSON.stringify(erased.episodes);
  const records = JSON.stringify([...erased.episodes, ...erased.facts, ...erased.entities]);
  const ended = database
    .prepare(
      `SELECT DISTINCT fact.key FROM graph_update entry JOIN graph_fact fact ON fact.user = entry.user AND fact.id = entry.record_id
       WHERE entry.user = ? AND entry.action = 'invalidate' AND (entry.episode_id ${IN_LIST} OR entry.related_id ${IN_LIST})`,
    )
    .all(user, episodes, records)
    .map((row) => Number(row['key']));
  const merges = mergesOf(database, user, userId, erased.episodes);
  database
    .prepare(`DELETE FROM graph_update WHERE user = ? AND (record_id ${IN_LIST} OR related_id ${IN_LIST} OR episode_id ${IN_LIST})`)
    .run(user, records, records, episodes);
  const unname = database.prepare(
    `DELETE FROM graph_update WHERE user = :user AND kind = 'entity' AND (record_id = :id OR related_id = :id)
       AND (before IN (SELECT value FROM json_each(:names)) OR after IN (SELECT value FROM json_each(:names)))`,
  );
  for (const [id, names] of erased.released) unname.run({ user, id, names: JSON.stringify(names) });
  const otherwise = database.prepare(
    `SELECT 1 FROM graph_update entry JOIN graph_fact fact ON fact.user = entry.user AND fact.id = entry.record_id
     WHERE fact.key = ? AND entry.action = 'invalidate' AND NOT EXISTS (SELECT 1 FROM graph_update undone
       WHERE undone.user = entry.user AND undone.record_id = entry.record_id AND undone.action = 'reopen' AND undone.sequence > entry.sequence)
     LIMIT 1`,
  );
  const reopened = ended.filter((fact) => otherwise.get(fact) === undefined);
  for (const fact of reopened) reopenFact(database, fact);
  database
    .prepare(`UPDATE graph_episode SET outdated = NULL WHERE user = ? AND outdated IS NOT NULL AND json_extract(outdated, '$.by') ${IN_LIST}`)
    .run(user, episodes);
  dropLogOfNobody(database, user);
  return { reopened, merges };
}

/** Of a user without records nothing is worth telling either. */
function dropLogOfNobody(database: SqliteDatabase, user: number): void {
  database
    .prepare(
      `DELETE FROM graph_update WHERE user = :user AND NOT EXISTS (SELECT 1 FROM graph_episode WHERE user = :user)
         AND NOT EXISTS (SELECT 1 FROM graph_fact WHERE user = :user) AND NOT EXISTS (SELECT 1 FROM graph_entity WHERE user = :user)`,
    )
    .run({ user });
}
