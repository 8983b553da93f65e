import { z } from 'zod';
import type { EngineOptions } from '../config.ts';
import { type ChangeSet, type Decision, emptyChangeSet, type OutboxItem } from '../domain/change-set.ts';
import { cleanText } from '../domain/clean-text.ts';
import type { Episode, EpisodeState } from '../domain/episode.ts';
import { type Extraction, NO_USAGE } from '../domain/extraction.ts';
import type { Fact } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import { type Metadata, metadataSchema } from '../domain/json.ts';
import type { Update } from '../domain/update-log.ts';
import { isModelFailure, MemoryError } from '../errors.ts';
import { plan } from '../resolution/plan.ts';
import { resolve } from '../resolution/resolve.ts';
import { BoundedJudge } from './bounded-judge.ts';
import { cleanInput } from './hygiene.ts';
import { mergesNotToldBy, partUntold } from './merges.ts';
import { isBlank, parseInput, requireLength, requireTree } from './read-input.ts';
import { METADATA_CHANGED, revision, sameJson, TEXT_CHANGED } from './revision.ts';
import { type StoreDependencies, withConsequences } from './store.ts';
import { undoEnds } from './undo-ends.ts';

export interface MemoryUpdate {
  /** The new text. Absent: the text stays. */
  readonly text?: string;
  /** The new metadata, in place of the old. Absent: it stays. */
  readonly metadata?: Metadata;
}

export interface UpdateReceipt {
  readonly id: string;
  /** False where the memory was like this already; then nothing is written. */
  readonly changed: boolean;
  /** What became of facts that were read out of the old text, and out of the new one. */
  readonly decisions: readonly Decision[];
  readonly degraded: readonly string[];
}

const MAX_FACTS_OF_A_TURN = 1000;
const changeSchema = z.strictObject({ text: z.string().transform(cleanText).exactOptional(), metadata: metadataSchema.exactOptional() });

/**
 * Changes the text or the metadata of one memory. Its id, its times and what is not named stay; indexes follow; facts that only the old text
 * stated never held, and what they had ended holds again unless another turn tells the same. The new text of a turn is read like a new turn. Updates of one user happen one after another, each in the history.
 * @throws NOT_FOUND, INPUT_INVALID, UNSUPPORTED for the text of an edge of the graph
 */
export async function update(
  userId: string,
  id: string,
  wanted: MemoryUpdate,
  dependencies: StoreDependencies,
  engine: EngineOptions,
): Promise<UpdateReceipt> {
  requireTree(wanted, 'change');
  const given = wanted as MemoryUpdate | null | undefined;
  const change = parseInput(changeSchema, given && cleanChange(given, engine.hygiene.secrets), 'change');
  if (change.text !== undefined && isBlank(change.text)) throw new MemoryError('INPUT_INVALID', '`text` is empty. To remove a memory, forget it.');
  requireLength(change.text ?? '', 'change.text');
  const { graph, userLocks } = dependencies;
  const [found] = await graph.getEpisodes(userId, [id]);
  // A model may take its time; nobody waits for it in the line of this user.
  const read =
    found === undefined || change.text === undefined || change.text === found.content ? undefined : await readAnew(found, change.text, dependencies);
  return userLocks.run(userId, async () => {
    for (;;) {
      const { epoch } = await graph.erasures(userId);
      try {
        return await updateRecord(userId, id, change, read, epoch, dependencies, engine);
      } catch (error) {
        // Something of the user was forgotten meanwhile, perhaps this very memory.
        if (!MemoryError.isInstance(error) || error.code !== 'FORGOTTEN') throw error;
      }
    }
  });
}

async function updateRecord(
  userId: string,
  id: string,
  change: MemoryUpdate,
  read: Read | undefined,
  epoch: number,
  dependencies: StoreDependencies,
  engine: EngineOptions,
): Promise<UpdateReceipt> {
  const [episode] = await dependencies.graph.getEpisodes(userId, [id]);
  if (episode !== undefined) return updateEpisode(episode, change, read, epoch, dependencies, engine);
  const [fact] = await dependencies.graph.getFacts(userId, [id]);
  if (fact !== undefined) return updateFact(fact, change, epoch, dependencies);
  throw new MemoryError('NOT_FOUND', 'This user has no memory with that id. Ids stand in receipts and in the items of retrieve().', {
    details: { id },
  });
}

