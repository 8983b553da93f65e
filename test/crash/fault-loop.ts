/**
 * Stores turns, prints the id of each when it is acknowledged, and kills itself before a given write. Every statement that writes to SQLite
 * and every call that changes a store counts as one. Arguments: file, prefix of the texts, number of turns, write to die at (0: none; the
 * number of writes is printed at the end), and optionally the URL and collection prefix of a Qdrant.
 */
import { writeSync } from 'node:fs';
import { createMemory } from '@tandem-memory/core';
import { HashEmbeddingModel, injectFaults } from '@tandem-memory/core/testing';
import { EmbeddedGraphStore } from '@tandem-memory/graph';
import { CharacterCounter, rulesExtractor } from '@tandem-memory/models';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedKeywordIndex, EmbeddedVectorIndex, QdrantIndex } from '@tandem-memory/vector';

const [path = '', prefix = '', turns = '0', fatal = '0', url, collectionPrefix] = process.argv.slice(2);
const WRITES = new Set(['commit', 'acknowledge', 'upsert', 'delete']);
let writes = 0;
function write(): void {
  writes += 1;
  if (writes === Number(fatal)) process.kill(process.pid, 'SIGKILL');
}

/** The database with a fault point before each statement that writes. */
function countStatements(database: SqliteDatabase): SqliteDatabase {
  const bound = <Target extends object>(target: Target, key: string | symbol): unknown => {
    const member: unknown = Reflect.get(target, key, target);
    return typeof member === 'function' ? member.bind(target) : member;
  };
  const counted = (statement: ReturnType<SqliteDatabase['prepare']>) =>
    new Proxy(statement, {
      get(target, key) {
        if (key === 'run') write();
        return bound(target, key);
      },
    });
  return new Proxy(database, { get: (target, key) => (key === 'prepare' ? (sql: string) => counted(target.prepare(sql)) : bound(target, key)) });
}

const database = new SqliteDatabase({ path });
const spied = countStatements(database);
const between = <Driver extends object>(driver: Driver) => injectFaults(driver, (method) => (WRITES.has(method) ? write() : undefined));
const qdrant = url === undefined ? undefined : between(new QdrantIndex({ url, collectionPrefix: collectionPrefix ?? 'kill' }));
const memory = createMemory({
  graph: between(new EmbeddedGraphStore({ database: spied })),
  vectors: qdrant ?? between(new EmbeddedVectorIndex({ database: spied })),
  keywords: qdrant ?? between(new EmbeddedKeywordIndex({ database: spied })),
  embedding: new HashEmbeddingModel(),
  extractor: rulesExtractor(),
  counter: new CharacterCounter(4),
  resources: [database],
});
for (let i = 0; i < Number(turns); i++) {
  const receipt = await memory.store(
    { role: 'user', name: 'Ana', content: `${prefix} ${i}: Marek moved the Kestrel depot to Lindby.` },
    { userId: 'ana', sessionId: prefix },
  );
  writeSync(1, `stored ${receipt.episodes[0]?.id}\n`);
}
writeSync(1, `writes ${writes}\n`);
await memory.close();
