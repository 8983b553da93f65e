import { emptyChangeSet } from '../domain/change-set.ts';
import type { Entity } from '../domain/entity.ts';
import type { Fact } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { LoggedUpdate } from '../domain/update-log.ts';
import { MemoryError } from '../errors.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { digitsOf, type MatchStep, matchNames, needsOnlyOne } from '../resolution/match-name.ts';
import { prefixesOf } from '../resolution/spelling.ts';
import type { StoreDependencies } from './store.ts';

/** A name that was taken for a known entity. */
export interface EntityMerge {
  readonly id: string;
  readonly entityId: string;
  readonly name: string;
  readonly spelling: string;
  readonly step: string;
  readonly at: string;
  readonly episodeId?: string;
  readonly undone: boolean;
}

/** Two entities that the steps would join if they were met today. */
export interface MergeProposal {
  readonly first: { readonly id: string; readonly name: string; readonly type: string };
  readonly second: { readonly id: string; readonly name: string; readonly type: string };
  readonly step: MatchStep;
}

export interface UndoneMerge {
  readonly entityId: string;
  readonly newEntityId: string;
  readonly movedMentions: number;
  readonly movedFacts: number;
}

const PAGE = 500;
const MAX_MENTIONS = 10_000;
const MAX_BUCKET = 200;

/** Merges by more than the normal form, in the order in which they were made. */
export async function listMerges(userId: string, graph: GraphStore): Promise<EntityMerge[]> {
  const updates = await readAll<LoggedUpdate>(
    (after) => graph.readUpdates({ userId, actions: ['merge', 'unmerge'] }, { limit: PAGE, ...after }),
    (update) => String(update.sequence),
  );
  const undone = new Set(updates.flatMap((update) => (update.action === 'unmerge' ? [`${update.recordId} ${update.relatedId}`] : [])));
  return updates
    .filter((update) => update.action === 'merge')
    .map(({ id, recordId, relatedId, before, after, reason, at, episodeId }) => ({
      id,
      entityId: recordId,
      name: before ?? '',
      spelling: after ?? '',
      step: reason,
      at,
      ...(episodeId === undefined ? {} : { episodeId }),
      undone: undone.has(`${recordId} ${relatedId}`),
    }));
}

/** What the steps would join among the entities that are there; nothing is written. */
export async function proposeMerges(userId: string, graph: GraphStore): Promise<MergeProposal[]> {
  const entities = await readAll<Entity>(
    (after) => graph.findEntities({ userId }, { limit: PAGE, ...after }),
    (entity) => entity.id,
  );
  const undone = await readAll<LoggedUpdate>(
    (after) => graph.readUpdates({ userId, actions: ['unmerge'] }, { limit: PAGE, ...after }),
    (update) => String(update.sequence),
  );
  const kept = new Set(undone.map((update) => `${update.recordId} ${update.relatedId}`));
  const buckets = new Map<string, Entity[]>();
  for (const entity of entities)
    for (const prefix of prefixesOf(entity.name)) buckets.set(prefix, [...(buckets.get(prefix) ?? []), entity].slice(-MAX_BUCKET));
  const proposals = new Map<string, MergeProposal>();
  for (const bucket of buckets.values()) {
    for (const [index, first] of bucket.entries()) {
      for (const second of bucket.slice(index + 1)) {
        if (
          first.id === second.id ||
          digitsOf(first.name) !== digitsOf(second.name) ||
          kept.has(`${first.id} ${second.id}`) ||
          kept.has(`${second.id} ${first.id}`)
        )
          continue;
        const step = matchNames(first, second);
        if (step === undefined || (step === 'first name' && sharesFirstName([first, second], bucket))) continue;
        if (step === 'title' && bucket.some((other) => other !== first && other !== second && isTitled(other, [first, second]))) continue;
        const brief = ({ id, name, type }: Entity) => ({ id, name, type });
        proposals.set([first.id, second.id].sort().join(' '), { first: brief(first), second: brief(second), step });
      }
    }
  }
  return [...proposals.values()].sort(
    (a, b) => Number(needsOnlyOne(a.step)) - Number(needsOnlyOne(b.step)) || (a.first.name < b.first.name ? -1 : 1),
  );
}

