import type { EpisodeRevision, EpisodeStateChange, Mention, NewEpisode } from '@tandem-memory/core';
import { titleOf } from './captions.ts';
import type { Run } from './connection.ts';
import { textKey } from './keys.ts';
import { mentionRank } from './rank.ts';
import { optionalIsoTime, toInteger, toIsoTime, toNumber, toTimestamp, writeMetadata } from './record-mapper.ts';

const MOST_SPEAKERS = 200;

const NEXT_POSITIONS = `
  UNWIND $threadKeys AS threadKey
  CALL (threadKey) {
    MATCH (episode:Episode) USING INDEX SEEK episode:Episode(threadKey, position)
    WHERE episode.threadKey = threadKey AND episode.position >= 0 AND episode.userId = $userId
    RETURN episode.position + 1 AS next ORDER BY episode.threadKey DESC, episode.position DESC LIMIT 1
  }
  RETURN threadKey, next`;
// `title` comes first: it is what Neo4j Browser writes on the node.
const CREATE = `
  UNWIND $rows AS row
  CREATE (episode:Episode {title: row.title, userId: $userId, id: row.id})
  SET episode += row.properties, episode.at = datetime(row.at), episode.createdAt = datetime(row.createdAt)`;
const LINK_SESSIONS = `
  MATCH (user:User {userId: $userId})
  UNWIND $rows AS row
  MERGE (session:Session {sessionKey: row.sessionKey}) ON CREATE SET session.name = row.sessionId, session.userId = $userId
  MERGE (user)-[has:HAS_SESSION]->(session) ON CREATE SET has.userId = $userId
  WITH session, row
  UNWIND row.episodeIds AS id
  MATCH (episode:Episode {userId: $userId, id: id})
  CREATE (session)-[:HAS_EPISODE {userId: $userId}]->(episode)`;
const LINK_USER = `
  MATCH (user:User {userId: $userId})
  UNWIND $ids AS id
  MATCH (episode:Episode {userId: $userId, id: id})
  CREATE (user)-[:HAS_EPISODE {userId: $userId}]->(episode)`;
const LINK_NEXT = `
  UNWIND $rows AS row
  MATCH (episode:Episode {userId: $userId, id: row.id})
  MATCH (before:Episode) USING INDEX SEEK before:Episode(threadKey, position)
  WHERE before.threadKey = row.threadKey AND before.position = row.position - 1 AND before.userId = $userId
  CREATE (before)-[:NEXT {userId: $userId}]->(episode)`;
const READ_SPEAKERS = 'MATCH (user:User {userId: $userId}) RETURN user.speakers AS speakers';
const WRITE_SPEAKERS = 'MATCH (user:User {userId: $userId}) SET user.speakers = $speakers';
const READ_TIMES = `
  UNWIND $ids AS id MATCH (episode:Episode {userId: $userId, id: id}) RETURN id, episode.at AS at, episode.position AS position`;
const MENTION = `
  UNWIND $rows AS row
  MATCH (episode:Episode {userId: $userId, id: row.episodeId}) MATCH (entity:Entity {userId: $userId, id: row.entityId})
  MERGE (episode)-[mention:MENTIONS]->(entity) ON CREATE SET mention.userId = $userId, mention.entityId = row.entityId, mention.rank = row.rank,
    mention.spelling = row.spelling`;
const READ_AUTHORS = `
  UNWIND $ids AS id MATCH (episode:Episode {userId: $userId, id: id}) RETURN id, coalesce(episode.speaker, episode.role) AS author`;
const REVISE = `
  UNWIND $rows AS row MATCH (episode:Episode {userId: $userId, id: row.id})
  SET episode += row.properties, episode.updatedAt = coalesce(datetime(row.updatedAt), episode.updatedAt)`;
const UNLINK_MENTIONS = 'UNWIND $ids AS id MATCH (:Episode {userId: $userId, id: id})-[mention:MENTIONS]->() DELETE mention';
const CHANGE_STATE = `
  UNWIND $rows AS row MATCH (episode:Episode {userId: $userId, id: row.episodeId})
  SET episode.state = row.state, episode.failure = row.failure`;

export async function writeEpisodes(run: Run, userId: string, episodes: readonly NewEpisode[]): Promise<void> {
  if (episodes.length === 0) return;
  const rows = await placeInThreads(run, userId, episodes);
  await run(CREATE, { userId, rows });
  const sessions = Map.groupBy(episodes, (episode) => episode.sessionId);
  const loose = sessions.get(undefined) ?? [];
  const named = [...sessions].flatMap(([sessionId, own]) =>
    sessionId === undefined ? [] : [{ sessionId, sessionKey: textKey(userId, 'session', sessionId), episodeIds: own.map(({ id }) => id) }],
  );
  if (named.length > 0) await run(LINK_SESSIONS, { userId, rows: named });
  if (loose.length > 0) await run(LINK_USER, { userId, ids: loose.map(({ id }) => id) });
  const following = rows.filter(({ position, threadKey }) => threadKey !== undefined && position > 0n);
  if (following.length > 0) await run(LINK_NEXT, { userId, rows: following.map(({ id, threadKey, position }) => ({ id, threadKey, position })) });
  await addSpeakers(run, userId, episodes);
}

