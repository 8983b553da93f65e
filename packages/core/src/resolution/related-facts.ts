import type { NewEpisode } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
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

/** Read only where a value was stated more than once: what is told late may lie between two of its turns. */
export async function timesOfEvidence(
  userId: string,
  related: readonly Fact[],
  earliest: string,
  episodes: readonly NewEpisode[],
  graph: GraphStore,
): Promise<Map<string, string>> {
  // A single evidence matters only where something is told of an earlier day.
  const matters = (fact: Fact) => fact.evidence.length > 1 || (fact.validAt ?? '') > earliest;
  const ids = related.filter((fact) => fact.slot !== undefined && matters(fact)).flatMap((fact) => fact.evidence);
  const known = ids.length === 0 ? [] : await graph.getEpisodes(userId, [...new Set(ids)].slice(-MAX_EVIDENCE));
  return new Map([...known, ...episodes].map((episode) => [episode.id, episode.at]));
}

/** What was shown to the model may have been erased since. */
export async function stillThere(userId: string, replaces: ReadonlyMap<string, readonly Fact[]>, graph: GraphStore): Promise<Map<string, Fact[]>> {
  if (replaces.size === 0) return new Map();
  const ids = [...new Set([...replaces.values()].flat().map((fact) => fact.id))];
  const found = new Map((await graph.getFacts(userId, ids)).map((fact) => [fact.id, fact]));
  return new Map([...replaces].map(([id, facts]) => [id, facts.flatMap((fact) => found.get(fact.id) ?? [])]));
}

/** Facts of the same slot of the same subject, and between the same two; all that the subject has of where one of them is given up unnamed. */
export async function relatedFacts(userId: string, facts: readonly Fact[], graph: GraphStore): Promise<Fact[]> {
  const filters = facts.flatMap(({ subjectId, objectId, slot, predicate }): FactFilter[] => {
    if (subjectId === undefined || objectId === undefined) return [];
    const isUnnamed = slot !== undefined && readPredicate(predicate ?? '', '').holds === 'ended';
    return [
      { userId, subjectId, objectId },
      ...(slot === undefined ? [] : [{ userId, subjectId, slot }]),
      ...(isUnnamed ? [{ userId, subjectId, currentOnly: true }] : []),
    ];
  });
  const asked = new Map(filters.map((filter) => [JSON.stringify(filter), filter]));
  // At once: a store on a server reads them in one go.
  const found = await Promise.all(
    [...asked.values()].map((filter) => graph.findFacts(filter, { limit: filter.currentOnly === true ? MAX_OF_A_SUBJECT : MAX_RELATED })),
  );
  return [...new Map(found.flat().map((fact) => [fact.id, fact])).values()];
}
