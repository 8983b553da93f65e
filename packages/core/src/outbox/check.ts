import type { OutboxEntry } from '../domain/change-set.ts';
import type { RecordKind } from '../domain/record-kind.ts';
import type { Timestamp } from '../domain/time.ts';
import type { GraphStore, Page } from '../ports/graph-store.ts';
import type { RelayDependencies, RelayStep } from './relay.ts';

/** How far one index is from the graph, for one user. */
export interface IndexDrift {
  readonly records: number;
  /** In the graph, not in the index, and not on their way to it. */
  readonly missing: readonly string[];
  /** In the index, not in the graph. */
  readonly orphaned: readonly string[];
}

export interface UserCheck {
  readonly userId: string;
  /** Records of the graph that belong into the indexes: all episodes, and the facts that were not derived by the built-in rules. */
  readonly records: number;
  readonly vectors: IndexDrift;
  readonly keywords: IndexDrift;
}

export interface OutboxCheck {
  readonly waiting: number;
  /** When the record was saved that waits longest. */
  readonly oldest?: Timestamp;
}

type Lister = { ids(userId: string, limit: number, after?: string): Promise<string[]> };
type CheckDependencies = Pick<RelayDependencies, 'graph' | 'vectors' | 'keywords'>;

/** Large, since some indexes read all of a user's ids for each page. */
const INDEX_PAGE = 20_000;
const GRAPH_PAGE = 2_000;
const OUTBOX_READ = 1_000_000;

/**
 * Compares the graph with both indexes for one user. The indexes are listed first and the graph after them, so that a record stored
 * meanwhile is never taken for an orphan; what seems to be missing is looked for once more at the end.
 */
export async function checkUser(userId: string, { graph, vectors, keywords }: CheckDependencies): Promise<UserCheck> {
  const listVectors = await listIndex(vectors, userId);
  const listKeywords = new Set([vectors, keywords]).size === 1 ? listVectors : await listIndex(keywords, userId);
  const expected = await expectedRecords(userId, graph);
  const waiting = new Set((await graph.readOutbox(OUTBOX_READ)).filter((entry) => entry.userId === userId).map((entry) => entry.recordId));
  const drift = async (index: Lister, listed: ReadonlySet<string>): Promise<IndexDrift> => {
    const lacking = [...expected.keys()].filter((id) => !listed.has(id) && !waiting.has(id));
    const now = lacking.length === 0 ? listed : await listIndex(index, userId);
    const extra = [...listed].filter((id) => !expected.has(id) && !waiting.has(id));
    return { records: listed.size, missing: lacking.filter((id) => !now.has(id)), orphaned: await withoutRecord(userId, extra, graph) };
  };
  return { userId, records: expected.size, vectors: await drift(vectors, listVectors), keywords: await drift(keywords, listKeywords) };
}

/** The steps that bring both indexes to the graph's state. */
export async function repairSteps(check: UserCheck, graph: GraphStore): Promise<RelayStep[]> {
  const missing = new Set([...check.vectors.missing, ...check.keywords.missing]);
  const orphaned = new Set([...check.vectors.orphaned, ...check.keywords.orphaned]);
  const kinds = missing.size === 0 ? new Map<string, RecordKind>() : await expectedRecords(check.userId, graph);
  return [
    ...[...missing].flatMap((recordId): RelayStep[] => {
      const kind = kinds.get(recordId);
      return kind === undefined ? [] : [{ operation: 'upsert', kind, recordId }];
    }),
    ...[...orphaned].map((recordId): RelayStep => ({ operation: 'delete', kind: 'episode', recordId })),
  ];
}

export async function checkOutbox(graph: GraphStore): Promise<OutboxCheck> {
  const { outbox: waiting } = await graph.counts();
  const [entry] = waiting === 0 ? [] : await graph.readOutbox(1);
  const oldest = entry === undefined ? undefined : await savedAt(entry, graph);
  return { waiting, ...(oldest === undefined ? {} : { oldest }) };
}

/** What belongs into the indexes, by id. */
export async function expectedRecords(userId: string, graph: GraphStore): Promise<Map<string, RecordKind>> {
  const records = new Map<string, RecordKind>();
  for await (const episode of pages((page) => graph.findEpisodes({ userId }, page))) records.set(episode.id, 'episode');
  for await (const fact of pages((page) => graph.findFacts({ userId }, page))) if (fact.origin !== 'rules') records.set(fact.id, 'fact');
  return records;
}

export async function* allUsers(graph: GraphStore): AsyncGenerator<string> {
  for (let after: string | undefined; ; ) {
    const users = await graph.users({ limit: GRAPH_PAGE, ...(after === undefined ? {} : { after }) });
    yield* users;
    if (users.length < GRAPH_PAGE) return;
    after = users.at(-1);
  }
}

async function* pages<Item extends { readonly id: string }>(read: (page: Page) => Promise<readonly Item[]>): AsyncGenerator<Item> {
  for (let after: string | undefined; ; ) {
    const items = await read({ limit: GRAPH_PAGE, ...(after === undefined ? {} : { after }) });
    yield* items;
    if (items.length < GRAPH_PAGE) return;
    after = items.at(-1)?.id;
  }
}

async function listIndex(index: Lister, userId: string): Promise<Set<string>> {
  const listed = new Set<string>();
  for (let after: string | undefined; ; ) {
    const ids = await index.ids(userId, INDEX_PAGE, after);
    for (const id of ids) listed.add(id);
    if (ids.length < INDEX_PAGE) return listed;
    after = ids.at(-1);
  }
}

/** Those of the ids that the graph really has no record for. A fact of the rules has one, and no place in the index. */
async function withoutRecord(userId: string, ids: readonly string[], graph: GraphStore): Promise<string[]> {
  if (ids.length === 0) return [];
  const known = new Set((await graph.getEpisodes(userId, ids)).map((episode) => episode.id));
  for (const fact of await graph.getFacts(userId, ids)) if (fact.origin !== 'rules') known.add(fact.id);
  return ids.filter((id) => !known.has(id));
}

async function savedAt({ userId, recordId }: OutboxEntry, graph: GraphStore): Promise<Timestamp | undefined> {
  const [episode] = await graph.getEpisodes(userId, [recordId]);
  const [fact] = episode === undefined ? await graph.getFacts(userId, [recordId]) : [];
  return episode?.createdAt ?? fact?.createdAt;
}
