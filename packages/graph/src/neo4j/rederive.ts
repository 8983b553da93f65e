import { normalForm } from '@tandem-memory/core';
import { titleOf } from './captions.ts';
import type { Run } from './connection.ts';
import { startKeys, textKey } from './keys.ts';
import { toInteger } from './record-mapper.ts';

const SPELLINGS = `
  UNWIND $ids AS id MATCH (entity:Entity {userId: $userId, id: id})
  UNWIND [entity.name] + coalesce(entity.aliases, []) AS spelling
  WITH entity, spelling, EXISTS { MATCH (entity)<-[:MENTIONS]-(episode:Episode) WHERE episode.content CONTAINS spelling OR episode.speaker = spelling }
    OR EXISTS { MATCH (entity)<-[:ABOUT]-(fact:Fact) WHERE fact.text CONTAINS spelling } AS stands
  RETURN entity.id AS id, entity.name AS name, entity.normalForm AS form, collect({spelling: spelling, stands: stands}) AS spellings`;
const RENAME = `
  UNWIND $rows AS row MATCH (entity:Entity {userId: $userId, id: row.id})
  SET entity.name = row.name, entity.normalForm = row.form, entity.nameKey = row.nameKey, entity.startKey1 = row.startKey1, entity.startKey3 = row.startKey3,
    entity.aliases = row.aliases`;
const UNLINK = `
  UNWIND $rows AS row MATCH (:Entity {userId: $userId, id: row.id})<-[of:ALIAS_OF]-(alias:Alias) WHERE NOT alias.nameKey IN row.keys
  DELETE of
  WITH DISTINCT alias WHERE NOT EXISTS { (alias)-[:ALIAS_OF]->() }
  DELETE alias`;
const NUMBER = `
  UNWIND $rows AS row
  MATCH (:Fact {userId: $userId, id: row.factId})-[stated:STATED_IN]->(:Episode {userId: $userId, id: row.episodeId})
  SET stated.ordinal = row.ordinal`;
/** As the first turn of what is left spells it. */
const NAME = (end: 'subject' | 'object') => `coalesce(COLLECT {
    MATCH (fact)-[stated:STATED_IN]->(:Episode)-[mention:MENTIONS]->(${end}) RETURN mention.spelling ORDER BY stated.ordinal LIMIT 1
  }[0], ${end}.name) AS ${end}`;
const FACTS = `
  UNWIND $ids AS id MATCH (fact:Fact {userId: $userId, id: id})
  OPTIONAL MATCH (subject:Entity {userId: $userId, id: fact.subjectId})
  OPTIONAL MATCH (object:Entity {userId: $userId, id: fact.objectId})
  RETURN id, fact.text AS text, fact.predicate AS predicate, ${NAME('subject')}, ${NAME('object')},
    COLLECT { MATCH (fact)-[stated:STATED_IN]->(episode:Episode) RETURN episode.role ORDER BY stated.ordinal } AS roles,
    CASE WHEN fact.validAt IS NULL THEN null
      ELSE toString(COLLECT { MATCH (fact)-[:STATED_IN]->(episode:Episode) RETURN episode.at ORDER BY episode.at LIMIT 1 }[0]) END AS at`;
const RETELL = `
  UNWIND $rows AS row MATCH (fact:Fact {userId: $userId, id: row.id})
  SET fact.text = row.text, fact.title = row.title, fact.saidBy = row.saidBy, fact.validAt = datetime(row.validAt), fact.properties = null`;
const RETELL_LINKS = 'UNWIND $rows AS row MATCH (:Fact {userId: $userId, id: row.id})-[about:ABOUT]->() SET about.validAt = datetime(row.validAt)';
const RETELL_EDGES = `
  UNWIND $rows AS row
  MATCH ()-[edge:RELATES_TO]->() USING INDEX SEEK edge:RELATES_TO(userId, factId) WHERE edge.userId = $userId AND edge.factId = row.id
  SET edge.validAt = datetime(row.validAt)`;

/**
 * As in the embedded store: spellings that only erased text used go; a name that only erased text used gives way to the first that is left.
 * @returns the spellings that are gone, by entity
 */
export async function releaseSpellings(run: Run, userId: string, entityIds: readonly string[]): Promise<ReleasedSpellings[]> {
  if (entityIds.length === 0) return [];
  const rows = (await run(SPELLINGS, { userId, ids: entityIds })).flatMap((row) => {
    const spellings = row['spellings'] as readonly { readonly spelling: string; readonly stands: boolean }[];
    const [name, ...aliases] = spellings.filter(({ stands }) => stands).map(({ spelling }) => spelling);
    if (name === undefined || aliases.length + 1 === spellings.length) return [];
    const form = name === row['name'] ? String(row['form']) : normalForm(name);
    const key = (text: string) => textKey(userId, 'name', text);
    return [
      {
        id: String(row['id']),
        name,
        form,
        nameKey: key(form),
        ...startKeys(userId, form),
        aliases: aliases.length === 0 ? null : aliases,
        keys: aliases.map((alias) => key(normalForm(alias))),
        released: spellings.filter(({ stands }) => !stands).map(({ spelling }) => spelling),
      },
    ];
  });
  if (rows.length === 0) return [];
  await run(RENAME, { userId, rows });
  await run(UNLINK, { userId, rows });
  return rows.map(({ id, released }) => ({ id, released }));
}

export interface ReleasedSpellings {
  readonly id: string;
  readonly released: readonly string[];
}

export interface WeakenedFact {
  readonly id: string;
  /** What is left, in its order. */
  readonly evidence: readonly string[];
  /** Whether it lost the evidence that it was first told by. */
  readonly retold: boolean;
}

export async function rederiveFacts(run: Run, userId: string, facts: readonly WeakenedFact[]): Promise<void> {
  if (facts.length === 0) return;
  const places = facts.flatMap(({ id, evidence }) => evidence.map((episodeId, ordinal) => ({ factId: id, episodeId, ordinal: toInteger(ordinal) })));
  await run(NUMBER, { userId, rows: places });
  const ids = facts.filter(({ retold }) => retold).map(({ id }) => id);
  if (ids.length === 0) return;
  const rows = (await run(FACTS, { userId, ids })).map((row) => {
    const { subject, predicate, object } = row;
    const told = typeof subject === 'string' && typeof predicate === 'string' && typeof object === 'string';
    const text = told ? `${subject} ${predicate.replaceAll('_', ' ')} ${object}` : String(row['text']);
    const roles = row['roles'] as readonly string[];
    return { id: row['id'], text, title: titleOf(text), saidBy: roles.includes('user') ? 'user' : (roles[0] ?? 'user'), validAt: row['at'] };
  });
  for (const statement of [RETELL, RETELL_LINKS, RETELL_EDGES]) await run(statement, { userId, rows });
}
