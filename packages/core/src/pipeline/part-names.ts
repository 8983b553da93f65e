import { type ChangeSet, emptyChangeSet, type FactPlacement, type Mention, type OutboxItem } from '../domain/change-set.ts';
import { ENTITY_TYPES, type Entity } from '../domain/entity.ts';
import type { Episode } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { Timestamp } from '../domain/time.ts';
import { namesIn } from '../lifecycle/names-in-text.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { SENTENCE_OF_EDGE } from '../resolution/outdate.ts';
import { readAll } from './read-all.ts';
import { decideAnew, endsOf, open, undoToldEnds } from './undo-ends.ts';

export interface Parting {
  readonly entity: Entity;
  /** Normal forms of the names that leave it. */
  readonly leaving: ReadonlySet<string>;
  /** What they become. */
  readonly id: string;
  readonly name: string;
}

export interface Parted {
  readonly changes: ChangeSet;
  readonly movedMentions: number;
  readonly movedFacts: number;
}

const MAX_MENTIONS = 10_000;
/** Which of the two a text or a fact is about. */
type Side = 'stays' | 'leaves';

/**
 * Names that were taken for one entity as two again: mentions and facts go with the name under which their own turn told them; where a turn names
 * both, the words of the fact decide. What the one had ended of the other holds again.
 */
export async function partNames(asked: Parting, now: Timestamp, graph: GraphStore): Promise<Parted> {
  const { entity } = asked;
  const { userId } = entity;
  const own = entity.aliases.filter((alias) => asked.leaving.has(normalForm(alias)));
  const parting = { ...asked, name: own.find((name) => isIdOf(asked.id, name, userId)) ?? asked.name };
  const mentions = await mentionsOf(entity, graph);
  const facts = await readAll<Fact>(
    (page) => graph.findFacts({ userId, entityId: entity.id }, page),
    ({ id }) => id,
  );
  const told = [...new Set([...mentions.map(({ episodeId }) => episodeId), ...facts.flatMap(({ evidence }) => evidence)])];
  const episodes = new Map((await graph.getEpisodes(userId, told)).map((episode) => [episode.id, episode]));
  const sides = new Sides(parting, mentions, episodes);
  const moves = facts.map((fact): Move => ({ before: fact, ...sides.place(fact) }));
  const placed = moves.flatMap(({ before, fact }) => (fact === before ? [] : [fact]));
  const split = sides.splitMentions(moves.flatMap(({ fact, apart }) => [fact, ...(apart === undefined ? [] : [apart])]));
  const ends = await undoneEnds(userId, moves, now, graph);
  const isNothing = split.moved.length === 0 && placed.length === 0;
  const reworded = moves.filter(({ before, fact }) => fact.text !== before.text).map(({ fact }) => fact);
  const indexed = [...reworded, ...ends.facts].filter(({ origin }) => origin !== 'rules');
  return {
    changes: {
      ...emptyChangeSet(userId),
      ...ends,
      splits: [{ entityId: entity.id, spellings: own, episodeIds: split.left }],
      entities: isNothing ? [] : [createdFrom(parting, own, now)],
      mentions: split.moved,
      placements: placed.map(placementOf),
      factRevisions: reworded.map(({ id, text }) => ({ factId: id, text })),
      outbox: [...ends.outbox, ...indexed.map(({ id }): OutboxItem => ({ operation: 'upsert', kind: 'fact', recordId: id }))],
    },
    movedMentions: split.moved.length,
    movedFacts: placed.length + ends.facts.length,
  };
}

export async function mentionsOf({ id, userId }: Entity, graph: GraphStore): Promise<Mention[]> {
  const { mentions } = await graph.expand({ userId, seedIds: [id], hops: 0, fanOut: MAX_MENTIONS, limit: MAX_MENTIONS });
  const episodeIds = [...new Set(mentions.map(({ episodeId }) => episodeId))];
  return (await graph.mentions(userId, episodeIds)).filter(({ entityId }) => entityId === id);
}

