import type { OutboxEntry } from './change-set.ts';
import type { NewEpisode } from './episode.ts';
import { deriveId } from './id.ts';
import { normalForm } from './normal-form.ts';
import type { Timestamp } from './time.ts';
import type { Update } from './update-log.ts';

/**
 * What to erase of one user. With `userId` alone everything. `agentId`, `sessionId`, `sourceId` and `before` narrow it to the episodes that
 * match all of them; `ids` and `entityIds` stand alone.
 */
export interface Erasure {
  readonly userId: string;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly sourceId?: string;
  /** Episodes said before this moment. */
  readonly before?: Timestamp;
  /** Episodes and facts, in any mix. */
  readonly ids?: readonly string[];
  /** Entities; with them the episodes that mention them and the facts about them. */
  readonly entityIds?: readonly string[];
  /** With `entityIds`: a name that no entity has yet, so that it is forgotten too where a turn that holds it is on its way. */
  readonly name?: string;
}

export interface ErasureOptions {
  /** Episodes behind an erased one in its thread that have to be indexed anew, since its words are among their keywords. */
  readonly following: number;
  /** Leave a trace that keeps stores which began before from bringing the data back. */
  readonly leaveTrace: boolean;
}

export interface ErasureResult {
  /** Ids of what is gone. */
  readonly episodes: readonly string[];
  readonly facts: readonly string[];
  readonly entities: readonly string[];
  readonly mentions: number;
  /** Names of sessions, sources, agents and threads that nothing bears any more. */
  readonly labels: number;
  /** Waiting index steps of erased records, which are gone with them. */
  readonly outboxEntries: number;
  /** Facts that stay on other evidence, told anew from it. */
  readonly rederived: number;
  /** Ids of facts that hold again, since what told of their end is gone. Something else that is known may end them too. */
  readonly reopened: readonly string[];
  /** Merges of entities that stay, told of by a turn that is gone: they are in the log no more, and the names still are one. */
  readonly merges: readonly Update[];
  /** What the indexes have to do now. */
  readonly outbox: readonly OutboxEntry[];
}

/** Where nothing was found. */
export const NOTHING_ERASED: ErasureResult = {
  episodes: [],
  facts: [],
  entities: [],
  mentions: 0,
  labels: 0,
  outboxEntries: 0,
  rederived: 0,
  reopened: [],
  merges: [],
  outbox: [],
};

/** What became of the bytes of what was deleted. */
export interface Compaction {
  /** No file behind the store holds them any more. */
  readonly complete: boolean;
  /** Where they may still be, and what takes them out: one sentence each, for the operator of the server. */
  readonly left: readonly string[];
}

/**
 * What an erasure leaves so that a store that began before it can tell what it must not write. Hashes only: nobody can read out of it
 * what was erased. `everything` also stands for all traces that were given up because of their age.
 */
export interface ErasureTrace {
  readonly everything?: true;
  readonly agent?: string;
  readonly session?: string;
  readonly source?: string;
  readonly before?: Timestamp;
  readonly ids?: readonly string[];
  /** Hashes of the normal forms of the entities' names. */
  readonly names?: readonly string[];
}

/** Number that rises with every erasure, and the traces left since an earlier one. */
export interface ErasureLog {
  readonly epoch: number;
  readonly traces: readonly ErasureTrace[];
}

/** The form in which a user is named in the log of erasures. */
export function traceUser(userId: string): string {
  return deriveId('erasure', userId);
}

/**
 * @param ids records that went with it
 * @param names normal forms of the names of the entities asked for
 */
export function erasureTrace(erasure: Erasure, ids: readonly string[], names: readonly string[]): ErasureTrace {
  const { userId, agentId, sessionId, sourceId, before } = erasure;
  if (erasure.ids !== undefined) return { ids: [...new Set([...erasure.ids, ...ids])].map((id) => hash(userId, 'id', id)) };
  if (erasure.entityIds !== undefined)
    return {
      ids: ids.map((id) => hash(userId, 'id', id)),
      names: [...names, ...(erasure.name === undefined ? [] : [normalForm(erasure.name)])].map((name) => hash(userId, 'name', name)),
    };
  const trace: ErasureTrace = {
    ...(agentId === undefined ? {} : { agent: hash(userId, 'agent', agentId) }),
    ...(sessionId === undefined ? {} : { session: hash(userId, 'session', sessionId) }),
    ...(sourceId === undefined ? {} : { source: hash(userId, 'source', sourceId) }),
    ...(before === undefined ? {} : { before }),
  };
  return Object.keys(trace).length === 0 ? { everything: true } : trace;
}

/** Whether an episode on its way in belongs to what was erased. */
export function isErased(episode: NewEpisode, traces: readonly ErasureTrace[]): boolean {
  const { userId, agentId, sessionId, sourceId } = episode;
  let names: ReadonlySet<string> | undefined;
  return traces.some((trace) => {
    if (trace.everything === true) return true;
    if (trace.ids?.includes(hash(userId, 'id', episode.id)) === true) return true;
    if (trace.names !== undefined) {
      names ??= new Set(possibleNames(`${episode.content} ${episode.speaker ?? ''}`).map((name) => hash(userId, 'name', name)));
      return trace.names.some((name) => names?.has(name) === true);
    }
    if (trace.ids !== undefined) return false;
    const matches = (hashed: string | undefined, kind: string, value: string | undefined) =>
      hashed === undefined || (value !== undefined && hash(userId, kind, value) === hashed);
    return (
      matches(trace.agent, 'agent', agentId) &&
      matches(trace.session, 'session', sessionId) &&
      matches(trace.source, 'source', sourceId) &&
      (trace.before === undefined || episode.at < trace.before)
    );
  });
}

/** Whether a fact with this id was itself erased. */
export function isErasedFact(userId: string, factId: string, traces: readonly ErasureTrace[]): boolean {
  const hashed = hash(userId, 'id', factId);
  return traces.some((trace) => trace.everything !== true && trace.ids?.includes(hashed) === true);
}

const MAX_NAME_WORDS = 6;
const MAX_NAME_LETTERS = 12;

/** Normal forms of everything in the text that could be a name: runs of words, and in scripts without spaces runs of letters. */
function possibleNames(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}._'’\-/&]*/gu) ?? [];
  const names = new Set<string>();
  for (let start = 0; start < words.length; start++) {
    for (let length = 1; length <= MAX_NAME_WORDS && start + length <= words.length; length++)
      names.add(normalForm(words.slice(start, start + length).join(' ')));
  }
  for (const [run] of text.matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu)) {
    const letters = [...run];
    for (let start = 0; start < letters.length; start++) {
      for (let length = 2; length <= MAX_NAME_LETTERS && start + length <= letters.length; length++)
        names.add(normalForm(letters.slice(start, start + length).join('')));
    }
  }
  return [...names];
}

function hash(userId: string, kind: string, value: string): string {
  return deriveId('erasure', userId, kind, value);
}
