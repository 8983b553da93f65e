import type { Memory } from '@tandem-memory/core';

type Told = readonly [subject: string, predicate: string, object: string];

/** A turn that says it in these words. @returns its id */
export async function say(memory: Memory, triple: Told, userId = 'u'): Promise<string> {
  const { episodes } = await memory.store([{ role: 'user', content: `${triple.join(' ')}.`, triples: [triple] }], { userId });
  return episodes[0]?.id ?? '';
}

export async function sayAll(memory: Memory, ...triples: readonly Told[]): Promise<void> {
  for (const triple of triples) await say(memory, triple);
}

/** Entities by all their names, and what holds, by the names of the entities. */
export async function graphOf(memory: Memory, userId = 'u'): Promise<{ names: string[]; facts: string[] }> {
  const entities = await memory.entities({ userId });
  const nameOf = new Map(entities.map(({ id, name }) => [id, name]));
  const facts = await memory.facts({ userId, currentOnly: true });
  return {
    names: entities.map(({ name, aliases }) => [name, ...aliases].join(' = ')).sort(),
    facts: facts.map(({ subjectId = '', predicate, objectId = '' }) => `${nameOf.get(subjectId)} ${predicate} ${nameOf.get(objectId)}`).sort(),
  };
}
