import { SqliteDatabase } from '@tandem-memory/sqlite';
import { expect, it } from 'vitest';
import { KEYWORD_BLOCK_ROWS, KeywordCodec } from './keyword-codec.ts';
import { PostingTable } from './posting-table.ts';
import { RecordTable } from './record-table.ts';
import { RecordWriter } from './record-writer.ts';
import { encodeTerms } from './term-list.ts';
import { UserCache } from './user-cache.ts';

it('drops the users longest unused, and never holds more than it may', () => {
  using database = new SqliteDatabase({ path: ':memory:' });
  const table = new RecordTable(database, 'keyword');
  database.migrate('keyword', [`${table.schema} ${PostingTable.schema}`]);
  const codec = new KeywordCodec(new PostingTable(database));
  const record = { kind: 'episode', agentId: undefined, sessionId: undefined, sourceId: undefined, at: '2024-03-01T00:00:00.000Z' } as const;
  const payload = encodeTerms([{ term: 'fox', weight: 1 }]);
  const users = Array.from({ length: 20 }, (_, i) => `user-${i}`);
  for (const user of users)
    new RecordWriter(table, codec, user).upsert(Array.from({ length: KEYWORD_BLOCK_ROWS + 10 }, (_, i) => ({ ...record, id: `r${i}`, payload })));

  // A user takes two chunks and the tail as a block.
  const capacity = codec.chunkBytes * 10;
  const cache = new UserCache(table, codec, codec, capacity);
  const get = (userId: string) => {
    const user = table.user(userId);
    if (user === undefined) throw new Error(`${userId} is missing`);
    return cache.get(userId, user);
  };
  const first = get('user-0');
  for (const user of users) {
    expect(get(user).chunks.size).toBe(2);
    expect(get('user-0')).toBe(first);
    expect(cache.bytes).toBeGreaterThan(0);
    expect(cache.bytes).toBeLessThanOrEqual(capacity);
  }
  const second = get('user-1');
  for (const user of users) get(user);
  expect(get('user-1')).not.toBe(second);
  cache.clear();
  expect(cache.bytes).toBe(0);
});
