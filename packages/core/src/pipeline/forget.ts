import { z } from 'zod';
import type { EngineOptions } from '../config.ts';
import type { Erasure } from '../domain/erasure.ts';
import { normalForm } from '../domain/normal-form.ts';
import { parseTime } from '../domain/time.ts';
import { MemoryError } from '../errors.ts';
import {
  type ForgetDependencies,
  type ForgetPlan,
  type ForgetReceipt,
  forget as forgetRecords,
  planByEntity,
  planByIds,
} from '../lifecycle/forget.ts';
import type { ChatMemoryStore } from '../ports/chat-memory-store.ts';
import { forgetConversations } from './forget-conversations.ts';
import { parseInput, requireUser, timeInput } from './read-input.ts';
import { settleErasure } from './settle-erasure.ts';
import type { RecordDependencies } from './user-locks.ts';

/** What to forget: everything of the user, or what one of the groups below names. Groups can't be mixed. */
export interface ForgetOptions {
  readonly userId: string;
  /** Turns that match all of these that are given. */
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly sourceId?: string;
  /** Said before this moment: ISO 8601. */
  readonly before?: string | Date;
  /** An entity by its id, or by any of its names: with it go the turns that mention it and the facts about it. */
  readonly entityId?: string;
  readonly entity?: string;
  /** Ids of retrieved items, turns and facts alike. With a fact go the turns that state it, unless `keepEvidence` is set. */
  readonly ids?: readonly string[];
  readonly keepEvidence?: boolean;
  /**
   * Write the files anew afterwards, so that no deleted byte is left in them; takes about a second for each 100 MB of the file.
   * Default true.
   */
  readonly compact?: boolean;
}

const text = z.string().min(1).optional();
const optionsSchema = z.strictObject({
  userId: z.string(),
  agentId: text,
  sessionId: text,
  sourceId: text,
  before: timeInput.optional(),
  entityId: text,
  entity: text,
  ids: z.array(z.string()).optional(),
  keepEvidence: z.boolean().optional(),
  compact: z.boolean().optional(),
});
const GROUPS = [['agentId', 'sessionId', 'sourceId', 'before'], ['entityId'], ['entity'], ['ids']] as const;

/**
 * Forgets for good: see `ForgetOptions` and `ForgetReceipt`. A store of the same data that is under way loses against it.
 * @throws SCOPE_REQUIRED, INPUT_INVALID, and the errors of the graph store
 */
export async function forget(
  options: ForgetOptions,
  dependencies: ForgetDependencies & RecordDependencies & { readonly conversations?: ChatMemoryStore },
  engine: EngineOptions,
): Promise<ForgetReceipt> {
  const userId = requireUser((options as ForgetOptions | undefined)?.userId);
  const checked = parseInput(optionsSchema, options, 'options');
  const given = GROUPS.filter((group) => group.some((name) => checked[name] !== undefined));
  if (given.length > 1) {
    throw new MemoryError(
      'INPUT_INVALID',
      `options: ${given.map((group) => group.filter((name) => checked[name] !== undefined).join(', ')).join(' and ')} can't be combined. Forget one after the other.`,
    );
  }
  // An option that was meant to narrow and is undefined must not widen to everything.
  const blank = Object.entries(options).find(([name, value]) => value === undefined && name !== 'keepEvidence' && name !== 'compact');
  if (blank !== undefined) throw new MemoryError('INPUT_INVALID', `options.${blank[0]} is undefined. Leave it out to forget everything of the user.`);
  const { conversations } = dependencies;
  const plan = await planOf(userId, checked as ForgetOptions, dependencies);
  return forgetRecords(plan, engine.indexing.contextWeights.length, checked.compact ?? true, {
    ...dependencies,
    settle: (owner, results) => settleErasure(owner, results, dependencies),
    ...(conversations !== undefined && {
      forgetConversations: (erasure, episodes, isNamed) => forgetConversations({ erasure, episodes: new Set(episodes), isNamed }, conversations),
    }),
  });
}

async function planOf(userId: string, options: ForgetOptions, { graph }: ForgetDependencies): Promise<ForgetPlan> {
  const { agentId, sessionId, sourceId, before, entityId, entity, ids, keepEvidence } = options;
  if (ids !== undefined) return planByIds(userId, ids, keepEvidence === true, graph);
  if (entityId !== undefined) return planByEntity(userId, await graph.getEntities(userId, [entityId]), entityId, graph);
  if (entity !== undefined)
    return planByEntity(userId, await graph.findEntities({ userId, keys: [normalForm(entity)] }, { limit: 100 }), entity, graph);
  const erasure: Erasure = {
    userId,
    ...(agentId === undefined ? {} : { agentId }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(before === undefined ? {} : { before: moment(before) }),
  };
  return { erasures: [erasure], notFound: [] };
}

function moment(value: string | Date): string {
  const parsed = parseTime(value);
  if (parsed !== undefined) return parsed.at;
  throw new MemoryError('INPUT_INVALID', 'options.before is not a date. Give ISO 8601, for example 2024-03-01 (CLI: --before).');
}
