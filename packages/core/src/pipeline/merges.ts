import { type ChangeSet, emptyChangeSet } from '../domain/change-set.ts';
import type { Entity } from '../domain/entity.ts';
import type { Episode } from '../domain/episode.ts';
import type { Extraction } from '../domain/extraction.ts';
import { deriveId } from '../domain/id.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { JoinedNames } from '../domain/receipt.ts';
import type { Timestamp } from '../domain/time.ts';
import type { LoggedUpdate, Update } from '../domain/update-log.ts';
import { MemoryError } from '../errors.ts';
import { namesIn } from '../lifecycle/names-in-text.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { joinsNames, livingMerges, namesOf, namesWith, STATED, undoes } from '../resolution/joined-names.ts';
import { digitsOf, type MatchStep, matchNames, needsOnlyOne } from '../resolution/match-name.ts';
import { collectNames, statedPairs } from '../resolution/names.ts';
import { prefixesOf } from '../resolution/spelling.ts';
import { mentionsOf, type Parting, partNames } from './part-names.ts';
import { readAll } from './read-all.ts';
import { toldMerge, uniqueById } from './store-receipt.ts';
import { unlessErasedMeanwhile } from './unless-forgotten.ts';
import type { RecordDependencies } from './user-locks.ts';

/** A name that was taken for a known entity. */
export interface EntityMerge extends JoinedNames {
  readonly at: Timestamp;
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

const MAX_BUCKET = 200;

/** Merges by more than the normal form, in the order in which they were made: those that hold, each once, and those that were undone by name. */
export async function listMerges(userId: string, graph: GraphStore): Promise<EntityMerge[]> {
  const log = await readMerges(userId, graph);
  const living = new Set(livingMerges(log));
  const undone = log.filter(({ action, after }) => action === 'unmerge' && after !== undefined);
  const listed = new Map<string, EntityMerge>();
  for (const merge of log.filter(({ action }) => action === 'merge')) {
    const isUndone = !living.has(merge);
    if (isUndone && !undone.some((entry) => undoes(entry, merge) && entry.sequence > merge.sequence)) continue;
    const pair = [...namesOf(merge)].sort().join('\n');
    if (listed.get(pair)?.undone !== false) listed.set(pair, { ...toldMerge(merge), at: merge.at, undone: isUndone });
  }
  return [...listed.values()];
}

/** Merges and what undid them, in the order of the commits. */
async function readMerges(userId: string, graph: GraphStore): Promise<LoggedUpdate[]> {
  return readAll<LoggedUpdate>(
    (page) => graph.readUpdates({ userId, actions: ['merge', 'unmerge'] }, page),
    ({ sequence }) => String(sequence),
  );
}

/** The entity that has both names of a merge: it may have become another since, or have been renamed. */
async function holderOf(merge: Update, graph: GraphStore): Promise<Entity | undefined> {
  const [before, after] = namesOf(merge);
  const found = await graph.findEntities({ userId: merge.userId, keys: [after] }, { limit: 100 });
  const holders = found.filter((entity) => formsOf(entity).has(before));
  return holders.find(({ id }) => id === merge.recordId) ?? holders[0];
}

function formsOf({ key, name, aliases }: Entity): Set<string> {
  return new Set([key, ...[name, ...aliases].map(normalForm)]);
}

/** Merges between names of the entity. */
function within(entity: Entity, merges: readonly Update[]): Update[] {
  const forms = formsOf(entity);
  return merges.filter((merge) => namesOf(merge).every((name) => forms.has(name)));
}

/** What the steps would join among the entities that are there; nothing is written. */
export async function proposeMerges(userId: string, graph: GraphStore): Promise<MergeProposal[]> {
  const entities = await readAll<Entity>(
    (page) => graph.findEntities({ userId }, page),
    (entity) => entity.id,
  );
  const undone = (await readMerges(userId, graph)).filter(({ action, after }) => action === 'unmerge' && after !== undefined);
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
 * Takes a merge back: the name becomes an entity of its own, with what was joined to it besides; see `partNames`. The two are never joined again.
 * @throws NOT_FOUND where the log has no such merge, or it was undone before
 */
export async function undoMerge(userId: string, mergeId: string, { graph, clock, userLocks }: RecordDependencies): Promise<UndoneMerge> {
  return userLocks.run(userId, () =>
    unlessErasedMeanwhile(userId, graph, async () => {
      const log = await readMerges(userId, graph);
      const living = livingMerges(log);
      const asked = log.find(({ id, action }) => id === mergeId && action === 'merge');
      // It may stand for another entity since.
      const merge = asked && (living.find(({ id }) => id === mergeId) ?? living.find((other) => isSameTelling(other, asked)));
      const entity = merge === undefined ? undefined : await holderOf(merge, graph);
      if (merge === undefined || entity === undefined) {
        throw new MemoryError('NOT_FOUND', 'This user has no such merge, or it was undone before. `tandem merges list` shows their ids.', {
          details: { id: mergeId },
        });
      }
      const at = clock.now().toISOString();
      const own = within(entity, living);
      const isOver = (other: Update) => joinsNames(other, namesOf(merge));
      const parting = partingOf(
        merge,
        entity,
        own.filter((other) => !isOver(other)),
      );
      const { changes, movedMentions, movedFacts } = await partNames(parting, at, graph);
      const over = [{ ...merge, recordId: entity.id, relatedId: parting.id }, ...own.filter((other) => isOver(other) || isAcross(other, parting))];
      const unmerged = over.map(({ recordId, relatedId = parting.id, before = '', after = '' }) => ({
        ...unmerge({ userId, recordId, relatedId, before, after, at }),
        actor: 'caller' as const,
        reason: 'the merge was undone',
      }));
      return {
        changes: { ...changes, updates: [...changes.updates, ...uniqueById(unmerged), ...takenAlong(parting, own, at)] },
        result: { entityId: entity.id, newEntityId: parting.id, movedMentions, movedFacts },
      };
    }),
  );
}

/** Whether it joins what leaves with what stays. */
function isAcross(merge: Update, { leaving }: Parting): boolean {
  const [before, after] = namesOf(merge);
  return leaving.has(before) !== leaving.has(after);
}

/** @param rest what joins names of the entity besides */
function partingOf(merge: Update, entity: Entity, rest: readonly Update[]): Parting {
  const [before, after] = namesOf(merge);
  const taken = { form: after, name: merge.after ?? '', id: merge.relatedId ?? entity.id };
  const known = { form: before, name: merge.before ?? '', id: merge.recordId };
  // What hangs on the entity's own name stays.
  const apart = [taken, known].find(({ form }) => !namesWith(form, rest).has(entity.key));
  const { form, name, id } = apart ?? (after === entity.key ? known : taken);
  return {
    entity,
    // Joined by others too, which were not undone: the name alone goes.
    leaving: apart === undefined ? new Set([form]) : namesWith(form, rest),
    name,
    id: id === entity.id ? deriveId(entity.userId, 'entity', form, entity.type) : id,
  };
}

/**
 * What follows where turns that told of merges are gone, or tell of them no more: names that nothing else joins are parted. A merge by comparison of
 * the names stands as long as a turn has the name. To be called under the user's lock.
 * @param merges out of the log already or, with `turn`, to be ended there
 */
export async function partUntold(
  userId: string,
  merges: readonly Update[],
  { graph, clock }: Pick<RecordDependencies, 'graph' | 'clock'>,
  turn?: string,
): Promise<void> {
  // At once: a store on a server reads them in one go.
  const holders = await Promise.all(merges.map((merge) => holderOf(merge, graph)));
  const open = merges.filter((_, index) => turn !== undefined || holders[index] !== undefined);
  for (const [index, merge] of open.entries()) {
    // One after the other: what the later ones join still goes together.
    const later = open.slice(index + 1);
    await unlessErasedMeanwhile(userId, graph, async () => ({
      changes: await changesWithout(merge, later, clock.now().toISOString(), graph, turn),
      result: undefined,
    }));
  }
}

async function changesWithout(
  merge: Update,
  later: readonly Update[],
  at: Timestamp,
  graph: GraphStore,
  turn: string | undefined,
): Promise<ChangeSet> {
  const { userId, recordId, relatedId = '' } = merge;
  const told = livingMerges(await readMerges(userId, graph)).filter(
    (other) => turn === undefined || other.episodeId !== turn || !joinsNames(other, namesOf(merge)),
  );
  const living = [...told, ...later];
  const entity = await holderOf(merge, graph);
  const over = {
    ...unmerge({ userId, recordId, relatedId, at }),
    actor: merge.actor,
    reason: 'what told of it is gone',
    ...(turn === undefined ? {} : { episodeId: turn }),
  };
  const none = { ...emptyChangeSet(userId), updates: turn === undefined ? [] : [over] };
  const [before, after] = namesOf(merge);
  if (entity === undefined || namesWith(before, within(entity, living)).has(after)) return none;
  const named = merge.reason === STATED ? undefined : await turnNaming(after, entity, turn, graph);
  if (named !== undefined) return { ...none, updates: [...none.updates, { ...merge, id: deriveId(merge.id, named, at), episodeId: named }] };
  const parting = partingOf(merge, entity, within(entity, living));
  const { changes } = await partNames(parting, at, graph);
  return { ...changes, updates: [...changes.updates, over, ...takenAlong(parting, within(entity, told), at)] };
}

/** Merges within what stays and within what leaves stand for that one alone from now on: they must not go with the other. */
function takenAlong(parting: Parting, merges: readonly Update[], at: Timestamp): Update[] {
  const { entity, leaving, id } = parting;
  const { userId } = entity;
  return merges.flatMap((merge) => {
    const { recordId, relatedId = '', episodeId, actor } = merge;
    if (isAcross(merge, parting)) return [];
    const [home, other] = leaving.has(namesOf(merge)[1]) ? [id, entity.id] : [entity.id, id];
    if (recordId !== other && relatedId !== other) return [];
    const over = unmerge({ userId, recordId, relatedId, at });
    const told = episodeId === undefined ? {} : { episodeId };
    return [
      { ...over, id: deriveId(over.id, merge.id), ...told, actor, reason: 'its names are of another entity now' },
      { ...merge, id: deriveId(merge.id, home, at), recordId: home, relatedId: deriveId(userId, 'name', ...namesOf(merge)) },
    ];
  });
}

function isSameTelling(one: Update, other: Update): boolean {
  return one.episodeId === other.episodeId && joinsNames(one, namesOf(other));
}

/** Merges that the turn told of and that its new text, as it was read, tells of no more. */
export async function mergesNotToldBy(turn: Episode, extraction: Extraction, graph: GraphStore): Promise<Update[]> {
  const told = livingMerges(await readMerges(turn.userId, graph)).filter(({ episodeId }) => episodeId === turn.id);
  if (told.length === 0) return [];
  const pairs = statedPairs(extraction, [turn]).map(({ names: [first, second] }) => [normalForm(first), normalForm(second)] as const);
  const named = collectNames(extraction, [turn]);
  return told.filter((merge) => (merge.reason === STATED ? !pairs.some((pair) => joinsNames(merge, pair)) : !named.has(namesOf(merge)[1])));
}

/** Another turn that has the name. */
async function turnNaming(form: string, entity: Entity, turn: string | undefined, graph: GraphStore): Promise<string | undefined> {
  const mentions = (await mentionsOf(entity, graph)).filter(({ episodeId }) => episodeId !== turn);
  const spelled = mentions.find(({ spelling }) => normalForm(spelling ?? entity.name) === form);
  if (spelled !== undefined) return spelled.episodeId;
  const names = [entity.name, ...entity.aliases];
  const isNamed = namesIn(
    names.filter((name) => normalForm(name) === form),
    names.filter((name) => normalForm(name) !== form),
  );
  const episodes = await graph.getEpisodes(
    entity.userId,
    mentions.map(({ episodeId }) => episodeId),
  );
  return episodes.find(({ content }) => isNamed(content))?.id;
}

function unmerge(
  fields: Pick<Update, 'userId' | 'recordId' | 'before' | 'after' | 'at'> & { readonly relatedId: string },
): Omit<Update, 'actor' | 'reason'> {
  const { userId, recordId, relatedId, before, after, at } = fields;
  return { ...fields, id: deriveId(userId, 'update', 'unmerge', recordId, relatedId, before, after, at), action: 'unmerge', kind: 'entity' };
}
