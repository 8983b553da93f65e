import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Context, Receipt } from 'tandem-memory';
import { describe, expect, it } from 'vitest';
import { type Finished, tandem } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FAST = ['--embedding', 'fast'];
const SAMPLE = join(import.meta.dirname, '..', '..', 'examples', 'sample', 'team-chat.jsonl');

function fails(result: Finished, code: string): void {
  expect({ status: result.status, stderr: result.stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining(code) });
  expect(result.stdout).toBe('');
}

describe('tandem', () => {
  it('explains itself with --help, for itself and for each command', async () => {
    const main = await tandem(['--help']);
    expect(main.status).toBe(0);
    for (const command of [
      'ingest',
      'store',
      'query',
      'chat',
      'stats',
      'forget',
      'export',
      'import',
      'consent',
      'decay',
      'audit',
      'doctor',
      'reindex',
      'reextract',
    ]) {
      expect(main.stdout).toContain(command);
      const help = await tandem([command, '--help']);
      expect(help).toMatchObject({ status: 0, stderr: '' });
      expect(help.stdout).toContain('--user');
    }
  });

  it('ingests a chat, answers a question with a path, and counts the same after a repeat', async () => {
    using folder = temporaryFolder();
    const scope = ['--user', 'team', '--db', join(folder.path, 'team.db'), ...FAST];
    const first = await tandem(['ingest', SAMPLE, ...scope, '--json']);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(first.stdout)).toMatchObject({ created: 248, episodes: 248 });
    const again = await tandem(['ingest', SAMPLE, ...scope, '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, episodes: 248 });

    const answer = await tandem(['query', 'What does Marit have to do with tidebase?', ...scope, '--json', '--budget', '400']);
    const context = JSON.parse(answer.stdout) as Context;
    expect(context.items.length).toBeGreaterThan(0);
    expect(context.tokens.used).toBeLessThanOrEqual(400);
    expect(context.items.some((item) => item.text.includes('tidebase 12'))).toBe(true);

    const explained = await tandem(['query', 'Who is Marit?', ...scope, '--explain']);
    expect(explained.stdout).toMatch(/found {3}(?:vector|keyword) #\d/);
    expect(explained.stdout).toMatch(/score {3}[\d.]+ = cosine [\d.]+ \+ keywords [\d.]+/);
    expect(explained.stdout).toMatch(/path {4}Marit -\[.*\(by \[\d+\]/);
    expect(explained.stdout).toMatch(/answer {2}likely in this memory/);
    expect(explained.stdout).toMatch(/^cut {5}[\d.]+ {2}\S/m);
    expect(Math.max(...explained.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(explained.stdout).toMatch(/tokens .* of 2000/);
    const stats = JSON.parse((await tandem(['stats', ...scope, '--json'])).stdout) as Record<string, unknown>;
    expect(stats).toMatchObject({ users: 1, episodes: 248, vectors: 248, keywords: 248, outbox: 0 });
  });

  it('stores a text given as an argument and from standard input', async () => {
    using folder = temporaryFolder();
    const scope = ['--user', 'lia', '--db', join(folder.path, 'lia.db'), ...FAST, '--json'];
    const given = JSON.parse(
      (await tandem(['store', 'I moved from Lindby to Corran.', ...scope, '--at', '2024-03-02T10:00:00+01:00'])).stdout,
    ) as Receipt;
    expect(given).toMatchObject({ indexed: true, episodes: [{ created: true, state: 'outlined' }] });
    const piped = JSON.parse((await tandem(['store', '-', ...scope], { stdin: 'The kayak is green.\n' })).stdout) as Receipt;
    expect(piped.episodes).toHaveLength(1);
    const context = JSON.parse((await tandem(['query', 'kayak', ...scope])).stdout) as Context;
    expect(context.items[0]?.text).toContain('kayak is green');
  });

  it('takes the user and the file from the environment', async () => {
    using folder = temporaryFolder();
    const environment = { TANDEM_USER: 'lia', TANDEM_DB: join(folder.path, 'env.db'), TANDEM_EMBEDDING: 'fast' };
    expect((await tandem(['store', 'The kayak is green.'], { environment })).status).toBe(0);
    expect((await tandem(['query', 'kayak'], { environment })).stdout).toContain('kayak is green');
  });
});

describe('what is printed', () => {
  it('stores with metadata, and asks only about what was stored with it', async () => {
    using folder = temporaryFolder();
    const scope = ['--user', 'ana', '--db', join(folder.path, 'ana.db'), ...FAST];
    const lines = [
      { role: 'user', content: 'The gate is green.', metadata: { project: 'garden', year: 2024 } },
      { role: 'user', content: 'The wall is white.', metadata: { project: 'kitchen', year: '2024' } },
    ];
    await tandem(['ingest', '-', ...scope], { stdin: lines.map((line) => JSON.stringify(line)).join('\n') });
    const found = async (...conditions: string[]) => {
      const { stdout } = await tandem(['query', 'What colour is it?', ...scope, '--json', ...conditions.flatMap((each) => ['--metadata', each])]);
      return (JSON.parse(stdout) as Context).items.map((item) => item.text).sort();
    };
    expect(await found('project=garden', 'year=2024')).toEqual(['The gate is green.']);
    expect(await found('year="2024"')).toEqual(['The wall is white.']);
    expect(await found('project=gar')).toEqual([]);
    fails(await tandem(['query', 'What?', ...scope, '--metadata', 'garden']), 'name=value');

    await tandem(['store', 'The roof is red.', ...scope, '--metadata', 'project=garden', '--metadata', 'year=2025']);
    const message = { role: 'user', content: 'The door is blue.', metadata: { project: 'shed' } };
    await tandem(['ingest', '-', ...scope, '--metadata', 'project=garden', '--metadata', 'year=2025'], { stdin: JSON.stringify(message) });
    expect(await found('year=2025')).toEqual(['The door is blue.', 'The roof is red.']);
    expect(await found('project=garden', 'year=2025')).toEqual(['The roof is red.']);
  });

  it('tells a memory that was found and left out from one that is not there', async () => {
    using folder = temporaryFolder();
    const scope = ['--user', 'lia', '--db', join(folder.path, 'm.db'), ...FAST];
    const ask = async (...args: readonly string[]) => (await tandem(['query', 'kayak', ...scope, ...args])).stdout;
    await tandem(['store', 'The kayak is red.', ...scope, '--user', 'mia']);
    expect(await ask()).toContain('Nothing in this memory matches.');
    await tandem(['store', 'The kayak is green.', ...scope]);
    expect(await ask('--budget', '0')).toMatch(/^What was found does not fit into the budget of 0 tokens\./);
    expect(await ask('--top-k', '0')).toMatch(/^Memories were found, but none was asked for/);
    await tandem(['store', 'The kayak is long.', ...scope]);
    expect(await ask('--budget', '0', '--top-k', '1')).toMatch(/^What was found does not fit/);
    expect(await ask('--budget', '0', '--top-k', '0')).not.toContain('Nothing in this memory matches');
  });

  it('keeps a line whole whatever the name of a file holds', async () => {
    using folder = temporaryFolder();
    const scope = ['--user', 'lia', '--db', join(folder.path, 'm.db'), ...FAST];
    const file = join(folder.path, 'a\nremoved   b\u001b[31m.txt');
    writeFileSync(file, 'The kayak is green.');
    const listed = await tandem(['ingest', file, ...scope]);
    expect(listed.stdout).toMatch(/^ingested .*a\\nremoved {3}b\\u001b\[31m\.txt {2}1 item/);
    const found = (await tandem(['query', 'kayak', ...scope])).stdout;
    expect(found.split('\n')[0]).toMatch(/a\\nremoved {3}b\\u001b\[31m/);
    expect(found.split('\n')[1]?.trim()).toBe('The kayak is green.');
  });
});

describe('bad input ends with status 2, a code, and nothing written', () => {
  const cases: readonly (readonly [what: string, args: readonly string[], code: string])[] = [
    ['no user', ['store', 'x'], 'SCOPE_REQUIRED'],
    ['a blank user', ['query', 'x', '--user', '  '], 'SCOPE_REQUIRED'],
    ['an empty text', ['store', '   ', '--user', 'a'], 'INPUT_EMPTY'],
    ['a file that is not there', ['ingest', 'missing.jsonl', '--user', 'a'], 'FILE_NOT_FOUND'],
    ['a date that is none', ['store', 'x', '--user', 'a', '--at', 'soon'], 'INPUT_INVALID'],
    ['a budget that is no number', ['query', 'x', '--user', 'a', '--budget', '-5'], 'whole number'],
    ['an unknown option', ['query', 'x', '--user', 'a', '--colour'], 'unknown option'],
    ['an unknown command', ['remember', 'x'], 'unknown command'],
    ['a folder that is not there', ['store', 'x', '--user', 'a', '--db', 'no/such/folder/m.db'], 'CONFIG_INVALID'],
  ];
  for (const [what, args, code] of cases) {
    it(what, async () => {
      using folder = temporaryFolder();
      const result = await tandem(args, { cwd: folder.path, environment: { TANDEM_EMBEDDING: 'fast' } });
      fails(result, code);
    });
  }

  it('a question that is none, and one to be taken apart or asked of a day that is none', async () => {
    using folder = temporaryFolder();
    const scope = ['--user', 'a', '--db', join(folder.path, 'm.db'), ...FAST];
    await tandem(['store', 'The kayak is green.', ...scope]);
    fails(await tandem(['query', '\u200b', ...scope]), 'INPUT_EMPTY');
    fails(await tandem(['query', 'x', '--decompose', ...scope]), 'TANDEM_MODEL');
    fails(await tandem(['query', 'x', '--as-of', 'yesterday', ...scope]), '--as-of');
  });

  it.each([
    ['query', 'x'],
    ['history'],
    ['merges', 'list'],
    ['merges', 'dry-run'],
    ['merges', 'undo', 'x'],
    ['stats'],
    ['doctor'],
    ['doctor', '--repair'],
    ['reindex'],
    ['reextract'],
    ['audit'],
    ['consent'],
    ['decay'],
    ['export'],
    ['forget', '--yes'],
  ])('a memory that is not there, of which no file is made: %s %s', async (...command) => {
    using folder = temporaryFolder();
    const args = command.filter((part) => part !== undefined);
    const result = await tandem([...args, '--user', 'a', '--db', 'typo.db', ...FAST], { cwd: folder.path });
    fails(result, 'FILE_NOT_FOUND');
    expect(result.stderr).toMatch(/typo\.db.*--db.*TANDEM_DB/s);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('a binary file given by name', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'picture.txt');
    writeFileSync(file, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 1, 2, 3, 0, 0]));
    fails(await tandem(['ingest', file, '--user', 'a', ...FAST], { cwd: folder.path }), 'FILE_UNSUPPORTED');
  });

  it('a database of a newer version, which stays as it was', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'new.db');
    const scope = ['--user', 'a', '--db', path, ...FAST];
    expect((await tandem(['store', 'The kayak is green.', ...scope])).status).toBe(0);
    const database = new DatabaseSync(path);
    database.exec('UPDATE schema_version SET version = 999; PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const before = readFileSync(path);
    fails(await tandem(['store', 'Another text.', ...scope]), 'DATABASE_TOO_NEW');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('a file that is no database, which stays as it was', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'notes.txt');
    writeFileSync(path, 'This is not a database, it is somebody\u2019s notes.'.repeat(20));
    const before = readFileSync(path);
    fails(await tandem(['store', 'x', '--user', 'a', '--db', path, ...FAST]), 'NOT_A_DATABASE');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('another embedding model than the index was made with', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'm.db');
    expect((await tandem(['store', 'The kayak is green.', '--user', 'a', '--db', path, ...FAST])).status).toBe(0);
    const result = await tandem(['store', 'Another text.', '--user', 'a', '--db', path, '--embedding', 'minilm']);
    fails(result, 'DIMENSION_MISMATCH');
    expect(result.stderr).toMatch(/256.*384|384.*256/);
    const stats = JSON.parse((await tandem(['stats', '--db', path, ...FAST, '--json'])).stdout) as Record<string, unknown>;
    expect(stats).toMatchObject({ episodes: 1, vectors: 1 });
  });

  it('with --json the error is one line of JSON on standard error', async () => {
    const result = await tandem(['query', 'x', '--json']);
    expect(result).toMatchObject({ status: 2, stdout: '' });
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { code: 'SCOPE_REQUIRED' } });
  });

  it('a folder of nothing but binaries is listed, not an error', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'files'));
    writeFileSync(join(folder.path, 'files', 'a.bin'), Buffer.alloc(64));
    const result = await tandem(['ingest', 'files', '--user', 'a', ...FAST], { cwd: folder.path });
    expect(result.status).toBe(0);
    expect(result.stdout).toContain('skipped');
  });
});
