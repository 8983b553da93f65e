import { MemoryError } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { Neo4jGraphStore } from './neo4j-graph-store.ts';

describe('the server of the Neo4j store', () => {
  it.each([
    'neo4j://localhost',
    'neo4j+s://xyz.databases.neo4j.io',
    'neo4j+ssc://db',
    'bolt://127.0.0.1:7687',
    'bolt+s://db:7687',
    'bolt://[::1]:7687',
  ])('may be %s', (url) => {
    expect(new Neo4jGraphStore({ server: { url } }).name).toBe('neo4j');
  });

  it.each([
    [{ url: '' }, '`url`'],
    [{ url: 'localhost:7687' }, '`url`'],
    [{ url: 'http://secret.example' }, 'neo4j+s://'],
    [{ url: 'neo4j://ann:secret@db' }, '`username` and `password`'],
    [{ url: 'neo4j://db', username: 'ann' }, 'together'],
    [{ url: 'neo4j://db', password: 'secret' }, 'together'],
  ])('is refused where it is %o, without repeating it', (server, remedy) => {
    let error: unknown;
    try {
      new Neo4jGraphStore({ server });
    } catch (thrown) {
      error = thrown;
    }
    if (!(error instanceof MemoryError)) throw error;
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toContain(remedy);
    expect(error.message).not.toContain('secret');
  });

  it('has to be opened by the store first', async () => {
    await expect(new Neo4jGraphStore({ server: { url: 'bolt://127.0.0.1:1' } }).counts()).rejects.toMatchObject({ code: 'CLOSED' });
  });
});
