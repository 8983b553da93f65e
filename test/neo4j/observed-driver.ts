import { withMembers } from '@tandem-memory/core/testing';
import type { Driver, ManagedTransaction, Session } from 'neo4j-driver';

/** Told of each statement before it runs; what it returns runs instead, and what it throws is thrown in the transaction. */
type Before = (cypher: string, mode: 'read' | 'write') => string;

export interface ObservedDriver {
  readonly driver: Driver;
  /** Transactions begun, those that the driver tried again counted again. */
  readonly attempts: { read: number; write: number };
  /** Rows and other accesses of the storage engine, where `before` asks for a profile of the statement. */
  readonly work: { databaseHits: number };
  /** Statements of which the server said that they use what a later version will not know, with its words. */
  readonly deprecated: Set<string>;
}

/** A driver that shows what the store does with it. */
export function observeDriver(driver: Driver, before: Before = (cypher) => cypher): ObservedDriver {
  const attempts = { read: 0, write: 0 };
  const work = { databaseHits: 0 };
  const deprecated = new Set<string>();
  const transaction = (tx: ManagedTransaction, mode: 'read' | 'write') =>
    withMembers(tx, {
      run: async (cypher: string, parameters: Record<string, unknown>) => {
        const result = await tx.run(before(cypher, mode), parameters);
        work.databaseHits += hitsOf(result.summary.profile);
        for (const status of result.summary.gqlStatusObjects)
          if ('classification' in status && status.classification === 'DEPRECATION') deprecated.add(`${status.statusDescription}: ${cypher}`);
        return result;
      },
    });
  type Task = (tx: ManagedTransaction) => unknown;
  const count = (task: Task, mode: 'read' | 'write') => (tx: ManagedTransaction) => {
    attempts[mode]++;
    return task(transaction(tx, mode));
  };
  const session = (own: Session) =>
    withMembers(own, {
      executeRead: (task: Task, settings: object) => own.executeRead(count(task, 'read'), settings),
      executeWrite: (task: Task, settings: object) => own.executeWrite(count(task, 'write'), settings),
    });
  return { driver: withMembers(driver, { session: (options: object) => session(driver.session(options)) }), attempts, work, deprecated };
}

interface Profile {
  readonly dbHits?: unknown;
  readonly children?: readonly Profile[];
}

function hitsOf(profile: Profile | false | undefined): number {
  if (profile === undefined || profile === false) return 0;
  return Number(profile.dbHits ?? 0) + (profile.children ?? []).reduce((sum, child) => sum + hitsOf(child), 0);
}
