import type PQueue from 'p-queue';
import { emptyChangeSet, type OutboxItem } from '../domain/change-set.ts';
import type { NewEpisode } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import { isModelFailure } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { Summariser } from '../ports/summariser.ts';
import type { IncomingEpisode } from './read-input.ts';
import type { StoredDocument } from './replace-document.ts';

export interface SummaryDependencies {
  readonly graph: GraphStore;
  readonly summariser?: Summariser;
  readonly clock: Clock;
  /** Bounds the calls to the model, over all stores of this engine. */
  readonly modelQueue: PQueue;
}

/** What one chunk says needs no summary. */
const MIN_SECTION_CHUNKS = 2;
const MIN_DOCUMENT_CHUNKS = 3;
const MAX_TOKENS = 160;
const MAX_FACTS_OF_A_CHUNK = 1000;
const IMPORTANCE = 0.5;

interface Part {
  readonly factId: string;
  readonly of: 'section' | 'document';
  readonly name: string;
  readonly chunks: readonly NewEpisode[];
}

/**
 * Where a summariser is there: a summary of the document and of each section that has several chunks, as facts that rest on those chunks, so that
 * a question about the whole finds one. The id of a summary names its chunks: one that is still right is not made again, others go.
 */
export async function summariseDocument(
  incoming: readonly IncomingEpisode[],
  document: StoredDocument,
  { graph, summariser, clock, modelQueue }: SummaryDependencies,
  signal: AbortSignal | undefined,
): Promise<{ readonly sequences: readonly number[]; readonly failures: readonly string[] }> {
  if (summariser === undefined) return { sequences: [], failures: [] };
  const chunks = incoming.map((item) => item.episode).filter((episode) => episode.state !== 'verbatim');
  const parts = partsOf(chunks, document);
  const { userId } = document;
  const known = new Set(
    (
      await graph.getFacts(
        userId,
        parts.map((part) => part.factId),
      )
    ).map((fact) => fact.id),
  );
  const failures: string[] = [];
  const made = await Promise.all(
    parts
      .filter((part) => !known.has(part.factId))
      .map((part) =>
        modelQueue.add(async () => {
          try {
            const messages = part.chunks.map((chunk) => ({ role: 'user' as const, content: chunk.content }));
            return toFact(part, await summariser.summarise({ messages, maxTokens: MAX_TOKENS }, signal), clock.now());
          } catch (error) {
            if (!isModelFailure(error)) throw error;
            failures.push(`no summary of ${part.of === 'document' ? 'the document' : 'a section'}: ${error.code}`);
            return undefined;
          }
        }),
      ),
  );
  const facts = made.filter((fact) => fact !== undefined);
  const sequences: number[] = [];
  if (facts.length > 0) {
    const outbox = facts.map((fact): OutboxItem => ({ operation: 'upsert', kind: 'fact', recordId: fact.id }));
    const receipt = await graph.commit({ ...emptyChangeSet(userId), facts, outbox }, signal);
    sequences.push(...receipt.outbox.map((entry) => entry.sequence));
  }
  const stale = await staleSummaries(chunks, userId, new Set(parts.map((part) => part.factId)), graph);
  if (stale.length > 0) {
    const { outbox } = await graph.erase({ userId, ids: stale }, { following: 0, leaveTrace: false });
    sequences.push(...outbox.map((entry) => entry.sequence));
  }
  return { sequences, failures };
}

function partsOf(chunks: readonly NewEpisode[], { userId, sourceId }: StoredDocument): Part[] {
  const part = (of: Part['of'], name: string, own: readonly NewEpisode[]): Part => ({
    of,
    name,
    chunks: own,
    factId: deriveId(userId, 'summary', sourceId, of, name, ...own.map((chunk) => chunk.id)),
  });
  const sections = [...Map.groupBy(chunks, (chunk) => String(chunk.metadata['section'] ?? ''))];
  const title = String(chunks[0]?.metadata['title'] ?? sourceId);
  return [
    ...(chunks.length >= MIN_DOCUMENT_CHUNKS ? [part('document', title, chunks)] : []),
    ...sections
      .filter(([name, own]) => own.length >= MIN_SECTION_CHUNKS && own.length < chunks.length && name !== '')
      .map(([name, own]) => part('section', name, own)),
  ];
}

function toFact({ factId, of, name, chunks }: Part, summary: string, now: Date): Fact {
  return {
    id: factId,
    userId: chunks[0]?.userId ?? '',
    text: `${name}: ${summary}`,
    entityIds: [],
    evidence: chunks.map((chunk) => chunk.id),
    createdAt: now.toISOString(),
    confidence: 1,
    importance: IMPORTANCE,
    origin: 'model',
    saidBy: 'user',
    properties: { summaryOf: of },
  };
}

/** Summaries that rest on these chunks and are none of those that are right now. */
async function staleSummaries(chunks: readonly NewEpisode[], userId: string, right: ReadonlySet<string>, graph: GraphStore): Promise<string[]> {
  const stale = new Set<string>();
  for (const { id } of chunks) {
    for (const fact of await graph.findFacts({ userId, episodeId: id }, { limit: MAX_FACTS_OF_A_CHUNK })) {
      if (fact.properties['summaryOf'] !== undefined && !right.has(fact.id)) stale.add(fact.id);
    }
  }
  return [...stale];
}