function createdFrom({ entity, id, name }: Parting, own: readonly string[], now: Timestamp): Entity {
  return { ...entity, id, name, key: normalForm(name), aliases: own.filter((alias) => alias !== name), createdAt: now };
}

/** Whether an entity that was first met by this name has this id. */
function isIdOf(id: string, name: string, userId: string): boolean {
  return ENTITY_TYPES.some((type) => deriveId(userId, 'entity', normalForm(name), type) === id);
}

/** Ends that one of the two told of the other, and of edges from one to the other, which were no edges while both were one. */
async function undoneEnds(userId: string, moves: readonly Move[], now: Timestamp, graph: GraphStore) {
  const facts = moves.map(({ fact }) => fact);
  const after = new Map(facts.map((fact) => [fact.id, fact]));
  const over = facts.filter(({ expiredAt }) => expiredAt !== undefined).map(({ id }) => id);
  const moved = new Set(moves.filter(({ before, fact }) => fact !== before).map(({ fact }) => fact.id));
  const log = (await endsOf(userId, over, graph)).filter(({ action }) => action === 'invalidate');
  const told = log.filter(({ recordId, relatedId }) => {
    const [fact, by] = [after.get(recordId), after.get(relatedId ?? '')];
    if (fact?.subjectId === undefined) return false;
    if (relatedId === undefined) return moved.has(recordId) && fact.subjectId !== fact.objectId;
    return by?.subjectId !== undefined && by.subjectId !== fact.subjectId;
  });
  const ending = new Set(told.map(({ relatedId }) => relatedId));
  const sentences = log.filter(({ reason, relatedId }) => reason === SENTENCE_OF_EDGE && ending.has(relatedId));
  // What parted from a fact that something ended is judged anew, by what is known of its own name.
  const isEnded = new Set(log.map(({ recordId }) => recordId));
  const apart = moves.flatMap((move) => (move.apart === undefined ? [] : [isEnded.has(move.fact.id) ? open(move.apart) : move.apart]));
  const judged = await decideAnew(apart, [...after.values()], [], now, graph);
  const own = new Set(apart.filter((fact) => fact.expiredAt === undefined).map(({ id }) => id));
  const { changes } = await undoToldEnds(
    {
      userId,
      told: [...told, ...sentences],
      isGone: new Set(),
      fresh: apart,
      reason: 'what ended it is of another name: the two were parted',
      placed: (fact) => after.get(fact.id) ?? fact,
    },
    now,
    graph,
  );
  return {
    facts: apart,
    reopenings: changes.reopenings,
    closures: [...changes.closures, ...judged.closures.filter(({ factId }) => own.has(factId))],
    updates: [...changes.updates, ...judged.updates.filter(({ recordId }) => own.has(recordId))],
    revisions: changes.revisions,
    outbox: changes.outbox,
  };
}

interface Move {
  readonly before: Fact;
  /** The fact as it is going to be. */
  readonly fact: Fact;
  /** What the other name's turns state, where the turns of both stated it. */
  readonly apart?: Fact;
}

/** Tells of texts, turns and facts which of the two they are about. */
class Sides {
  readonly #parting: Parting;
  readonly #names: readonly string[];
  readonly #leaves: (text: string) => boolean;
  readonly #stays: (text: string) => boolean;
  readonly #mentions: ReadonlyMap<string, Mention>;
  readonly #ofEpisode: ReadonlyMap<string, ReadonlySet<Side>>;
  readonly #episodes: ReadonlyMap<string, Episode>;

  constructor(parting: Parting, mentions: readonly Mention[], episodes: ReadonlyMap<string, Episode>) {
    const { entity, leaving } = parting;
    this.#parting = parting;
    this.#episodes = episodes;
    this.#names = [entity.name, ...entity.aliases].sort((a, b) => b.length - a.length);
    const [own, others] = [this.#names.filter((name) => leaving.has(normalForm(name))), this.#names.filter((name) => !leaving.has(normalForm(name)))];
    this.#leaves = namesIn(own, others);
    this.#stays = namesIn(others, own);
    this.#mentions = new Map(mentions.map((mention) => [mention.episodeId, mention]));
    this.#ofEpisode = new Map([...episodes].map(([id, episode]) => [id, this.#sidesOf(episode)]));
  }

  #sideOf(name: string): Side {
    return this.#parting.leaving.has(normalForm(name)) ? 'leaves' : 'stays';
  }

