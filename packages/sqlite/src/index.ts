export { SqliteDatabase, type SqliteOptions, type TransactionOptions } from './database.ts';