/** As of a store: what must not be saved is taken out before a model sees it. What is undefined is as if it were not there. */
function cleanChange({ text, metadata, ...unknown }: MemoryUpdate, secrets: EngineOptions['hygiene']['secrets']): object {
  const { input } = cleanInput({ role: 'user', content: text ?? '', ...(metadata === undefined ? {} : { metadata }) }, secrets);
  const { content, metadata: cleaned } = input as { readonly content: string; readonly metadata?: Metadata };
  return { ...unknown, ...(text === undefined ? {} : { text: content }), ...(metadata === undefined ? {} : { metadata: cleaned }) };
}

interface Read {
  readonly extraction: Extraction;
  readonly state: EpisodeState;
  readonly failure?: string;
}

const NOTHING: Extraction = { origin: 'caller', entities: [], relations: [], facts: [], skipped: [], usage: NO_USAGE };

async function readAnew(episode: Episode, content: string, { extractor, modelQueue }: StoreDependencies): Promise<Read> {
  if (episode.state === 'verbatim') return { extraction: NOTHING, state: 'verbatim' };
  const read = () => extractor.extract({ episodes: [{ ...episode, content }], preceding: [] });
  try {
    const extraction = extractor.local ? await read() : await modelQueue.add(read);
    return { extraction, state: extraction.origin === 'rules' ? 'outlined' : 'extracted' };
  } catch (error) {
    if (!isModelFailure(error)) throw error;
    return { extraction: NOTHING, state: 'failed', failure: `${error.code}: ${error.message}` };
  }
}

async function updateEpisode(
  episode: Episode,
  change: MemoryUpdate,
  read: Read | undefined,
  epoch: number,
  dependencies: StoreDependencies,
  engine: EngineOptions,
): Promise<UpdateReceipt> {
  const { graph, clock, relay } = dependencies;
  const { userId, id } = episode;
  const now = clock.now();
  const at = now.toISOString();
  const text = change.text !== undefined && change.text !== episode.content ? change.text : undefined;
  const metadata = change.metadata !== undefined && !sameJson(change.metadata, episode.metadata) ? change.metadata : undefined;
  if (text === undefined && metadata === undefined) return { id, changed: false, decisions: [], degraded: [] };
  const outbox: OutboxItem[] = [{ operation: 'upsert', kind: 'episode', recordId: id }];
  let changes: ChangeSet = emptyChangeSet(userId);
  const decisions: Decision[] = [];
  const updates: Update[] = [revised(episode, 'episode', at, text === undefined ? undefined : { before: episode.content, after: text })];
  if (text !== undefined && read !== undefined) {
    const retold = { ...episode, content: text };
    // Before the new text is read: its names are those of the memory without what is not told any more.
    await partUntold(userId, await mergesNotToldBy(retold, read.extraction, graph), dependencies, id);
    const judge = new BoundedJudge(dependencies.judge, engine.deadlines.recallMs, undefined);
    const resolution = await resolve({ userId, episodes: [retold], extraction: read.extraction, now }, { ...dependencies, judge }, engine.resolution);
    const planned = await withConsequences(plan(userId, { ...resolution, retold: true }, at), userId, at, graph);
    const kept = new Set(planned.changes.facts.map((fact) => fact.id));
    const stale = (await graph.findFacts({ userId, episodeId: id }, { limit: MAX_FACTS_OF_A_TURN })).filter(
      (fact) => !kept.has(fact.id) && fact.evidence.every((source) => source === id) && (fact.invalidAt ?? '') !== (fact.validAt ?? fact.createdAt),
    );
    const reason = 'the text that stated it was changed';
    for (const fact of stale) {
      decisions.push({ action: 'invalidate', factId: fact.id, reason });
      updates.push({
        id: deriveId(userId, 'update', 'invalidate', fact.id, id, at),
        userId,
        action: 'invalidate',
        kind: 'fact',
        recordId: fact.id,
        actor: 'caller',
        reason,
        episodeId: id,
        at,
      });
      if (fact.origin !== 'rules') outbox.push({ operation: 'delete', kind: 'fact', recordId: fact.id });
    }
    const undone = await undoEnds(episode, stale, planned.changes.facts, at, graph);
    decisions.push(...undone.decisions, ...planned.decisions);
    changes = {
      ...planned.changes,
      episodes: [],
      states: [{ episodeId: id, state: read.state, ...(read.failure === undefined ? {} : { failure: read.failure }) }],
      reopenings: undone.changes.reopenings,
      revisions: [...undone.changes.revisions, ...planned.changes.revisions],
      closures: [
        ...planned.changes.closures,
        ...undone.changes.closures,
        ...stale.map((fact) => ({ factId: fact.id, invalidAt: fact.validAt ?? fact.createdAt, expiredAt: at, reason })),
      ],
      updates: [...updates, ...undone.changes.updates, ...planned.changes.updates],
      outbox: [
        ...outbox,
        ...undone.changes.outbox,
        ...planned.changes.outbox.filter((item) => item.recordId !== id),
        ...(await wordsOf(episode, dependencies, engine)),
      ],
    };
  } else changes = { ...changes, updates, outbox };
  const committed = await graph.commit({
    ...changes,
    epoch,
    revisions: [
      ...changes.revisions,
      { episodeId: id, ...(text === undefined ? {} : { content: text }), ...(metadata === undefined ? {} : { metadata }), updatedAt: at },
    ],
  });
  const degraded = read?.failure === undefined ? [] : [`extraction failed: ${read.failure}`];
  return {
    id,
    changed: true,
    decisions,
    degraded: [
      ...degraded,
      ...(await settled(
        relay,
        committed.outbox.map((entry) => entry.sequence),
      )),
    ],
  };
}

