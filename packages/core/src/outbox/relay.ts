import type { EngineOptions } from '../config.ts';
import type { OutboxEntry } from '../domain/change-set.ts';
import type { Episode } from '../domain/episode.ts';
import { type Fact, startOf } from '../domain/fact.ts';
import type { IndexRecord } from '../domain/index-record.ts';
import type { RecordKind } from '../domain/record-kind.ts';
import { weighTerms } from '../domain/text-analysis.ts';
import { MemoryError } from '../errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { KeywordIndex } from '../ports/keyword-index.ts';
import type { VectorIndex } from '../ports/vector-index.ts';

export interface RelayDependencies {
  readonly graph: GraphStore;
  readonly vectors: VectorIndex;
  readonly keywords: KeywordIndex;
  readonly embedding: EmbeddingModel;
}

/** A record that its index does not take, and why. The queue goes on without it; `repair()` tries it again. */
export interface RefusedRecord {
  readonly userId: string;
  readonly kind: RecordKind;
  readonly recordId: string;
  readonly reason: string;
}

export interface RelayedBatch {
  /** The highest sequence done; 0 where nothing was waiting. */
  readonly sequence: number;
  readonly refused: readonly RefusedRecord[];
}

/** What has to become of a record in the indexes. */
export type RelayStep = Pick<OutboxEntry, 'operation' | 'kind' | 'recordId'>;

/**
 * Brings the oldest outbox entries to the indexes, then acknowledges them. At least once: a kill at any point leaves entries that the next
 * call does again, with the same result. What the indexes get is derived from the graph alone, so a rebuild gives the same.
 */
export async function relayBatch(dependencies: RelayDependencies, options: EngineOptions['indexing'], signal?: AbortSignal): Promise<RelayedBatch> {
  const { graph } = dependencies;
  const entries = await graph.readOutbox(options.batchSize);
  const refused: RefusedRecord[] = [];
  for (const [userId, own] of groupByUser(entries)) refused.push(...(await relaySteps(userId, own, dependencies, options, signal)));
  await graph.acknowledge(entries.map((entry) => entry.sequence));
  return { sequence: entries.at(-1)?.sequence ?? 0, refused };
}

/**
 * Makes the indexes hold of these records what the graph holds.
 * @returns the records that an index or the embedding model refuses, for what they are and not for the state of a server
 */
export async function relaySteps(
  userId: string,
  steps: readonly RelayStep[],
  dependencies: RelayDependencies,
  options: EngineOptions['indexing'],
  signal?: AbortSignal,
): Promise<RefusedRecord[]> {
  const { vectors, keywords } = dependencies;
  // Of several steps for one record only the last matters: an upsert writes what the graph holds now.
  const last = [...new Map(steps.map((step) => [step.recordId, step])).values()];
  const removed = last.filter((step) => step.operation === 'delete').map((step) => step.recordId);
  const refused: RefusedRecord[] = [];
  const refuse = (record: Pick<IndexRecord, 'id' | 'kind'>, error: MemoryError) =>
    refused.push({ userId, kind: record.kind, recordId: record.id, reason: `${error.code}: ${error.message}` });
  const drafts = await draftRecords(userId, last, dependencies.graph, options);
  const records = await embedDrafts(drafts, dependencies.embedding, (draft, error) => refuse(draft.record, error), signal);
  for (const index of new Set([vectors, keywords])) {
    if (removed.length > 0) await index.delete(userId, removed, signal);
    await eachOrTogether(
      records,
      (some) => index.upsert(some, signal),
      async (error) => error.code === 'INPUT_INVALID',
      refuse,
    );
  }
  await deleteForgotten(userId, records, dependencies, signal);
  return refused;
}

/** A record that was erased while it was embedded, perhaps by another process whose relay has been here already, must not come back. */
async function deleteForgotten(
  userId: string,
  records: readonly IndexRecord[],
  { graph, vectors, keywords }: RelayDependencies,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (records.length === 0) return;
  const ids = (kind: RecordKind) => records.filter((record) => record.kind === kind).map((record) => record.id);
  const there = new Set(
    [...(await graph.getEpisodes(userId, ids('episode'))), ...(await graph.getFacts(userId, ids('fact')))].map((record) => record.id),
  );
  const gone = records.filter((record) => !there.has(record.id)).map((record) => record.id);
  if (gone.length > 0) for (const index of new Set([vectors, keywords])) await index.delete(userId, gone, signal);
}

async function draftRecords(userId: string, steps: readonly RelayStep[], graph: GraphStore, options: EngineOptions['indexing']): Promise<Draft[]> {
  const wanted = (kind: RecordKind) => steps.filter((step) => step.kind === kind && step.operation === 'upsert').map((step) => step.recordId);
  const episodes = await graph.getEpisodes(userId, wanted('episode'));
  const facts = await graph.getFacts(userId, wanted('fact'));
  const stated = facts.flatMap((fact) => fact.evidence.slice(0, 1));
  const sources = new Map((await graph.getEpisodes(userId, stated)).map((episode) => [episode.id, episode]));
  const threaded = episodes.filter((episode) => episode.threadId !== undefined && episode.kind === 'message').map((episode) => episode.id);
  const before =
    options.contextWeights.length === 0 ? new Map<string, Episode[]>() : await graph.neighbours(userId, threaded, options.contextWeights.length);
  return [
    ...episodes.map((episode) => episodeDraft(episode, before.get(episode.id) ?? [], options)),
    ...facts.map((fact) => factDraft(fact, sources.get(fact.evidence[0] ?? ''), options.ownWeight)),
  ];
}