  #inText(text: string): Set<Side> {
    return new Set([...(this.#stays(text) ? ['stays' as const] : []), ...(this.#leaves(text) ? ['leaves' as const] : [])]);
  }

  /** By its words; where these hold neither name, its mention says only which of several was met first. */
  #sidesOf(episode: Episode): Set<Side> {
    const sides = this.#inText(`${episode.speaker ?? ''}\n${episode.content}`);
    const spelling = this.#mentions.get(episode.id)?.spelling;
    return sides.size === 0 || spelling === undefined ? sides : sides.add(this.#sideOf(spelling));
  }

  #mentioned(episodeId: string): Side {
    return this.#sideOf(this.#mentions.get(episodeId)?.spelling ?? this.#parting.entity.name);
  }

  place(fact: Fact): Omit<Move, 'before'> {
    const { entity, id } = this.#parting;
    const ends = (['subjectId', 'objectId'] as const).filter((end) => fact[end] === entity.id);
    if (ends.length === 0) return { fact: this.#placeSentence(fact) };
    const wording = this.#wording(fact);
    if (ends.length === 2) {
      const end = wording.subjectId === 'leaves' || wording.objectId === 'stays' ? 'subjectId' : 'objectId';
      return { fact: { ...fact, [end]: id, entityIds: [...fact.entityIds, id] } };
    }
    const [end = 'subjectId'] = ends;
    const own = wording[end];
    const sideOf = (episodeId: string): Side => only(this.#ofEpisode.get(episodeId)) ?? own ?? this.#mentioned(episodeId);
    const staying = fact.evidence.filter((episodeId) => sideOf(episodeId) === 'stays');
    const leaving = fact.evidence.filter((episodeId) => sideOf(episodeId) === 'leaves');
    const here = (evidence: readonly string[]) => this.#reworded(this.#restingOn(evidence, fact), end, 'stays');
    const there = (evidence: readonly string[]) =>
      this.#reworded(
        { ...this.#restingOn(evidence, fact), [end]: id, entityIds: fact.entityIds.map((each) => (each === entity.id ? id : each)) },
        end,
        'leaves',
      );
    if (leaving.length === 0) return { fact: fact.evidence.length === 0 && own === 'leaves' ? there([]) : fact };
    if (staying.length === 0) return { fact: there(leaving) };
    return { fact: here(staying), apart: { ...there(leaving), id: deriveId(fact.id, 'parted', id), properties: {} } };
  }

  /** A sentence that names both is about both. */
  #placeSentence(fact: Fact): Fact {
    const { entity, id } = this.#parting;
    const named = this.#inText(fact.text);
    const sides = named.size > 0 ? named : new Set(fact.evidence.flatMap((episodeId) => [...(this.#ofEpisode.get(episodeId) ?? [])]));
    if (!sides.has('leaves')) return fact;
    const ids = fact.entityIds.flatMap((each) => (each !== entity.id ? [each] : sides.has('stays') ? [each, id] : [id]));
    return { ...fact, entityIds: ids };
  }

  /** As it is worded: "Robert owns kiln" begins with its subject. */
  #wording(fact: Fact): Readonly<Record<'subjectId' | 'objectId', Side | undefined>> {
    const named = only(this.#inText(fact.text));
    const begins = this.#names.find((name) => fact.text.startsWith(`${name} `));
    const ends = this.#names.find((name) => fact.text.endsWith(` ${name}`));
    const predicate = fact.predicate?.replaceAll('_', ' ') ?? '';
    const plain = (name: string | undefined, rest: (name: string) => string) =>
      name !== undefined && fact.text.includes(rest(name)) ? this.#sideOf(name) : undefined;
    return {
      subjectId: plain(begins, (name) => `${name} ${predicate} `) ?? named ?? this.#nearest(fact, predicate),
      objectId: plain(ends, (name) => ` ${predicate} ${name}`) ?? named,
    };
  }

  /** In a sentence the last of the names before the words of the predicate. */
  #nearest(fact: Fact, predicate: string): Side | undefined {
    const at = fact.text.indexOf(predicate.split(' ')[0] ?? '');
    if (predicate === '' || at < 0) return undefined;
    const found = this.#names.map((name) => ({ name, at: fact.text.lastIndexOf(name, at) })).filter((each) => each.at >= 0);
    const [last] = found.sort((a, b) => b.at - a.at || b.name.length - a.name.length);
    return last === undefined ? undefined : this.#sideOf(last.name);
  }

  /** With a name of its own side where it is worded by one of the other. */
  #reworded(fact: Fact, end: 'subjectId' | 'objectId', side: Side): Fact {
    const { text } = fact;
    const other = this.#names.find(
      (name) => this.#sideOf(name) !== side && (end === 'subjectId' ? text.startsWith(`${name} `) : text.endsWith(` ${name}`)),
    );
    if (other === undefined || this.#wording(fact)[end] === side) return fact;
    // As the first turn that states it spells it.
    const spelled = this.#mentions.get(fact.evidence[0] ?? '')?.spelling;
    const own = side === 'leaves' ? this.#parting.name : this.#parting.entity.name;
    const name = spelled !== undefined && this.#sideOf(spelled) === side ? spelled : own;
    return { ...fact, text: end === 'subjectId' ? name + text.slice(other.length) : text.slice(0, text.length - other.length) + name };
  }

  /** With the earliest time of what is left; a day of its own, which no turn told by its time, stays. */
  #restingOn(evidence: readonly string[], fact: Fact): Fact {
    const times = (ids: readonly string[]) => ids.flatMap((id) => this.#episodes.get(id)?.at ?? []).sort();
    const isTold = fact.validAt !== undefined && times(fact.evidence).includes(fact.validAt);
    const [first] = times(evidence);
    return { ...fact, evidence, ...(isTold && first !== undefined ? { validAt: first } : {}) };
  }

  /** @param facts those of both, as they are going to be */
  splitMentions(facts: readonly Fact[]): { readonly left: string[]; readonly moved: Mention[] } {
    const { entity, id, name } = this.#parting;
    const told = (entityId: string) => new Set(facts.filter(({ entityIds }) => entityIds.includes(entityId)).flatMap(({ evidence }) => evidence));
    const [here, there] = [told(entity.id), told(id)];
    const moved: Mention[] = [];
    const left: string[] = [];
    for (const { episodeId, spelling = entity.name } of this.#mentions.values()) {
      const sides = new Set(this.#ofEpisode.get(episodeId));
      if (here.has(episodeId)) sides.add('stays');
      if (there.has(episodeId)) sides.add('leaves');
      if (sides.size === 0) sides.add(this.#mentioned(episodeId));
      if (!sides.has('leaves')) continue;
      moved.push({ episodeId, entityId: id, ...(this.#sideOf(spelling) === 'stays' || spelling === name ? {} : { spelling }) });
      if (!sides.has('stays')) left.push(episodeId);
    }
    return { left, moved };
  }
}

function placementOf({ id: factId, subjectId, objectId, entityIds, evidence, validAt }: Fact): FactPlacement {
  return {
    factId,
    entityIds: [...new Set(entityIds)],
    evidence,
    ...(subjectId === undefined ? {} : { subjectId }),
    ...(objectId === undefined ? {} : { objectId }),
    ...(validAt === undefined ? {} : { validAt }),
  };
}

function only(sides: ReadonlySet<Side> | undefined): Side | undefined {
  return sides?.size === 1 ? [...sides][0] : undefined;
}
