import { normalForm, type Role } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { enterAdjacency, leaveAdjacency } from './adjacency.ts';
import { readList, writeAliases } from './record-mapper.ts';

/**
 * Takes from entities that stay the spellings that only erased text used: those that stand in no episode that mentions the entity and in no
 * fact about it. Where the name itself is one, the first spelling that still stands somewhere takes its place. An entity none of whose
 * spellings stands anywhere was named by a model, and keeps them.
 * @returns the spellings that are gone, by entity id
 */
export function releaseSpellings(database: SqliteDatabase, entities: readonly number[]): ReadonlyMap<string, readonly string[]> {
  const released = new Map<string, readonly string[]>();
  const read = database.prepare('SELECT id, user, name, normal_form, aliases FROM graph_entity WHERE key = ?');
  const stands = database.prepare(
    `SELECT EXISTS (SELECT 1 FROM graph_mention mention JOIN graph_episode episode ON episode.key = mention.episode
         WHERE mention.entity = :entity AND (instr(episode.content, :spelling) > 0 OR episode.speaker = :spelling))
       OR EXISTS (SELECT 1 FROM graph_adjacency link JOIN graph_fact fact ON fact.key = link.fact
         WHERE link.entity = :entity AND instr(fact.text, :spelling) > 0) AS found`,
  );
  const update = database.prepare('UPDATE graph_entity SET name = ?, normal_form = ?, aliases = ? WHERE key = ?');
  const removeKeys = database.prepare('DELETE FROM graph_entity_key WHERE entity = ?');
  const addKey = database.prepare('INSERT OR IGNORE INTO graph_entity_key(user, normal_form, entity) VALUES (?, ?, ?)');
  for (const entity of entities) {
    const row = read.get(entity) as unknown as { id: string; user: number; name: string; normal_form: string; aliases: string | null } | undefined;
    if (row === undefined) continue;
    const spellings = [row.name, ...readList<string>(row.aliases, row.id)];
    const left = spellings.filter((spelling) => Number(stands.get({ entity, spelling })?.['found']) === 1);
    const [name, ...aliases] = left;
    if (name === undefined || left.length === spellings.length) continue;
    released.set(
      row.id,
      spellings.filter((spelling) => !left.includes(spelling)),
    );
    const form = name === row.name ? row.normal_form : normalForm(name);
    update.run(name, form, writeAliases(aliases), entity);
    removeKeys.run(entity);
    for (const key of [form, ...aliases.map(normalForm)]) addKey.run(row.user, key, entity);
  }
  return released;
}

/**
 * Tells facts anew that lost the episode they were first told by: role and time are those of the evidence that is left, a relation is worded
 * by its names as the first of it has them, and properties, which came from what is gone, go. One without a beginning stays without.
 */
export function rederiveFacts(database: SqliteDatabase, facts: readonly number[]): void {
  const name = (end: 'subject' | 'object') =>
    `coalesce((SELECT mention.spelling FROM graph_fact_evidence stated JOIN graph_mention mention ON mention.episode = stated.episode AND mention.entity = ${end}.key
       WHERE stated.fact = fact.key ORDER BY stated.ordinal LIMIT 1), ${end}.name) AS ${end}`;
  const read = database.prepare(
    `SELECT ${name('subject')}, ${name('object')}, predicate FROM graph_fact fact LEFT JOIN graph_entity subject ON subject.key = fact.subject
     LEFT JOIN graph_entity object ON object.key = fact.object WHERE fact.key = ?`,
  );
  const evidence = database.prepare(
    `SELECT role, at FROM graph_fact_evidence link JOIN graph_episode episode ON episode.key = link.episode WHERE link.fact = ? ORDER BY link.ordinal`,
  );
  const update = database.prepare(
    `UPDATE graph_fact SET text = coalesce(?, text), said_by = ?, valid_at = CASE WHEN valid_at IS NULL THEN NULL ELSE ? END, properties = NULL
     WHERE key = ?`,
  );
  for (const fact of facts) {
    const row = read.get(fact) as unknown as { subject: string | null; object: string | null; predicate: string | null } | undefined;
    const left = evidence.all(fact) as unknown as { role: Role; at: number }[];
    const [first] = left;
    if (row === undefined || first === undefined) continue;
    const { subject, predicate, object } = row;
    const text = subject === null || predicate === null || object === null ? null : `${subject} ${predicate.replaceAll('_', ' ')} ${object}`;
    const saidBy = left.some((episode) => episode.role === 'user') ? 'user' : first.role;
    leaveAdjacency(database, fact);
    update.run(text, saidBy, Math.min(...left.map((episode) => episode.at)), fact);
    enterAdjacency(database, fact);
  }
}
