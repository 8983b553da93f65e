import type { Entity } from '../domain/entity.ts';
import { normalForm } from '../domain/normal-form.ts';
import { isBearable } from '../errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { EntityJudge } from '../ports/entity-judge.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { compatibleTypes, type TypedName } from './entity-type.ts';
import { digitsOf, isTaken, MATCH_STEPS, type MatchStep, matchNames, needsOnlyOne } from './match-name.ts';
import { numberForms } from './plural.ts';
import { otherScriptStarts } from './romanise.ts';
import { acronymOf, prefixesOf } from './spelling.ts';
import { otherForms } from './titles.ts';

export interface MatchDependencies {
  readonly graph: GraphStore;
  readonly embedding?: EmbeddingModel;
  readonly judge?: EntityJudge;
}

export interface MatchOptions {
  /** False: names are joined by their normal form and their aliases only. */
  readonly fuzzy: boolean;
  /** Smallest cosine of two names of one type to join them; it belongs to the embedding model. Absent: no such step. */
  readonly embeddingThreshold?: number | undefined;
}

export interface Match {
  readonly entity: Entity;
  readonly step: MatchStep;
}

const MAX_CANDIDATES = 100;
const MAX_ASKED = 2;
/** What is longer has no other spelling but its normal form. */
const MAX_COMPARED_LENGTH = 512;

/**
 * Looks for a known entity that the name is another spelling of, by the steps of `MATCH_STEPS` behind the alias. What two entities fit equally
 * is left alone; a merge that was undone is never made again.
 * @param candidates those of `candidatesFor`, and entities of this very extraction that may be it, which the store does not know yet
 */
export async function findMatch(
  userId: string,
  wanted: TypedName,
  { known, fresh }: { readonly known: readonly Entity[]; readonly fresh: readonly Entity[] },
  dependencies: MatchDependencies,
  options: MatchOptions,
): Promise<Match | undefined> {
  if (!options.fuzzy || wanted.name.length > MAX_COMPARED_LENGTH) return undefined;
  const numbers = numbersIn(wanted.name);
  const found = [...known, ...fresh.slice(-MAX_CANDIDATES)];
  const candidates = [...new Map(found.map((entity) => [entity.id, entity])).values()].filter(
    (entity) =>
      compatibleTypes(entity, wanted) &&
      entity.name.length <= MAX_COMPARED_LENGTH &&
      [entity.name, ...entity.aliases].some((name) => numbersIn(name) === numbers),
  );
  if (candidates.length === 0) return undefined;
  const matches = candidates.flatMap((entity): Match[] => {
    const step = [entity.name, ...entity.aliases].map((name) => matchNames({ name, type: entity.type }, wanted)).find((found) => found !== undefined);
    return step === undefined ? [] : [{ entity, step }];
  });
  const sure = matches.filter((match) => !needsOnlyOne(match.step));
  const chosen = sure.length > 0 ? sure : matches.filter((match) => needsOnlyOne(match.step) && fitsAlone(match, wanted, candidates));
  const [only, another] = chosen;
  const match =
    only !== undefined && another === undefined
      ? only
      : ((await byEmbedding(wanted, matches.length === 0 ? candidates : [], dependencies.embedding, options.embeddingThreshold)) ??
        (await byJudge(wanted, matches, dependencies.judge)));
  return match === undefined ? undefined : unlessUndone(userId, match, wanted, dependencies.graph);
}

/** Known entities that may be meant. */
export async function candidatesFor(userId: string, { name, type }: TypedName, graph: GraphStore): Promise<Entity[]> {
  if (name.length > MAX_COMPARED_LENGTH) return [];
  // Codes and numbered things come in thousands with one beginning; they have few other spellings.
  if (/\p{N}/u.test(name)) return graph.findEntities({ userId, keys: codeForms(name) }, { limit: MAX_CANDIDATES });
  const acronym = type === 'organization' ? acronymOf(name) : undefined;
  const keys = [...(acronym === undefined ? [] : [acronym]), ...(type === 'person' ? otherForms(name) : []), ...numberForms({ name, type })];
  const first = type === 'organization' && /^[\p{Lu}\d]{3,6}$/u.test(name.trim()) ? normalForm(name).slice(0, 1) : '';
  const found = await Promise.all([
    graph.findEntities({ userId, prefixes: [...prefixesOf(name), ...(type === 'person' ? otherScriptStarts(name) : [])] }, { limit: MAX_CANDIDATES }),
    keys.length === 0 ? [] : graph.findEntities({ userId, keys }, { limit: MAX_CANDIDATES }),
    first === '' ? [] : graph.findEntities({ userId, prefixes: [first], type: 'organization' }, { limit: MAX_CANDIDATES }),
  ]);
  return found.flat();
}

