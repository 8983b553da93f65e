import { createHash } from 'node:crypto';
import type { Entity } from '../domain/entity.ts';
import type { Episode } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
import type { ChatMemoryStore } from '../ports/chat-memory-store.ts';
import type { GraphStore, Page } from '../ports/graph-store.ts';
import type { LifecycleStore } from '../ports/lifecycle-store.ts';
import {
  consentLine,
  conversationLine,
  entityLine,
  episodeLine,
  factLine,
  footerLine,
  headerLine,
  markLine,
  mentionLine,
  updateLine,
} from './export-format.ts';

const PAGE_SIZE = 500;

export interface ExportSources {
  readonly graph: GraphStore;
  readonly lifecycle?: LifecycleStore;
  readonly conversations?: ChatMemoryStore;
}

/**
 * All of a user's memory as JSON lines, each with its line break. What is stored meanwhile may be in it or not, but nothing in it ever
 * names a record that is not. Equal memories give equal lines.
 */
export async function* exportLines(userId: string, { graph, lifecycle, conversations }: ExportSources): AsyncGenerator<string, void, undefined> {
  const hash = createHash('sha256');
  let records = 0;
  const emit = (text: string): string => {
    hash.update(text);
    records++;
    return text;
  };
  const header = headerLine(userId);
  hash.update(header);
  yield header;

  const episodes = new Set<string>();
  for await (const episode of pages<Episode>((page) => graph.findEpisodes({ userId }, page))) {
    episodes.add(episode.id);
    yield emit(episodeLine(episode));
  }
  const entities = new Set<string>();
  for await (const entity of pages<Entity>((page) => graph.findEntities({ userId }, page))) {
    entities.add(entity.id);
    yield emit(entityLine(entity));
  }
  const facts: string[] = [];
  for await (const fact of pages<Fact>((page) => graph.findFacts({ userId }, page))) {
    facts.push(fact.id);
    if (fact.evidence.every((id) => episodes.has(id)) && fact.entityIds.every((id) => entities.has(id))) yield emit(factLine(fact));
  }
  const ids = [...episodes];
  for (let from = 0; from < ids.length; from += PAGE_SIZE) {
    for (const mention of await graph.mentions(userId, ids.slice(from, from + PAGE_SIZE))) {
      if (entities.has(mention.entityId)) yield emit(mentionLine(mention));
    }
  }
  for (let after: string | undefined; ; ) {
    const updates = await graph.readUpdates({ userId }, { limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) });
    for (const update of updates) yield emit(updateLine(update));
    after = updates.at(-1)?.sequence.toString();
    if (after === undefined || updates.length < PAGE_SIZE) break;
  }
  const marks = (await lifecycle?.marks(userId, [...ids, ...facts])) ?? new Map();
  for (const id of [...ids, ...facts].sort()) {
    const mark = marks.get(id);
    if (mark !== undefined) yield emit(markLine(mark));
  }
  for (const consent of (await lifecycle?.consents(userId)) ?? []) yield emit(consentLine(consent));
  for (const sessionId of (await conversations?.list(userId)) ?? []) {
    const entries = (await conversations?.get({ userId, sessionId })) ?? [];
    if (entries.length > 0) yield emit(conversationLine(sessionId, entries));
  }
  yield footerLine(records, hash.digest('hex'));
}

async function* pages<T extends { readonly id: string }>(read: (page: Page) => Promise<T[]>): AsyncGenerator<T, void, undefined> {
  for (let after: string | undefined; ; ) {
    const items = await read({ limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) });
    yield* items;
    after = items.at(-1)?.id;
    if (after === undefined || items.length < PAGE_SIZE) return;
  }
}
