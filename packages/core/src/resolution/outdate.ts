import type { ChangeSet, Decision } from '../domain/change-set.ts';
import { clausesIn } from '../domain/clauses.ts';
import type { Fact } from '../domain/fact.ts';
import { foldText } from '../domain/fold-text.ts';
import { deriveId } from '../domain/id.ts';
import { analyseText } from '../domain/text-analysis.ts';
import type { Timestamp } from '../domain/time.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { Decided } from './decide.ts';
import { saysMore } from './says-more.ts';

const MAX_FACTS_OF_A_TURN = 200;
/** Why a sentence ended. */
export const SENTENCE_OF_EDGE = 'the edge that it states ended';

export interface Consequences {
  readonly changes: Pick<ChangeSet, 'revisions' | 'closures' | 'updates'>;
  readonly decisions: readonly Decision[];
}

/**
 * What follows from the end of facts: the turns that stated them are marked, so that they no longer come before the turn that says what holds
 * now, and sentences of the same turns that say the same as an ended edge end with it.
 * @param written what the same change set writes, before what the store has
 */
export async function outdate(
  userId: string,
  ended: Decided['ended'],
  written: Pick<ChangeSet, 'facts'> & Partial<Pick<ChangeSet, 'episodes' | 'entities'>>,
  now: Timestamp,
  { graph }: { readonly graph: GraphStore },
): Promise<Consequences> {
  const revisions = new Map<string, ChangeSet['revisions'][number]>();
  const closures: ChangeSet['closures'][number][] = [];
  const updates: ChangeSet['updates'][number][] = [];
  const decisions: Decision[] = [];
  const over = new Set(ended.map(({ fact }) => fact.id));
  const statingOf = ({ fact, by }: Decided['ended'][number]) => fact.evidence.filter((id) => !by.evidence.includes(id));
  const turns = [...new Set(ended.flatMap(statingOf))];
  // At once: a store on a server reads them in one go.
  const [factLists, episodes] = await Promise.all([
    Promise.all(turns.map((episodeId) => graph.findFacts({ userId, episodeId }, { limit: MAX_FACTS_OF_A_TURN }))),
    graph.getEpisodes(userId, turns),
  ]);
  const factsOf = new Map(turns.map((episodeId, index) => [episodeId, factLists[index] ?? []]));
  const contents = new Map([...episodes, ...(written.episodes ?? [])].map(({ id, content }) => [id, content]));
  const objects = new Set([...ended.map(({ fact }) => fact), ...factLists.flat()].flatMap(({ objectId }) => objectId ?? []));
  const entities = objects.size === 0 ? [] : await graph.getEntities(userId, [...objects]);
  const names = new Map([...entities, ...(written.entities ?? [])].map(({ id, name }) => [id, name]));
  for (const each of ended) {
    const { fact, by, since } = each;
    for (const episodeId of statingOf(each)) {
      const known = factsOf.get(episodeId) ?? [];
      const stored = known.filter((other) => other.expiredAt === undefined);
      const fresh = written.facts.filter((other) => other.evidence.includes(episodeId) && other.expiredAt === undefined);
      const facts = [...new Map([...stored, ...fresh].map((other) => [other.id, other])).values()];
      for (const twin of facts) {
        if (over.has(twin.id) || !saysTheSame(twin, fact) || twin.evidence.some((id) => !fact.evidence.includes(id))) continue;
        over.add(twin.id);
        const reason = SENTENCE_OF_EDGE;
        closures.push({ factId: twin.id, invalidAt: since, expiredAt: now, reason });
        decisions.push({ action: 'invalidate', factId: twin.id, reason });
        updates.push({
          id: deriveId(userId, 'update', 'invalidate', twin.id, by.id, since),
          userId,
          action: 'invalidate',
          kind: 'fact',
          recordId: twin.id,
          relatedId: by.id,
          actor: by.origin,
          reason,
          ...episodeOf(by),
          at: now,
        });
      }
      const rest = facts.filter((other) => !over.has(other.id));
      const isPast = (other: Fact) => over.has(other.id) || (other.expiredAt !== undefined && hasHeld(other));
      const past = [...new Map([fact, ...known, ...facts].map((other) => [other.id, other])).values()].filter(
        (other) => isPast(other) && !rest.some(({ id }) => id === other.id),
      );
      const statements = past.filter((other) => !past.some((edge) => saysTheSame(other, edge)));
      const inPart = rest.length > 0 || saysMore(contents.get(episodeId) ?? '', statements);
      const before = revisions.get(episodeId)?.outdated ?? undefined;
      const about = past.flatMap((other) => aboutOf(other, names.get(other.objectId ?? ''), rest)).filter((part) => part !== undefined);
      revisions.set(episodeId, {
        episodeId,
        outdated: {
          since: before !== undefined && before.since > since ? before.since : since,
          ...(by.evidence[0] === undefined ? {} : { by: by.evidence[0] }),
          inPart,
          about: [...new Set(about)].join(' '),
        },
      });
    }
  }
  return { changes: { revisions: [...revisions.values()], closures, updates }, decisions };
}

/** What ended in words, as far as nothing that the turn says besides is told in them. */
function aboutOf(fact: Fact, name: string | undefined, rest: readonly Fact[]): (string | undefined)[] {
  const isShared = rest.some((other) => other.entityIds.includes(fact.objectId ?? ''));
  return [fact.slot, fact.predicate, ...(isShared ? [] : [name]), ...ownClauses(fact, name, rest)];
}

/** Of a sentence with several clauses those that name the object. */
function ownClauses({ text }: Fact, name: string | undefined, rest: readonly Fact[]): readonly string[] {
  const clauses = clausesIn(text);
  if (clauses.length > 1) return name === undefined ? [] : clauses.filter((clause) => foldText(clause).includes(foldText(name)));
  return text === '' || rest.some((other) => other.text === text) ? [] : [text];
}

/** What never held, was corrected or taken back with its words, which the turn need not have any more. */
function hasHeld({ invalidAt, validAt, createdAt }: Fact): boolean {
  return invalidAt === undefined || invalidAt > (validAt ?? createdAt);
}

function episodeOf(fact: Fact): { readonly episodeId?: string } {
  const episodeId = fact.evidence[0];
  return episodeId === undefined ? {} : { episodeId };
}

/** A sentence about both ends of an edge that shares a word with its predicate. */
function saysTheSame(sentence: Fact, edge: Fact): boolean {
  if (sentence.predicate !== undefined || edge.subjectId === undefined || edge.objectId === undefined || edge.predicate === undefined) return false;
  if (!sentence.entityIds.includes(edge.objectId) || sentence.entityIds.some((id) => id !== edge.subjectId && id !== edge.objectId)) return false;
  const words = new Set(analyseText(sentence.text));
  return analyseText(edge.predicate.replaceAll('_', ' ')).some((word) => words.has(word));
}
