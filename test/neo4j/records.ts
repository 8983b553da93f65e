import { type ChangeSet, deriveId, type Entity, emptyChangeSet, type Fact, type NewEpisode, normalForm, type Update } from '@tandem-memory/core';

const NOW = '2024-02-29T23:59:59.987Z';

export function changes(userId: string, parts: Partial<ChangeSet>): ChangeSet {
  return { ...emptyChangeSet(userId), ...parts };
}

export function episode(userId: string, content: string, fields: Partial<NewEpisode> = {}): NewEpisode {
  return {
    id: deriveId('episode', userId, content),
    userId,
    kind: 'message',
    role: 'user',
    content,
    at: NOW,
    utcOffsetMinutes: 60,
    createdAt: NOW,
    sessionId: 'session',
    threadId: 'session',
    metadata: {},
    state: 'extracted',
    ...fields,
  };
}

export function entity(userId: string, name: string, fields: Partial<Entity> = {}): Entity {
  return { id: deriveId('entity', userId, name), userId, name, key: normalForm(name), aliases: [], type: 'person', createdAt: NOW, ...fields };
}

export function fact(userId: string, from: string, to: string, fields: Partial<Fact> = {}): Fact {
  const [subjectId, objectId] = [entity(userId, from).id, entity(userId, to).id];
  return {
    id: deriveId('fact', userId, from, to),
    userId,
    text: `${from} knows ${to}`,
    subjectId,
    predicate: 'knows',
    objectId,
    entityIds: [...new Set([subjectId, objectId])],
    evidence: [],
    createdAt: NOW,
    confidence: 0.5,
    importance: 0.5,
    origin: 'model',
    saidBy: 'user',
    properties: {},
    ...fields,
  };
}

export function update(userId: string, recordId: string, reason: string): Update {
  return { id: deriveId('update', userId, recordId, reason), userId, action: 'revise', kind: 'episode', recordId, actor: 'caller', reason, at: NOW };
}

/** One turn that names two people who know each other, as `store()` would commit it. */
export function turn(userId: string, content: string, from: string, to: string): ChangeSet {
  const said = episode(userId, content);
  const people = [...new Set([from, to])].map((name) => entity(userId, name));
  return changes(userId, {
    episodes: [said],
    entities: people,
    facts: [fact(userId, from, to, { evidence: [said.id] })],
    mentions: people.map(({ id }) => ({ episodeId: said.id, entityId: id })),
    outbox: [{ operation: 'upsert', kind: 'episode', recordId: said.id }],
  });
}
