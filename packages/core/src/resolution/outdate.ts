import type { ChangeSet, Decision } from '../domain/change-set.ts';
import type { Fact } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import { analyseText } from '../domain/text-analysis.ts';
import type { Timestamp } from '../domain/time.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { Decided } from './decide.ts';

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
 */
export async function outdate(
  userId: string,
  ended: Decided['ended'],
  written: readonly Fact[],
  now: Timestamp,
  { graph }: { readonly graph: GraphStore },
): Promise<Consequences> {
  const revisions = new Map<string, ChangeSet['revisions'][number]>();
  const closures: ChangeSet['closures'][number][] = [];
  const updates: ChangeSet['updates'][number][] = [];
  const decisions: Decision[] = [];
  const over = new Set(ended.map(({ fact }) => fact.id));
  const statingOf = ({ fact, by }: Decided['ended'][number]) => fact.evidence.filter((id) => !by.evidence.includes(id));
  // At once: a store on a server reads them in one go.
  const factsOf = new Map(
    await Promise.all(
      [...new Set(ended.flatMap(statingOf))].map(
        async (episodeId) => [episodeId, await graph.findFacts({ userId, episodeId, currentOnly: true }, { limit: MAX_FACTS_OF_A_TURN })] as const,
      ),
    ),
  );
  for (const each of ended) {
    const { fact, by, since } = each;
    for (const episodeId of statingOf(each)) {
      const stored = factsOf.get(episodeId) ?? [];
      const fresh = written.filter((other) => other.evidence.includes(episodeId) && other.expiredAt === undefined);
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
      const inPart = facts.some((other) => !over.has(other.id));
      const before = revisions.get(episodeId)?.outdated ?? undefined;
      const about = [before?.about, fact.slot, fact.predicate, fact.text === '' ? undefined : nameOnly(fact, facts)].filter(
        (part) => part !== undefined,
      );
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

/** The whole sentence would let every question of the turn's other statements match. */
function nameOnly(fact: Fact, facts: readonly Fact[]): string | undefined {
  return facts.some((other) => other.text === fact.text) ? undefined : fact.text;
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
