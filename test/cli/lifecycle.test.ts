import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditReport, ForgetReceipt, ImportReceipt } from 'tandem-memory';
import { describe, expect, it } from 'vitest';
import { tandem } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FAST = ['--embedding', 'fast'];

describe('tandem export, forget, import', () => {
  it('saves a memory, forgets it without a trace, and brings it back', async () => {
    using folder = temporaryFolder();
    const db = join(folder.path, 'm.db');
    const scope = ['--user', 'quux-user', '--db', db, ...FAST];
    await tandem(['store', 'Zorkblat lives in Corran.\u2028And sings.', ...scope]);
    const { stdout: first } = await tandem(['export', ...scope]);
    expect(first).toContain('"format":"tandem-memory-export"');
    const file = join(folder.path, 'lia.jsonl');
    expect(await tandem(['export', ...scope, '--out', file])).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(first);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect((await tandem(['export', ...scope, '--out', file])).stderr).toContain('exists already');

    const refused = await tandem(['forget', ...scope]);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const forgotten = JSON.parse((await tandem(['forget', ...scope, '--yes', '--json'])).stdout) as ForgetReceipt;
    expect(forgotten).toMatchObject({ erased: { episodes: 1 }, remaining: { episodes: 0, vectors: 0 }, compacted: true });
    expect(readFileSync(db).includes('Zorkblat')).toBe(false);
    expect(readFileSync(db).includes('quux-user')).toBe(false);

    const imported = JSON.parse((await tandem(['import', file, '--db', db, ...FAST, '--json'])).stdout) as ImportReceipt;
    expect(imported).toMatchObject({ userId: 'quux-user', episodes: 1, indexed: true });
    expect((await tandem(['export', ...scope])).stdout).toBe(first);
    expect((await tandem(['import', '-', '--db', db, ...FAST], { stdin: first })).stdout).toContain('0 new records');
  });

  it('forgets while the folder of the embedding model is away', async () => {
    using folder = temporaryFolder();
    const scope = ['--user', 'mira', '--db', join(folder.path, 'm.db')];
    await tandem(['store', 'Zorkblat lives in Corran.', ...scope]);
    const away = ['--embedding', join(folder.path, 'away')];
    expect((await tandem(['query', 'Who lives in Corran?', ...scope, ...away])).stderr).toContain('MODEL_FILES_MISSING');
    const { stdout } = await tandem(['forget', ...scope, ...away, '--yes', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ erased: { episodes: 1 }, remaining: { episodes: 0, vectors: 0 } });
    expect(readFileSync(join(folder.path, 'm.db')).includes('Zorkblat')).toBe(false);
  });

  it('refuses what it can not read', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'x.jsonl');
    const db = ['--db', join(folder.path, 'm.db'), ...FAST];
    writeFileSync(file, Buffer.from([0x50, 0x4b, 0xff, 0xfe]));
    for (const [name, code] of [
      [file, 'INPUT_INVALID'],
      [join(folder.path, 'none'), 'FILE_NOT_FOUND'],
    ] as const) {
      expect(await tandem(['import', name, ...db])).toMatchObject({ status: 2, stderr: expect.stringContaining(code) });
    }
  });
});

describe('tandem forget --source, consent and audit', () => {
  it('work on what they name', async () => {
    using folder = temporaryFolder();
    const scope = ['--user', 'quux-user', '--db', join(folder.path, 'm.db'), ...FAST];
    for (const name of ['a.md', 'b.md']) {
      writeFileSync(join(folder.path, name), `The pier of ${name} is blue.`);
      await tandem(['ingest', name, ...scope], { cwd: folder.path });
    }
    const forgotten = await tandem(['forget', '--source', 'a.md', '--yes', ...scope]);
    expect(forgotten.stdout).toMatch(/forgotten {2}episodes 1,[\s\S]*left {7}episodes 0/);
    expect((await tandem(['consent', 'withdraw', ...scope])).stdout).toMatch(/^withdrawn {2}memory/);
    expect(await tandem(['store', 'tea', ...scope])).toMatchObject({ status: 2, stderr: expect.stringContaining('CONSENT_REQUIRED') });
    expect((await tandem(['consent', 'perhaps', ...scope])).status).toBe(2);
    await tandem(['query', 'pier', ...scope]);
    expect(JSON.parse((await tandem(['audit', ...scope, '--json'])).stdout) as AuditReport).toMatchObject({
      episodes: 1,
      neverRecalled: { count: 0 },
    });
    expect((await tandem(['decay', ...scope])).stdout).toContain('0 of 1 archived');
  });
});