/** Turns that follow are found by the words of this one too; they have to forget the old ones. */
async function wordsOf(episode: Episode, { graph }: StoreDependencies, engine: EngineOptions): Promise<OutboxItem[]> {
  const reach = engine.indexing.contextWeights.length;
  if (reach === 0 || episode.threadId === undefined) return [];
  const after = (await graph.neighbours(episode.userId, [episode.id], -reach)).get(episode.id) ?? [];
  return after.map((next) => ({ operation: 'upsert', kind: 'episode', recordId: next.id }));
}

async function updateFact(fact: Fact, change: MemoryUpdate, epoch: number, { graph, clock, relay }: StoreDependencies): Promise<UpdateReceipt> {
  const { userId, id } = fact;
  const text = change.text !== undefined && change.text !== fact.text ? change.text : undefined;
  const properties = change.metadata !== undefined && !sameJson(change.metadata, fact.properties) ? change.metadata : undefined;
  if (text === undefined && properties === undefined) return { id, changed: false, decisions: [], degraded: [] };
  if (text !== undefined && fact.predicate !== undefined) {
    throw new MemoryError(
      'UNSUPPORTED',
      'This fact is an edge of the graph: with another text its ends would be wrong. Store what holds now, and the edge ends by itself.',
      { details: { id } },
    );
  }
  const at = clock.now().toISOString();
  const outbox: OutboxItem[] = fact.origin === 'rules' ? [] : [{ operation: 'upsert', kind: 'fact', recordId: id }];
  const updates = [revised(fact, 'fact', at, text === undefined ? undefined : { before: fact.text, after: text })];
  const committed = await graph.commit({
    ...emptyChangeSet(userId),
    epoch,
    factRevisions: [{ factId: id, ...(text === undefined ? {} : { text }), ...(properties === undefined ? {} : { properties }) }],
    updates,
    outbox,
  });
  return {
    id,
    changed: true,
    decisions: [],
    degraded: await settled(
      relay,
      committed.outbox.map((entry) => entry.sequence),
    ),
  };
}

function revised(
  record: Episode | Fact,
  kind: Update['kind'],
  at: string,
  texts: { readonly before: string; readonly after: string } | undefined,
): Update {
  return revision(record, kind, at, texts === undefined ? METADATA_CHANGED : TEXT_CHANGED, texts);
}

/** Waits for the indexes. @returns why they do not have it yet, if so */
export async function settled(relay: StoreDependencies['relay'], sequences: readonly number[]): Promise<string[]> {
  if (sequences.length === 0) return [];
  try {
    await relay.until(Math.max(...sequences));
    return [];
  } catch (error) {
    if (!MemoryError.isInstance(error) || error.kind === 'config') throw error;
    return [`saved, but not yet in the index: ${error.code}: ${error.message}`];
  }
}
