import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MemoryError } from '@tandem-memory/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteDatabase } from './database.ts';

const NOTES = ['CREATE TABLE note(text TEXT NOT NULL)'];

/** A process of its own that opens the file the moment it is told to, migrates it and writes one row. */
const OPEN_AND_WRITE = `
  import { SqliteDatabase } from ${JSON.stringify(new URL('./database.ts', import.meta.url).href)};
  const [path, text] = process.argv.slice(1);
  process.stdout.write('loaded');
  process.stdin.resume().once('end', () => {
    const database = new SqliteDatabase({ path });
    database.migrate('notes', ${JSON.stringify(NOTES)});
    database.transaction(() => database.prepare('INSERT INTO note(text) VALUES (?)').run(text));
    database.close();
  });
`;

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-sqlite-'));
  path = join(folder, 'memory.db');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function errorOf(work: () => unknown): MemoryError {
  try {
    work();
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
  throw new Error('No error was thrown.');
}

function notes(database: SqliteDatabase): unknown[] {
  return database
    .prepare('SELECT text FROM note ORDER BY rowid')
    .all()
    .map((row) => row['text']);
}

function addNote(database: SqliteDatabase, text: string): void {
  database.prepare('INSERT INTO note(text) VALUES (?)').run(text);
}

describe('opening', () => {
  it('keeps what was written for the next opener', () => {
    const first = new SqliteDatabase({ path });
    first.migrate('notes', NOTES);
    first.transaction(() => addNote(first, '회의는 금요일 🗓️'));
    first.close();
    using second = new SqliteDatabase({ path });
    second.migrate('notes', NOTES);
    expect(notes(second)).toEqual(['회의는 금요일 🗓️']);
  });

  it.each([
    ['a table', 'CREATE TABLE customer(name TEXT); INSERT INTO customer VALUES (1)'],
    ['a table in write-ahead mode', 'PRAGMA journal_mode=WAL; CREATE TABLE customer(name TEXT)'],
    ['a table that is named like ours', 'CREATE TABLE schema_version(version INTEGER)'],
    ['no table but an application id', 'PRAGMA application_id=7; PRAGMA user_version=1'],
  ])('refuses the database of another program with %s and leaves it as it is', (_, sql) => {
    const foreign = new DatabaseSync(path);
    foreign.exec(sql);
    foreign.close();
    const before = readFileSync(path);
    const error = errorOf(() => new SqliteDatabase({ path }));
    expect(error.code).toBe('NOT_A_DATABASE');
    expect(error.message).toContain('--db');
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(['memory.db']);
  });

  it.each([
    ['text', 'dear diary, this is no database and it is longer than one hundred bytes: '.repeat(20)],
    ['a short text', 'hello'],
    ['a cut header', 'SQLite format 3\0'],
  ])('refuses a file that is %s and leaves it as it is', (_, content) => {
    writeFileSync(path, content);
    expect(errorOf(() => new SqliteDatabase({ path })).code).toBe('NOT_A_DATABASE');
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(readdirSync(folder)).toEqual(['memory.db']);
  });

  it('takes an empty file', () => {
    writeFileSync(path, '');
    using database = new SqliteDatabase({ path });
    database.migrate('notes', NOTES);
    expect(notes(database)).toEqual([]);
  });

  it('names the path and the option where the folder is missing', () => {
    const missing = join(folder, 'not', 'there.db');
    const error = errorOf(() => new SqliteDatabase({ path: missing }));
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toContain(missing);
    expect(error.message).toContain('folder');
  });

  it('refuses a folder, an empty path and an impossible timeout', () => {
    expect(errorOf(() => new SqliteDatabase({ path: folder })).code).toBe('CONFIG_INVALID');
    expect(errorOf(() => new SqliteDatabase({ path: '' })).code).toBe('CONFIG_INVALID');
    for (const busyTimeoutMs of [-1, 0.5, Number.NaN]) {
      expect(errorOf(() => new SqliteDatabase({ path, busyTimeoutMs })).code).toBe('CONFIG_INVALID');
    }
  });

  it('lets several processes open a new file at once', async () => {
    const children = [1, 2, 3].map((number) =>
      spawn(process.execPath, ['--conditions=@tandem-memory/source', '--input-type=module', '-e', OPEN_AND_WRITE, path, `process ${number}`], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    // Each says that it is loaded and waits, so that all of them open the file in the same moment.
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    const ends = children.map((child) => once(child, 'exit'));
    for (const child of children) child.stdin.end('go');
    expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0, 0]);
    using database = new SqliteDatabase({ path });
    expect(notes(database).sort()).toEqual(['process 1', 'process 2', 'process 3']);
  });
});

describe('migrate', () => {
  it('runs each step once, and components apart', () => {
    using database = new SqliteDatabase({ path });
    database.migrate('notes', NOTES);
    database.transaction(() => addNote(database, 'kept'));
    database.migrate('notes', [...NOTES, 'ALTER TABLE note ADD COLUMN stars INTEGER NOT NULL DEFAULT 3']);
    database.migrate('other', ['CREATE TABLE other(id INTEGER)']);
    expect({ ...database.prepare('SELECT text, stars FROM note').get() }).toEqual({ text: 'kept', stars: 3 });
  });

  it('refuses a file of a newer version and leaves it usable for that version', () => {
    const newer = new SqliteDatabase({ path });
    newer.migrate('notes', [...NOTES, 'CREATE TABLE later(id INTEGER)']);
    newer.close();
    const before = readFileSync(path);
    const old = new SqliteDatabase({ path });
    const error = errorOf(() => old.migrate('notes', NOTES));
    old.close();
    expect(error.code).toBe('DATABASE_TOO_NEW');
    expect(error.details).toEqual({ component: 'notes', found: 2, supported: 1 });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('keeps the old version when a step fails', () => {
    using database = new SqliteDatabase({ path });
    expect(errorOf(() => database.migrate('notes', [...NOTES, 'CREATE NONSENSE'])).code).toBe('STORAGE_FAILED');
    database.migrate('notes', NOTES);
    expect(notes(database)).toEqual([]);
  });
});

describe('transaction', () => {
  it('keeps nothing of what an exception interrupted, and goes on afterwards', () => {
    using database = new SqliteDatabase({ path });
    database.migrate('notes', NOTES);
    const failure = new Error('in the middle');
    expect(() =>
      database.transaction(() => {
        addNote(database, 'half');
        throw failure;
      }),
    ).toThrow(failure);
    expect(notes(database)).toEqual([]);
    database.transaction(() => addNote(database, 'whole'), { durable: false });
    database.transaction(() => addNote(database, 'durable'));
    expect(notes(database)).toEqual(['whole', 'durable']);
  });

  it('does not nest', () => {
    using database = new SqliteDatabase({ path });
    expect(errorOf(() => database.transaction(() => database.transaction(() => 1))).code).toBe('UNSUPPORTED');
  });

  it('says STORAGE_BUSY where another connection holds the write lock, and works once it is free', () => {
    using holder = new SqliteDatabase({ path });
    using waiter = new SqliteDatabase({ path, busyTimeoutMs: 20 });
    holder.migrate('notes', NOTES);
    holder.transaction(() => {
      const error = errorOf(() => waiter.transaction(() => addNote(waiter, 'second')));
      expect(error.code).toBe('STORAGE_BUSY');
      expect(error.retryable).toBe(true);
      addNote(holder, 'first');
    });
    waiter.transaction(() => addNote(waiter, 'second'));
    expect(notes(holder)).toEqual(['first', 'second']);
  });

  it('translates what SQLite refuses', () => {
    using database = new SqliteDatabase({ path });
    database.migrate('notes', NOTES);
    expect(errorOf(() => database.prepare('SELECT nonsense FROM nowhere')).code).toBe('STORAGE_FAILED');
    expect(errorOf(() => database.transaction(() => database.prepare('INSERT INTO note(text) VALUES (NULL)').run())).code).toBe('STORAGE_FAILED');
  });
});

describe('snapshot', () => {
  it('shows one state while another connection writes', () => {
    using reader = new SqliteDatabase({ path });
    using writer = new SqliteDatabase({ path });
    writer.migrate('notes', NOTES);
    const seen = reader.snapshot(() => {
      const before = notes(reader);
      writer.transaction(() => addNote(writer, 'late'));
      return [before, notes(reader)];
    });
    expect(seen).toEqual([[], []]);
    expect(notes(reader)).toEqual(['late']);
  });

  it('ends with its exception, and reads inside a transaction see its writes', () => {
    using database = new SqliteDatabase({ path });
    database.migrate('notes', NOTES);
    const failure = new Error('in the middle');
    expect(() =>
      database.snapshot(() => {
        throw failure;
      }),
    ).toThrow(failure);
    const seen = database.transaction(() => {
      addNote(database, 'mine');
      return database.snapshot(() => notes(database));
    });
    expect(seen).toEqual(['mine']);
    expect(notes(database)).toEqual(['mine']);
  });
});

describe('dataVersion', () => {
  it('changes with the commits of other connections', () => {
    using database = new SqliteDatabase({ path });
    using other = new SqliteDatabase({ path });
    const before = database.dataVersion();
    expect(database.dataVersion()).toBe(before);
    other.migrate('notes', NOTES);
    expect(database.dataVersion()).not.toBe(before);
  });
});

describe('close', () => {
  it('makes every later call fail with CLOSED, and may be repeated', () => {
    const database = new SqliteDatabase({ path: ':memory:' });
    database.close();
    database.close();
    const calls = [
      () => database.prepare('SELECT 1'),
      () => database.transaction(() => 1),
      () => database.snapshot(() => 1),
      () => database.migrate('notes', NOTES),
      () => database.dataVersion(),
    ];
    for (const call of calls) expect(errorOf(call).code).toBe('CLOSED');
  });

  it('leaves one file', () => {
    const database = new SqliteDatabase({ path });
    database.migrate('notes', NOTES);
    database.close();
    expect(readdirSync(folder)).toEqual(['memory.db']);
  });
});
