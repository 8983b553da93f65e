import type { EngineOptions } from '../config.ts';
import type { OutboxEntry } from '../domain/change-set.ts';
import type { Episode } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
import type { IndexRecord } from '../domain/index-record.ts';
import { weighTerms } from '../domain/text-analysis.ts';
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

/**
 * Brings the oldest outbox entries to the indexes, then acknowledges them. At least once: a kill at any point leaves entries that the next
 * call does again, with the same result. What the indexes get is derived from the graph alone, so a rebuild gives the same.
 * @returns the highest sequence done; 0 where nothing was waiting
 */
export async function relayBatch(dependencies: RelayDependencies, options: EngineOptions['indexing'], signal?: AbortSignal): Promise<number> {
  const { graph, vectors, keywords } = dependencies;
  const entries = await graph.readOutbox(options.batchSize);
  if (entries.length === 0) return 0;
  for (const [userId, own] of groupByUser(entries)) {
    // Of several steps for one record only the last matters: an upsert writes what the graph holds now.
    const last = new Map(own.map((entry) => [entry.recordId, entry]));
    const removed = [...last.values()].filter((entry) => entry.operation === 'delete').map((entry) => entry.recordId);
    const records = await indexRecords(userId, [...last.values()], dependencies, options, signal);
    for (const index of new Set([vectors, keywords])) {
      if (removed.length > 0) await index.delete(userId, removed, signal);
      if (records.length > 0) await index.upsert(records, signal);
    }
    // Another process may have erased a record, and made the indexes delete it, while this one embedded it.
    const gone = await erasedMeanwhile(userId, records, graph);
    for (const index of new Set([vectors, keywords])) if (gone.length > 0) await index.delete(userId, gone);
  }
  await graph.acknowledge(entries.map((entry) => entry.sequence));
  return entries.at(-1)?.sequence ?? 0;
}

async function erasedMeanwhile(userId: string, records: readonly IndexRecord[], graph: GraphStore): Promise<string[]> {
  if (records.length === 0) return [];
  const ids = records.map((record) => record.id);
  const there = new Set([...(await graph.getEpisodes(userId, ids)), ...(await graph.getFacts(userId, ids))].map((record) => record.id));
  return ids.filter((id) => !there.has(id));
}

async function indexRecords(
  userId: string,
  entries: readonly OutboxEntry[],
  { graph, embedding }: RelayDependencies,
  options: EngineOptions['indexing'],
  signal: AbortSignal | undefined,
): Promise<IndexRecord[]> {
  const wanted = (kind: OutboxEntry['kind']) =>
    entries.filter((entry) => entry.kind === kind && entry.operation === 'upsert').map((entry) => entry.recordId);
  const episodes = await graph.getEpisodes(userId, wanted('episode'));
  const facts = await graph.getFacts(userId, wanted('fact'));
  const sources = new Map(
    (
      await graph.getEpisodes(
        userId,
        facts.flatMap((fact) => fact.evidence.slice(0, 1)),
      )
    ).map((episode) => [episode.id, episode]),
  );
  const threaded = episodes.filter((episode) => episode.threadId !== undefined && episode.kind === 'message');
  const before =
    options.contextWeights.length === 0
      ? new Map<string, Episode[]>()
      : await graph.neighbours(
          userId,
          threaded.map((episode) => episode.id),
          options.contextWeights.length,
        );
  const drafts = [
    ...episodes.map((episode) => episodeDraft(episode, before.get(episode.id) ?? [], options)),
    ...facts.map((fact) => factDraft(fact, sources.get(fact.evidence[0] ?? ''), options.ownWeight)),
  ];
  const records: IndexRecord[] = [];
  for (let start = 0; start < drafts.length; start += embedding.maxBatchSize) {
    const batch = drafts.slice(start, start + embedding.maxBatchSize);
    const found = await embedding.embed(
      batch.map((draft) => draft.text),
      'document',
      signal,
    );
    for (const [i, draft] of batch.entries()) {
      const vector = found[i];
      if (vector !== undefined) records.push({ ...draft.record, vector });
    }
  }
  return records;
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

function section(episode: Episode): string | undefined {
  const title = episode.metadata['section'] ?? episode.metadata['title'];
  return typeof title === 'string' ? title : undefined;
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
      at: fact.validAt ?? fact.createdAt,
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
