import type { EntityTransfer } from '../domain/change-set.ts';
import type { Episode, NewEpisode } from '../domain/episode.ts';
import { type Fact, startOf } from '../domain/fact.ts';
import { readPredicate } from '../domain/predicate.ts';
import type { FactFilter, GraphStore } from '../ports/graph-store.ts';
import { versionId } from './decide.ts';

const MAX_VERSIONS = 64;
const MAX_RELATED = 200;
const MAX_OF_A_SUBJECT = 1000;
const MAX_EVIDENCE = 500;

/** The facts with these ids, and of those that ended their later versions. */
export async function knownVersions(userId: string, ids: readonly string[], graph: GraphStore): Promise<Map<string, Fact>> {
  const known = new Map<string, Fact>();
  let wanted = ids.map((id): readonly [string, string] => [id, id]);
  for (let version = 1; wanted.length > 0 && version <= MAX_VERSIONS; version++) {
    const found = new Map(
      (
        await graph.getFacts(
          userId,
          wanted.map(([, id]) => id),
        )
      ).map((fact) => [fact.id, fact]),
    );
    for (const [id, fact] of found) known.set(id, fact);
    wanted = wanted.filter(([, id]) => found.get(id)?.invalidAt !== undefined).map(([base]) => [base, versionId(base, version)]);
  }
  return known;
}

/**
 * The turns that state related facts. Read only where a value was stated more than once, since what is told late may lie between two of its turns,
 * where something of an earlier day replaces it, and where it holds since the same moment as a fact that is told; then the turns that are read are
 * among them as they were saved.
 */
export async function turnsOfEvidence(
  userId: string,
  told: readonly Fact[],
  related: readonly Fact[],
  replaced: readonly Fact[],
  episodes: readonly NewEpisode[],
  graph: GraphStore,
): Promise<readonly Episode[]> {
  const earliest = told.flatMap(({ validAt, createdAt, invalidAt }) => validAt ?? (invalidAt === undefined ? createdAt : [])).sort()[0] ?? '';
  // A single evidence matters only where something is told of an earlier day.
  const matters = (fact: Fact) => fact.slot !== undefined && (fact.evidence.length > 1 || (fact.validAt ?? '') > earliest);
  const starts = new Set(told.map(startOf));
  const tied = related.filter((fact) => starts.has(startOf(fact)));
  const late = replaced.filter((fact) => startOf(fact) > earliest);
  const ids = [...related.filter(matters), ...late, ...tied].flatMap((fact) => fact.evidence);
  if (tied.length > 0) ids.push(...episodes.map(({ id }) => id));
  return ids.length === 0 ? [] : graph.getEpisodes(userId, [...new Set(ids)].slice(-MAX_EVIDENCE));
}

/** What was shown to the model may have been erased since. */
export async function stillThere(userId: string, replaces: ReadonlyMap<string, readonly Fact[]>, graph: GraphStore): Promise<Map<string, Fact[]>> {
  if (replaces.size === 0) return new Map();
  const ids = [...new Set([...replaces.values()].flat().map((fact) => fact.id))];
  const found = new Map((await graph.getFacts(userId, ids)).map((fact) => [fact.id, fact]));
  return new Map([...replaces].map(([id, facts]) => [id, facts.flatMap((fact) => found.get(fact.id) ?? [])]));
}

/**
 * Facts of the same slot of the same subject, and between the same two; all that the subject has of where one of them is given up unnamed.
 * Entities that become others in this very call are those already.
 */
export async function relatedFacts(userId: string, facts: readonly Fact[], transfers: readonly EntityTransfer[], graph: GraphStore): Promise<Fact[]> {
  const former = (id: string) => [id, ...transfers.flatMap(({ fromId, toId }) => (toId === id ? [fromId] : []))];
  const filters = facts.flatMap(({ subjectId, objectId, slot, predicate }) => {
    if (subjectId === undefined || objectId === undefined) return [];
    const isUnnamed = slot !== undefined && readPredicate(predicate ?? '', '').holds === 'ended';
    return former(subjectId).flatMap((subject): FactFilter[] => [
      ...former(objectId).map((object) => ({ userId, subjectId: subject, objectId: object })),
      ...(slot === undefined ? [] : [{ userId, subjectId: subject, slot }]),
      ...(isUnnamed ? [{ userId, subjectId: subject, currentOnly: true }] : []),
    ]);
  });
  const asked = new Map(filters.map((filter) => [JSON.stringify(filter), filter]));
  // At once: a store on a server reads them in one go.
  const found = await Promise.all(
    [...asked.values()].map((filter) => graph.findFacts(filter, { limit: filter.currentOnly === true ? MAX_OF_A_SUBJECT : MAX_RELATED })),
  );
  return [...new Map(found.flat().map((fact) => [fact.id, transferred(fact, transfers)])).values()];
}

/** The fact as it is when entities have taken the place of others. */
export function transferred(fact: Fact, transfers: readonly EntityTransfer[]): Fact {
  if (transfers.length === 0) return fact;
  const to = (id: string) => transfers.reduce((now, { fromId, toId }) => (now === fromId ? toId : now), id);
  const { subjectId, objectId } = fact;
  return {
    ...fact,
    entityIds: [...new Set(fact.entityIds.map(to))],
    ...(subjectId === undefined ? {} : { subjectId: to(subjectId) }),
    ...(objectId === undefined ? {} : { objectId: to(objectId) }),
  };
}
