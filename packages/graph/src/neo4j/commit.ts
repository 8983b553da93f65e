import { type ChangeSet, type CommitReceipt, MemoryError } from '@tandem-memory/core';
import { planCommit } from './commit-plan.ts';
import type { Run } from './connection.ts';
import { getEntities } from './entity-reads.ts';
import { getFacts } from './fact-reads.ts';
import { checkId } from './keys.ts';
import { appendOutbox } from './outbox.ts';
import { toIsoTime } from './record-mapper.ts';
import { writeEntities } from './write-entities.ts';
import { writeEpisodes, writeMentions, writeStates } from './write-episodes.ts';
import { writeFacts } from './write-facts.ts';

// The write lock on the user's node makes commits of one user follow each other: positions and merges are free of races, and since every
// commit takes this lock first and the outbox's last, none waits for one that waits for it. MERGE would be one statement less, but two that
// find nothing at once block each other.
const LOCK_USER = 'MATCH (user:User {userId: $userId}) SET user.revision = coalesce(user.revision, 0) + 1 RETURN user.revision AS revision';
const CREATE_USER = 'MERGE (user:User {userId: $userId}) ON CREATE SET user.name = $userId, user.revision = 0';
const KNOWN_EPISODES = 'UNWIND $ids AS id MATCH (episode:Episode {userId: $userId, id: id}) RETURN id';

export function isEmpty(changes: ChangeSet): boolean {
  const { episodes, states, entities, facts, mentions, closures, outbox } = changes;
  return [episodes, states, entities, facts, mentions, closures, outbox].every((part) => part.length === 0);
}

/** What can be told wrong without the server. @throws CORRUPT_RECORD, INPUT_INVALID */
export function checkChanges(changes: ChangeSet): void {
  for (const { id, userId, createdAt } of [...changes.episodes, ...changes.entities, ...changes.facts]) {
    checkId(id, 'id');
    if (userId !== changes.userId) {
      throw new MemoryError(
        'CORRUPT_RECORD',
        `Record ${id} of the change set belongs to another user than the change set. Nothing of it was written.`,
      );
    }
    toIsoTime(createdAt, 'createdAt', id);
  }
}

/** Writes a change set; to be called inside a transaction, whose end makes it all or nothing. @throws CORRUPT_RECORD */
export async function applyChangeSet(run: Run, changes: ChangeSet): Promise<CommitReceipt> {
  const { userId } = changes;
  if ((await run(LOCK_USER, { userId })).length === 0) {
    await run(CREATE_USER, { userId });
    await run(LOCK_USER, { userId });
  }
  const plan = planCommit(changes, await readKnown(run, changes));
  await writeEpisodes(run, userId, plan.episodes);
  await writeEntities(run, userId, plan);
  await writeFacts(run, userId, plan);
  await writeMentions(run, userId, plan.mentions);
  await writeStates(run, userId, plan.states);
  const created = new Set([...plan.episodes, ...plan.entities, ...plan.newFacts.map(({ fact }) => fact)].map(({ id }) => id));
  return { created, outbox: await appendOutbox(run, userId, changes.outbox) };
}

async function readKnown(run: Run, changes: ChangeSet) {
  const { userId, episodes, states, entities, facts, mentions, closures } = changes;
  const episodeIds = new Set([
    ...episodes.map(({ id }) => id),
    ...states.map(({ episodeId }) => episodeId),
    ...mentions.map(({ episodeId }) => episodeId),
    ...facts.flatMap(({ evidence }) => evidence),
  ]);
  const entityIds = new Set([
    ...entities.map(({ id }) => id),
    ...mentions.map(({ entityId }) => entityId),
    ...facts.flatMap((fact) => [...fact.entityIds, fact.subjectId, fact.objectId].filter((id) => id !== undefined)),
  ]);
  const factIds = new Set([...facts.map(({ id }) => id), ...closures.map(({ factId }) => factId)]);
  const knownEpisodes = episodeIds.size === 0 ? [] : await run(KNOWN_EPISODES, { userId, ids: [...episodeIds] });
  return {
    episodeIds: new Set(knownEpisodes.map((row) => String(row['id']))),
    entities: new Map((await getEntities(run, userId, [...entityIds])).map((entity) => [entity.id, entity])),
    facts: new Map((await getFacts(run, userId, [...factIds])).map((fact) => [fact.id, fact])),
  };
}