async function placeInThreads(run: Run, userId: string, episodes: readonly NewEpisode[]) {
  const keyOf = ({ threadId }: NewEpisode) => (threadId === undefined ? undefined : textKey(userId, 'thread', threadId));
  const threadKeys = [...new Set(episodes.map(keyOf).filter((key) => key !== undefined))];
  const found = threadKeys.length === 0 ? [] : await run(NEXT_POSITIONS, { userId, threadKeys });
  const next = new Map(found.map((row) => [String(row['threadKey']), toNumber(row['next']) ?? 0]));
  return episodes.map((episode) => {
    const threadKey = keyOf(episode);
    const free = threadKey === undefined ? 0 : (next.get(threadKey) ?? 0);
    const position = episode.position ?? free;
    if (threadKey !== undefined) next.set(threadKey, Math.max(free, position + 1));
    return toRow(userId, episode, threadKey, toInteger(position));
  });
}

function toRow(userId: string, episode: NewEpisode, threadKey: string | undefined, position: bigint) {
  const { id, sessionId, sourceId } = episode;
  return {
    id,
    threadKey,
    position,
    title: titleOf(`${episode.speaker ?? episode.role}: ${episode.content}`),
    at: toIsoTime(episode.at, 'at', id),
    createdAt: toIsoTime(episode.createdAt, 'createdAt', id),
    properties: {
      content: episode.content,
      speaker: episode.speaker ?? null,
      role: episode.role,
      kind: episode.kind,
      state: episode.state,
      failure: episode.failure ?? null,
      utcOffsetMinutes: toInteger(episode.utcOffsetMinutes),
      agentId: episode.agentId ?? null,
      sessionId: sessionId ?? null,
      sessionKey: sessionId === undefined ? null : textKey(userId, 'session', sessionId),
      sourceId: sourceId ?? null,
      sourceKey: sourceId === undefined ? null : textKey(userId, 'source', sourceId),
      threadId: episode.threadId ?? null,
      threadKey: threadKey ?? null,
      position,
      metadata: writeMetadata(episode.metadata),
    },
  };
}

/** Only those that `speakers()` gives are kept, so that the user's node stays small. */
async function addSpeakers(run: Run, userId: string, episodes: readonly NewEpisode[]): Promise<void> {
  const met = episodes.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker.toWellFormed()]));
  if (met.length === 0) return;
  const [row] = await run(READ_SPEAKERS, { userId });
  const known = (row?.['speakers'] as string[] | null | undefined) ?? [];
  const all = [...new Set([...known, ...met])];
  if (all.length > known.length) await run(WRITE_SPEAKERS, { userId, speakers: all.sort().slice(0, MOST_SPEAKERS) });
}

export async function writeMentions(run: Run, userId: string, mentions: readonly Mention[]): Promise<void> {
  if (mentions.length === 0) return;
  const times = await run(READ_TIMES, { userId, ids: [...new Set(mentions.map(({ episodeId }) => episodeId))] });
  const ranks = new Map(
    times.map((row) => {
      const id = String(row['id']);
      return [id, mentionRank({ id, atMs: Date.parse(toTimestamp(row['at']) ?? ''), position: toNumber(row['position']) ?? 0 })];
    }),
  );
  const rows = mentions.map(({ episodeId, entityId, spelling = null }) => ({ episodeId, entityId, spelling, rank: ranks.get(episodeId) ?? '' }));
  await run(MENTION, { userId, rows });
}

/** With a new text the mentions go and the episode is outdated no more; those of the new text come later in the commit. */
export async function writeRevisions(run: Run, userId: string, revisions: readonly EpisodeRevision[]): Promise<void> {
  if (revisions.length === 0) return;
  const retold = [...new Set(revisions.filter(({ content }) => content !== undefined).map(({ episodeId }) => episodeId))];
  const authors = new Map<string, string>();
  if (retold.length > 0) {
    for (const row of await run(READ_AUTHORS, { userId, ids: retold })) authors.set(String(row['id']), String(row['author']));
    await run(UNLINK_MENTIONS, { userId, ids: retold });
  }
  const rows = revisions.map(({ episodeId, content, metadata, updatedAt, outdated }) => ({
    id: episodeId,
    updatedAt: optionalIsoTime(updatedAt, 'updatedAt', episodeId),
    properties: {
      ...(content !== undefined && { content, title: titleOf(`${authors.get(episodeId) ?? ''}: ${content}`), outdated: null }),
      ...(metadata !== undefined && { metadata: writeMetadata(metadata) }),
      ...(outdated !== undefined && { outdated: outdated === null ? null : JSON.stringify(outdated) }),
    },
  }));
  await run(REVISE, { userId, rows });
}

export async function writeStates(run: Run, userId: string, states: readonly EpisodeStateChange[]): Promise<void> {
  if (states.length === 0) return;
  await run(CHANGE_STATE, { userId, rows: states.map(({ episodeId, state, failure }) => ({ episodeId, state, failure: failure ?? null })) });
}
