export type { ArrayStatement } from './array-statement.ts';
export { SqliteDatabase, type SqliteOptions, type TransactionOptions } from './database.ts';