async function embedDrafts(
  drafts: readonly Draft[],
  embedding: EmbeddingModel,
  refuse: (draft: Draft, error: MemoryError) => void,
  signal: AbortSignal | undefined,
): Promise<IndexRecord[]> {
  const records: IndexRecord[] = [];
  const embed = async (batch: readonly Draft[]) => {
    const found = await embedding.embed(
      batch.map((draft) => draft.text),
      'document',
      signal,
    );
    for (const [i, draft] of batch.entries()) {
      const vector = found[i];
      if (vector !== undefined) records.push({ ...draft.record, vector });
    }
  };
  // A wrong key or model name is answered like a text that the model does not take. A harmless text tells which of the two it is.
  let harmless: Promise<unknown> | undefined;
  const isRefusal = async (error: MemoryError) => {
    if (error.code !== 'MODEL_REJECTED' && error.code !== 'INPUT_INVALID') return false;
    harmless ??= embedding.embed(['text'], 'document', signal);
    return harmless.then(
      () => true,
      () => false,
    );
  };
  for (let start = 0; start < drafts.length; start += embedding.maxBatchSize) {
    await eachOrTogether(drafts.slice(start, start + embedding.maxBatchSize), embed, isRefusal, refuse);
  }
  return records;
}

/** Does the work for all at once; where one of them is refused, halves find out which. */
async function eachOrTogether<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<void>,
  isRefusal: (error: MemoryError) => Promise<boolean>,
  refuse: (item: Item, error: MemoryError) => void,
): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  try {
    await work(items);
  } catch (error) {
    if (!MemoryError.isInstance(error) || !(await isRefusal(error))) throw error;
    if (items.length === 1) return refuse(first, error);
    const half = Math.ceil(items.length / 2);
    await eachOrTogether(items.slice(0, half), work, isRefusal, refuse);
    await eachOrTogether(items.slice(half), work, isRefusal, refuse);
  }
}

interface Draft {
  readonly text: string;
  readonly record: Omit<IndexRecord, 'vector'>;
}

/** The text of a turn as it is embedded: with its speaker, or the section it stands in, which carry meaning that the words alone lack. */
function embeddedText(episode: Episode): string {
  const lead = episode.speaker ?? section(episode);
  return lead === undefined ? episode.content : `${lead}: ${episode.content}`;
}

/** As keywords the speaker's name would only add a word that half of all turns have. */
function keywordText(episode: Episode): string {
  const lead = section(episode);
  return lead === undefined ? episode.content : `${lead}\n${episode.content}`;
}

/** Title of the document and headings above the chunk: what a chapter is about stands there and nowhere else. */
function section(episode: Episode): string | undefined {
  const [title, headings] = [episode.metadata['title'], episode.metadata['section']].map((name) => (typeof name === 'string' ? name : undefined));
  if (headings === undefined || title === undefined) return headings ?? title;
  return headings.startsWith(title) ? headings : `${title} > ${headings}`;
}

function episodeDraft(episode: Episode, before: readonly Episode[], options: EngineOptions['indexing']): Draft {
  const context = before.map((earlier, index) => ({ text: earlier.content, weight: options.contextWeights[index] ?? 0 }));
  return {
    text: embeddedText(episode),
    record: {
      id: episode.id,
      kind: 'episode',
      userId: episode.userId,
      ...indexScope(episode),
      at: episode.at,
      content: { kind: 'episode', episode },
      terms: weighTerms([{ text: keywordText(episode), weight: options.ownWeight }, ...context]),
    },
  };
}

/** A fact is found under the scope of the episode that stated it first. */
function factDraft(fact: Fact, source: Episode | undefined, ownWeight: number): Draft {
  return {
    text: fact.text,
    record: {
      ...indexScope(source),
      id: fact.id,
      kind: 'fact',
      userId: fact.userId,
      content: { kind: 'fact', fact },
      at: startOf(fact),
      terms: weighTerms([{ text: fact.text, weight: ownWeight }]),
    },
  };
}

function indexScope(episode: Episode | undefined): Pick<IndexRecord, 'agentId' | 'sessionId' | 'sourceId'> {
  return {
    ...(episode?.agentId === undefined ? {} : { agentId: episode.agentId }),
    ...(episode?.sessionId === undefined ? {} : { sessionId: episode.sessionId }),
    ...(episode?.sourceId === undefined ? {} : { sourceId: episode.sourceId }),
  };
}

function groupByUser(entries: readonly OutboxEntry[]): Map<string, OutboxEntry[]> {
  const groups = new Map<string, OutboxEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.userId);
    if (group === undefined) groups.set(entry.userId, [entry]);
    else group.push(entry);
  }
  return groups;
}
