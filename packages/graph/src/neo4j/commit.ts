import { type ChangeSet, type CommitReceipt, MemoryError } from '@tandem-memory/core';
import { planCommit } from './commit-plan.ts';
import type { Run } from './connection.ts';
import { getEntities } from './entity-reads.ts';
import { mustNotBeForgotten } from './erasure-log.ts';
import { getFacts } from './fact-reads.ts';
import { checkId } from './keys.ts';
import { appendOutbox } from './outbox.ts';
import { toIsoTime } from './record-mapper.ts';
import { writePlacements, writeTransfers } from './transfer.ts';
import { appendUpdates } from './update-log.ts';
import { writeEntities, writeSplits } from './write-entities.ts';
import { writeEpisodes, writeMentions, writeRevisions, writeStates } from './write-episodes.ts';
import { writeFactRevisions, writeFacts } from './write-facts.ts';

// The write lock on the user's node makes commits of one user follow each other: positions and merges are free of races, and since every
// commit takes this lock first and the outbox's last, none waits for one that waits for it. MERGE would be one statement less, but two that
// find nothing at once block each other.
const LOCK_USER = 'MATCH (user:User {userId: $userId}) SET user.revision = coalesce(user.revision, 0) + 1 RETURN user.revision AS revision';
const CREATE_USER = 'MERGE (user:User {userId: $userId}) ON CREATE SET user.name = $userId, user.revision = 0';
const KNOWN_EPISODES = 'UNWIND $ids AS id MATCH (episode:Episode {userId: $userId, id: id}) RETURN id';

export function isEmpty(changes: ChangeSet): boolean {
  const { userId: _, epoch: __, ...parts } = changes;
  return Object.values(parts).every((part: readonly unknown[]) => part.length === 0);
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
  for (const { id, recordId, relatedId = '' } of changes.updates) {
    checkId(id, 'id');
    checkId(recordId, 'recordId');
    checkId(relatedId, 'relatedId');
  }
}

/** Writes a change set; to be called inside a transaction, whose end makes it all or nothing. @throws CORRUPT_RECORD */
export async function applyChangeSet(run: Run, changes: ChangeSet): Promise<CommitReceipt> {
  const { userId } = changes;
  if ((await run(LOCK_USER, { userId })).length === 0) {
    await run(CREATE_USER, { userId });
    await run(LOCK_USER, { userId });
  }
  if (changes.epoch !== undefined) await mustNotBeForgotten(run, userId, changes.epoch);
  const known = await readKnown(run, changes);
  const plan = planCommit(changes, known);
  await writeEpisodes(run, userId, plan.episodes);
  await writeRevisions(run, userId, plan.revisions);
  await writeFactRevisions(run, userId, plan.factRevisions);
  await writeSplits(run, userId, plan.splits);
  await writeEntities(run, userId, plan);
  await writeFacts(run, userId, plan);
  await writeMentions(run, userId, plan.mentions);
  await writePlacements(run, userId, plan.placements, known.facts);
  await writeTransfers(run, userId, plan.transfers);
  await writeStates(run, userId, plan.states);
  await appendUpdates(run, userId, changes.updates);
  const created = new Set([...plan.episodes, ...plan.entities, ...plan.newFacts.map(({ fact }) => fact)].map(({ id }) => id));
  return { created, outbox: await appendOutbox(run, userId, changes.outbox) };
}

async function readKnown(run: Run, changes: ChangeSet) {
  const { userId, episodes, states, entities, facts, mentions, reopenings, closures, revisions, factRevisions, splits, placements, transfers } =
    changes;
  const episodeIds = new Set([
    ...episodes.map(({ id }) => id),
    ...states.map(({ episodeId }) => episodeId),
    ...mentions.map(({ episodeId }) => episodeId),
    ...facts.flatMap(({ evidence }) => evidence),
    ...revisions.map(({ episodeId }) => episodeId),
    ...splits.flatMap((split) => split.episodeIds),
    ...placements.flatMap(({ evidence }) => evidence),
  ]);
  const entityIds = new Set([
    ...entities.map(({ id }) => id),
    ...mentions.map(({ entityId }) => entityId),
    ...splits.map(({ entityId }) => entityId),
    ...transfers.flatMap(({ fromId, toId }) => [fromId, toId]),
    ...[...facts, ...placements].flatMap((fact) => [...fact.entityIds, fact.subjectId, fact.objectId].filter((id) => id !== undefined)),
  ]);
  const factIds = new Set([
    ...facts.map(({ id }) => id),
    ...[...reopenings, ...closures, ...factRevisions, ...placements].map(({ factId }) => factId),
  ]);
  const knownEpisodes = episodeIds.size === 0 ? [] : await run(KNOWN_EPISODES, { userId, ids: [...episodeIds] });
  return {
    episodeIds: new Set(knownEpisodes.map((row) => String(row['id']))),
    entities: new Map((await getEntities(run, userId, [...entityIds])).map((entity) => [entity.id, entity])),
    facts: new Map((await getFacts(run, userId, [...factIds])).map((fact) => [fact.id, fact])),
  };
}