function sharesFirstName(pair: readonly Entity[], bucket: readonly Entity[]): boolean {
  const first = normalForm(pair[0]?.name ?? '').split(' ')[0];
  return bucket.some((other) => !pair.includes(other) && other.type === 'person' && normalForm(other.name).split(' ')[0] === first);
}

/** "Pell" is neither Mr. nor Mrs. Pell where both are there. */
function isTitled(other: Entity, pair: readonly Entity[]): boolean {
  return pair.some((one) => matchNames(one, other) === 'title');
}

/**
 * Takes a merge back: the spelling becomes an entity of its own, with the mentions that were written so and the edges that only those turns
 * state. The two are never joined again.
 * @throws NOT_FOUND where the log has no such merge, or it was undone before
 */
export async function undoMerge(userId: string, mergeId: string, { graph, clock, userLocks }: StoreDependencies): Promise<UndoneMerge> {
  return userLocks.run(userId, async () => {
    const updates = await readAll<LoggedUpdate>(
      (after) => graph.readUpdates({ userId, actions: ['merge'] }, { limit: PAGE, ...after }),
      (update) => String(update.sequence),
    );
    const merge = updates.find((update) => update.id === mergeId);
    const listed = (await listMerges(userId, graph)).find((each) => each.id === mergeId);
    const [entity] = merge === undefined ? [] : await graph.getEntities(userId, [merge.recordId]);
    const spelling = merge?.after;
    if (merge?.relatedId === undefined || entity === undefined || spelling === undefined || listed?.undone !== false) {
      throw new MemoryError('NOT_FOUND', 'This user has no such merge, or it was undone before. `tandem merges list` shows their ids.', {
        details: { id: mergeId },
      });
    }
    const at = clock.now().toISOString();
    const key = normalForm(spelling);
    // Of two that were one by the caller's word, also what had been taken for the second before.
    const earlier = updates.flatMap(({ recordId, after }) => (recordId === merge.relatedId && after !== undefined ? [normalForm(after)] : []));
    const forms = new Set([key, ...earlier]);
    const own = entity.aliases.filter((alias) => forms.has(normalForm(alias)));
    const created: Entity = {
      ...entity,
      id: merge.relatedId,
      name: spelling,
      key,
      aliases: own.filter((alias) => alias !== spelling),
      createdAt: at,
    };
    const near = await graph.expand({ userId, seedIds: [entity.id], hops: 0, fanOut: MAX_MENTIONS, limit: MAX_MENTIONS });
    const mentions = (
      await graph.mentions(
        userId,
        near.mentions.map((mention) => mention.episodeId),
      )
    ).filter((mention) => mention.entityId === entity.id && forms.has(normalForm(mention.spelling ?? entity.name)));
    const episodeIds = mentions.map((mention) => mention.episodeId);
    const moved = (
      await readAll<Fact>(
        (after) => graph.findFacts({ userId, entityId: entity.id }, { limit: PAGE, ...after }),
        (fact) => fact.id,
      )
    ).filter((fact) => fact.evidence.length > 0 && fact.evidence.every((id) => episodeIds.includes(id)));
    await graph.commit({
      ...emptyChangeSet(userId),
      splits: [{ entityId: entity.id, spellings: own, episodeIds }],
      entities: [created],
      mentions: mentions.map(({ episodeId, spelling: written }) => ({
        episodeId,
        entityId: created.id,
        ...(written === undefined || written === spelling ? {} : { spelling: written }),
      })),
      transfers: moved.length === 0 ? [] : [{ fromId: entity.id, toId: created.id, factIds: moved.map(({ id }) => id) }],
      updates: [
        {
          id: deriveId(userId, 'update', 'unmerge', entity.id, created.id),
          userId,
          action: 'unmerge',
          kind: 'entity',
          recordId: entity.id,
          relatedId: created.id,
          actor: 'caller',
          reason: 'the merge was undone',
          before: entity.name,
          after: spelling,
          at,
        },
      ],
    });
    return { entityId: entity.id, newEntityId: created.id, movedMentions: mentions.length, movedFacts: moved.length };
  });
}

async function readAll<T>(read: (after: { readonly after?: string }) => Promise<T[]>, cursor: (item: T) => string): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const last = items.at(-1);
    const page = await read(last === undefined ? {} : { after: cursor(last) });
    items.push(...page);
    if (page.length < PAGE) return items;
  }
}
