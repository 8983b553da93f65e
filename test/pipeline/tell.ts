import type { Fact, Memory } from '@tandem-memory/core';

/** Stores each text at its day, in the order given. */
export async function tell(memory: Memory, said: readonly (readonly [day: string, text: string])[], userId = 'u'): Promise<void> {
  for (const [at, content] of said) await memory.store([{ role: 'user', content, at }], { userId, sessionId: 's' });
}

/** Of all entities by name: what holds at a moment, and what held. */
export async function factsOf(memory: Memory, asOf?: string, userId = 'u'): Promise<{ current: string[]; past: string[] }> {
  const entities = new Map((await memory.entities({ userId })).map((entity) => [entity.id, entity.name]));
  const words = (fact: Fact) => `${entities.get(fact.subjectId ?? '')} ${fact.predicate} ${entities.get(fact.objectId ?? '')}`;
  const facts = await memory.facts({ userId }, { limit: 1000 });
  const now = asOf ?? '9999';
  const holds = (fact: Fact) => (fact.validAt ?? '') <= now && (fact.invalidAt === undefined || fact.invalidAt > now);
  return {
    current: facts.filter(holds).map(words).sort(),
    past: facts
      .filter((fact) => !holds(fact))
      .map(words)
      .sort(),
  };
}
