import type { EntitySplit, EntityTransfer, OutboxItem } from '../domain/change-set.ts';
import type { Entity } from '../domain/entity.ts';
import type { Episode } from '../domain/episode.ts';
import { type Extraction, NO_USAGE } from '../domain/extraction.ts';
import type { Fact } from '../domain/fact.ts';
import { normalForm } from '../domain/normal-form.ts';
import { namesIn } from '../lifecycle/names-in-text.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { EntityJudge } from '../ports/entity-judge.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { plan } from '../resolution/plan.ts';
import { resolve } from '../resolution/resolve.ts';
import { titleName, titles } from './extract-turns.ts';
import { mentionsOf } from './part-names.ts';
import { readAll } from './read-all.ts';
import type { IncomingEpisode } from './read-input.ts';
import { METADATA_CHANGED, revision, sameJson } from './revision.ts';
import { type Fenced, unlessForgotten } from './unless-forgotten.ts';
import type { RecordDependencies } from './user-locks.ts';

interface Dependencies extends RecordDependencies {
  readonly embedding: EmbeddingModel;
  readonly judge?: EntityJudge;
}

export interface RevisedChunks {
  readonly revised: number;
  readonly sequences: readonly number[];
}

const REASON = 'the document was stored again with other metadata';

/**
 * Chunks that are there already take over what the document says of them now: metadata, title, heading, page. Their text is what it was, so no
 * model reads them again. What somebody gave a chunk by hand stays, since the document says nothing of it.
 */
export async function reviseChunks(
  incoming: readonly IncomingEpisode[],
  known: ReadonlyMap<string, Episode>,
  { userId, epoch }: { readonly userId: string; readonly epoch: number },
  dependencies: Dependencies,
): Promise<RevisedChunks> {
  const { graph, userLocks } = dependencies;
  const differing = incoming.filter(({ episode }) => {
    const before = known.get(episode.id);
    return before !== undefined && !sameJson(before.metadata, episode.metadata);
  });
  if (differing.length === 0) return { revised: 0, sequences: [] };
  const touched = differing.map(({ episode }) => episode.id).filter((id) => known.get(id)?.updatedAt !== undefined);
  const byHand = touched.length === 0 ? new Set<string>() : await revisedByHand(userId, touched, graph);
  const items = differing.filter(({ episode }) => !byHand.has(episode.id));
  const done = await userLocks.run(userId, () =>
    unlessForgotten(userId, { items, epoch }, graph, (fenced) => commitRevisions(fenced, userId, known, dependencies)),
  );
  return done ?? { revised: 0, sequences: [] };
}

async function revisedByHand(userId: string, recordIds: readonly string[], graph: GraphStore): Promise<Set<string>> {
  const updates = await readAll(
    (page) => graph.readUpdates({ userId, recordIds, actions: ['revise'] }, page),
    ({ sequence }) => String(sequence),
  );
  return new Set(updates.filter(({ reason }) => reason === METADATA_CHANGED).map(({ recordId }) => recordId));
}

async function commitRevisions(
  { items, epoch }: Fenced,
  userId: string,
  known: ReadonlyMap<string, Episode>,
  dependencies: Dependencies,
): Promise<RevisedChunks> {
  const { graph, clock } = dependencies;
  const now = clock.now();
  const at = now.toISOString();
  const chunks = items.flatMap(({ episode: { id, metadata } }) => {
    const before = known.get(id);
    return before === undefined ? [] : [{ before, after: { ...before, metadata } }];
  });
  // One that was not read yet gets its title when it is.
  const retitled = chunks.filter(({ before, after }) => isRead(before) && titleName(before) !== titleName(after));
  const episodes = retitled.map(({ after }) => after);
  const extraction: Extraction = { origin: 'caller', entities: titles(episodes), relations: [], facts: [], skipped: [], usage: NO_USAGE };
  const resolution = await resolve({ userId, episodes, extraction, now }, dependencies, { fuzzy: false });
  const titled = plan(userId, resolution, at).changes;
  const outbox = chunks.map(({ before }): OutboxItem => ({ operation: 'upsert', kind: 'episode', recordId: before.id }));
  const receipt = await graph.commit({
    ...titled,
    ...(await withoutOldTitles(
      userId,
      retitled.map(({ before }) => before),
      titled.entities,
      graph,
    )),
    episodes: [],
    states: [],
    revisions: chunks.map(({ after }) => ({ episodeId: after.id, metadata: after.metadata, updatedAt: at })),
    updates: [...titled.updates, ...chunks.map(({ after }) => revision(after, 'episode', at, REASON))],
    outbox,
    epoch,
  });
  return { revised: chunks.length, sequences: receipt.outbox.map(({ sequence }) => sequence) };
}

function isRead({ state }: Episode): boolean {
  return state === 'extracted' || state === 'outlined';
}

/**
 * The old titles leave the chunks, save where the text or a fact of a chunk names them too. One on which nothing rests any more makes way for
 * the new title; where there is none, it stays as a name.
 */
async function withoutOldTitles(
  userId: string,
  chunks: readonly Episode[],
  titled: readonly Entity[],
  graph: GraphStore,
): Promise<{ readonly splits: readonly EntitySplit[]; readonly transfers: readonly EntityTransfer[] }> {
  const splits: EntitySplit[] = [];
  const transfers: EntityTransfer[] = [];
  for (const [title, own] of Map.groupBy(chunks, titleName)) {
    if (title === undefined) continue;
    const keys = [normalForm(title)];
    for (const entity of await graph.findEntities({ userId, keys }, { limit: 100 })) {
      if (titled.some(({ id }) => id === entity.id)) continue;
      const facts = await readAll<Fact>(
        (page) => graph.findFacts({ userId, entityId: entity.id }, page),
        ({ id }) => id,
      );
      const stated = new Set(facts.flatMap(({ evidence }) => evidence));
      const isNamed = namesIn([entity.name, ...entity.aliases, title]);
      const mentions = (await mentionsOf(entity, graph)).map(({ episodeId }) => episodeId);
      const leaving = own.filter(({ id, content }) => mentions.includes(id) && !stated.has(id) && !isNamed(content)).map(({ id }) => id);
      if (leaving.length === 0) continue;
      splits.push({ entityId: entity.id, spellings: [], episodeIds: leaving });
      const [heir] = titled;
      const rests = mentions.length > leaving.length || facts.length > 0;
      if (!rests && heir !== undefined) transfers.push({ fromId: entity.id, toId: heir.id });
    }
  }
  return { splits, transfers };
}