/** Quick to compare, before anything dear is. */
function numbersIn(name: string): string {
  return name.match(/\d+/g)?.join('') ?? '';
}

/** The ways to write the joints of a code: "HB-2031-07", "HB 2031 07", "HB203107". */
function codeForms(name: string): string[] {
  const form = normalForm(name);
  return [...new Set([' ', '-', ''].map((joint) => normalForm(form.replace(/[\s\-/]+/g, joint))))].filter((key) => key !== '' && key !== form);
}

/** "Ann" is Ann Lee only where no other Ann is known. */
function fitsAlone(match: Match, wanted: TypedName, candidates: readonly Entity[]): boolean {
  if (isTaken([match.entity.name, ...match.entity.aliases], match.entity.type, wanted)) return false;
  if (match.step !== 'first name') return true;
  const first = normalForm(wanted.name).split(' ')[0];
  return candidates.every(
    (entity) =>
      entity.id === match.entity.id ||
      entity.type !== 'person' ||
      [entity.name, ...entity.aliases].every((name) => normalForm(name).split(' ')[0] !== first),
  );
}

async function byEmbedding(
  wanted: TypedName,
  candidates: readonly Entity[],
  embedding: EmbeddingModel | undefined,
  threshold: number | undefined,
): Promise<Match | undefined> {
  const fitting = candidates.filter((entity) => entity.type === wanted.type && digitsOf(entity.name) === digitsOf(wanted.name));
  if (embedding === undefined || threshold === undefined || fitting.length === 0) return undefined;
  const vectors = await embedding.embed([wanted.name, ...fitting.map((entity) => entity.name)], 'document').catch((error: unknown) => {
    // Names that nobody compared stay apart; what was read is not lost over it.
    if (isBearable(error)) return [];
    throw error;
  });
  const [own, ...others] = vectors;
  if (own === undefined) return undefined;
  const near = fitting.filter((_, index) => cosine(own, others[index]) >= threshold);
  const [only, another] = near;
  return only === undefined || another !== undefined ? undefined : { entity: only, step: 'embedding' };
}

/** What the steps leave open between several, a model may decide: of the likeliest, the surest step and who was met last. Each question costs a call. */
async function byJudge(wanted: TypedName, open: readonly Match[], judge: EntityJudge | undefined): Promise<Match | undefined> {
  if (judge === undefined) return undefined;
  const likeliest = open.toSorted(
    (a, b) =>
      MATCH_STEPS.indexOf(a.step) - MATCH_STEPS.indexOf(b.step) ||
      (a.entity.createdAt > b.entity.createdAt ? -1 : a.entity.createdAt < b.entity.createdAt ? 1 : 0),
  );
  for (const { entity } of likeliest.slice(0, MAX_ASKED))
    if (await judge.isSame(wanted, { name: entity.name, type: entity.type, aliases: entity.aliases })) return { entity, step: 'model' };
  return undefined;
}

/** The match, unless it was made before and undone. */
export async function unlessUndone(userId: string, match: Match, wanted: TypedName, graph: GraphStore): Promise<Match | undefined> {
  const undone = await graph.readUpdates({ userId, recordIds: [match.entity.id], actions: ['unmerge'] }, { limit: 1000 });
  return undone.some((update) => update.after !== undefined && normalForm(update.after) === normalForm(wanted.name)) ? undefined : match;
}

function cosine(a: Float32Array, b: Float32Array | undefined): number {
  let sum = 0;
  if (b !== undefined) for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
