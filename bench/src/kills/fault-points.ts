import { injectFaults, withMembers } from '@tandem-memory/core/testing';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import type { Driver, ManagedTransaction, Session } from 'neo4j-driver';

/** Called at every moment between two writes. It may end the process. */
export type FaultPoint = (name: string) => void;

/** Calls of the drivers that change a store. */
const WRITES = new Set([
  'commit',
  'erase',
  'compact',
  'acknowledge',
  'upsert',
  'delete',
  'forget',
  'setExpiry',
  'setArchived',
  'recordAccess',
  'recordConsent',
]);

/** A driver with a fault point before and after each of its writes. */
export function betweenCalls<D extends object>(driver: D, kind: string, point: FaultPoint): D {
  return injectFaults(driver, (method, moment) => (WRITES.has(method) ? point(`${moment} ${kind}.${method}`) : undefined));
}

/** A SQLite file with a fault point before each statement that writes and before each COMMIT. */
export function betweenStatements(database: SqliteDatabase, point: FaultPoint): SqliteDatabase {
  return withMembers(database, {
    prepare: (sql: string) => {
      const statement = database.prepare(sql);
      const run = (...values: Parameters<typeof statement.run>) => {
        point('before a statement of SQLite');
        return statement.run(...values);
      };
      return withMembers(statement, { run });
    },
    transaction: (work: () => unknown, options?: Parameters<SqliteDatabase['transaction']>[1]) =>
      database.transaction(() => {
        const result = work();
        point('before COMMIT of SQLite');
        return result;
      }, options),
  });
}

/** A Neo4j driver with a fault point before each statement of a write transaction and before its commit. */
export function betweenQueries(driver: Driver, point: FaultPoint): Driver {
  type Task = (transaction: ManagedTransaction) => unknown;
  const observed = (transaction: ManagedTransaction) =>
    withMembers(transaction, {
      run: (cypher: string, parameters: Record<string, unknown>) => {
        point('before a statement of Neo4j');
        return transaction.run(cypher, parameters);
      },
    });
  const session = (own: Session) =>
    withMembers(own, {
      executeWrite: (task: Task, settings: object) =>
        own.executeWrite(async (transaction) => {
          const result = await task(observed(transaction));
          point('before the commit of Neo4j');
          return result;
        }, settings),
    });
  return withMembers(driver, { session: (options: object) => session(driver.session(options)) });
}
