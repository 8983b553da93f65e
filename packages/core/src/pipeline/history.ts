import type { Episode } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
import type { HistoryEntry } from '../domain/history.ts';
import type { LoggedUpdate, ToldUpdate } from '../domain/update-log.ts';
import { MemoryError } from '../errors.ts';
import type { GraphStore, Page, UpdateFilter } from '../ports/graph-store.ts';

const MAX_FACTS = 500;
const PAGE = 500;

/**
 * The life of a memory: of a turn its texts in order; of a fact itself and all that it replaced or was replaced by, each with its times, the
 * reason, who decided it and the turn that brought it about. Oldest first.
 * @throws NOT_FOUND where the user has no such memory
 */
export async function history(userId: string, id: string, graph: GraphStore): Promise<HistoryEntry[]> {
  const [episode] = await graph.getEpisodes(userId, [id]);
  if (episode !== undefined) return episodeHistory(episode, await readAllUpdates(userId, [id], graph));
  const [fact] = await graph.getFacts(userId, [id]);
  if (fact !== undefined) return factHistory(userId, fact, graph);
  throw new MemoryError('NOT_FOUND', 'This user has no memory with that id. Ids stand in receipts and in the items of retrieve().', {
    details: { id },
  });
}

/** The update log, each entry with the words of the records that it names. */
export async function toldUpdates(filter: UpdateFilter, page: Page, graph: GraphStore): Promise<ToldUpdate[]> {
  const { userId } = filter;
  const updates = await graph.readUpdates(filter, page);
  const ids = [...new Set(updates.flatMap(({ recordId, relatedId }) => [recordId, ...(relatedId === undefined ? [] : [relatedId])]))];
  const [facts, episodes, entities] = await Promise.all([
    graph.getFacts(userId, ids),
    graph.getEpisodes(userId, ids),
    graph.getEntities(userId, ids),
  ]);
  const texts = new Map([
    ...facts.map(({ id, text }) => [id, text] as const),
    ...episodes.map(({ id, content }) => [id, content] as const),
    ...entities.map(({ id, name }) => [id, name] as const),
  ]);
  return updates.map((update) => {
    const [text, relatedText] = [texts.get(update.recordId), update.relatedId === undefined ? undefined : texts.get(update.relatedId)];
    return { ...update, ...(text === undefined ? {} : { text }), ...(relatedText === undefined ? {} : { relatedText }) };
  });
}

function episodeHistory(episode: Episode, updates: readonly LoggedUpdate[]): HistoryEntry[] {
  const changes = updates.filter((update) => update.action === 'revise' && update.recordId === episode.id);
  const first = changes.find((update) => update.before !== undefined)?.before ?? episode.content;
  const entries: HistoryEntry[] = [
    {
      action: 'added',
      kind: 'episode',
      id: episode.id,
      text: first,
      at: episode.createdAt,
      validAt: episode.at,
      reason: 'stored',
      actor: 'caller',
      episodeId: episode.id,
    },
  ];
  let text = first;
  for (const { before, after, at, reason, actor } of changes) {
    text = after ?? text;
    entries.push({ action: 'changed', kind: 'episode', id: episode.id, text, ...(before === undefined ? {} : { before }), at, reason, actor });
  }
  return entries;
}

async function factHistory(userId: string, fact: Fact, graph: GraphStore): Promise<HistoryEntry[]> {
  const facts = new Map<string, Fact>([[fact.id, fact]]);
  const updates = new Map<string, LoggedUpdate>();
  if (fact.slot !== undefined && fact.subjectId !== undefined) {
    for (const other of await graph.findFacts({ userId, subjectId: fact.subjectId, slot: fact.slot }, { limit: MAX_FACTS }))
      facts.set(other.id, other);
  }
  for (let open = [...facts.keys()]; open.length > 0 && facts.size < MAX_FACTS; ) {
    for (const update of await readAllUpdates(userId, open, graph)) updates.set(update.id, update);
    const met = [...updates.values()].flatMap((update) =>
      update.kind === 'fact' ? [update.recordId, ...(update.relatedId === undefined ? [] : [update.relatedId])] : [],
    );
    open = [...new Set(met)].filter((id) => !facts.has(id));
    for (const other of await graph.getFacts(userId, open)) facts.set(other.id, other);
    open = open.filter((id) => facts.has(id));
  }
  const own = Map.groupBy(updates.values(), (update) => update.recordId);
  return [...facts.values()].flatMap((each) => entriesOf(each, own.get(each.id) ?? [])).sort(byTime);
}

function entriesOf(fact: Fact, updates: readonly LoggedUpdate[]): HistoryEntry[] {
  const basics = { kind: 'fact' as const, id: fact.id, ...(fact.validAt === undefined ? {} : { validAt: fact.validAt }) };
  const revisions = updates.filter((update) => update.action === 'revise');
  const episodeId = fact.evidence[0];
  const entries: HistoryEntry[] = [
    {
      ...basics,
      action: 'added',
      text: revisions[0]?.before ?? fact.text,
      at: fact.createdAt,
      reason: 'stated',
      actor: fact.origin,
      ...(episodeId === undefined ? {} : { episodeId }),
    },
    ...revisions.map(
      (update): HistoryEntry => ({
        ...basics,
        action: 'changed',
        text: update.after ?? fact.text,
        ...(update.before === undefined ? {} : { before: update.before }),
        at: update.at,
        reason: update.reason,
        actor: update.actor,
      }),
    ),
  ];
  // Of several ends the last one written is the one that counts: it is the earliest.
  const end = updates.filter((update) => update.action === 'invalidate').at(-1);
  if (fact.invalidAt === undefined) return entries;
  const ended = { ...basics, action: 'ended' as const, text: fact.text, invalidAt: fact.invalidAt };
  entries.push(
    end === undefined
      ? { ...ended, at: fact.expiredAt ?? fact.createdAt, reason: 'stated with its end', actor: fact.origin }
      : {
          ...ended,
          at: end.at,
          reason: end.reason,
          actor: end.actor,
          ...(end.episodeId === undefined ? {} : { episodeId: end.episodeId }),
          ...(end.relatedId === undefined ? {} : { replacedBy: end.relatedId }),
        },
  );
  return entries;
}

/** By record time; of one moment by world time, and an end before what begins with it. */
function byTime(a: HistoryEntry, b: HistoryEntry): number {
  const key = (entry: HistoryEntry) =>
    [entry.at, (entry.action === 'ended' ? entry.invalidAt : entry.validAt) ?? '', entry.action === 'ended' ? '0' : '1', entry.id].join(' ');
  return key(a) < key(b) ? -1 : 1;
}

async function readAllUpdates(userId: string, recordIds: readonly string[], graph: GraphStore): Promise<LoggedUpdate[]> {
  const updates: LoggedUpdate[] = [];
  for (;;) {
    const last = updates.at(-1);
    const page = await graph.readUpdates({ userId, recordIds }, { limit: PAGE, ...(last === undefined ? {} : { after: String(last.sequence) }) });
    updates.push(...page);
    if (page.length < PAGE) return updates;
  }
}
