import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from './lock.mjs';

describe('lock', () => {
  let folder;
  let lock;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tandem-lock-'));
    lock = join(folder, 'deep', 'lock');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function leave(pid) {
    mkdirSync(lock, { recursive: true });
    writeFileSync(join(lock, 'pid'), String(pid));
  }

  it('lets processes in one at a time', async () => {
    const log = join(folder, 'log');
    const program = `
      import { appendFileSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      import { withLock } from ${JSON.stringify(new URL('./lock.mjs', import.meta.url).href)};
      await withLock(${JSON.stringify(lock)}, async () => {
        appendFileSync(${JSON.stringify(log)}, 'in ');
        await setTimeout(50);
        appendFileSync(${JSON.stringify(log)}, 'out ');
      });`;
    const codes = await Promise.all(
      Array.from({ length: 4 }, () => new Promise((done) => spawn(process.execPath, ['--input-type=module', '-e', program]).on('close', done))),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(4));
    expect(existsSync(lock)).toBe(false);
  });

  it('is freed when the work fails', async () => {
    await expect(withLock(lock, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(existsSync(lock)).toBe(false);
  });

  it('takes over from a dead process', async () => {
    leave(spawnSync(process.execPath, ['--version']).pid);
    expect(await withLock(lock, () => 'done')).toBe('done');
  });

  it('takes over from a living pid without a heartbeat', async () => {
    leave(process.pid);
    expect(await withLock(lock, () => 'done', { silenceMs: 100 })).toBe('done');
  });

  it('takes over a lock that lost its pid', async () => {
    mkdirSync(lock, { recursive: true });
    expect(await withLock(lock, () => 'done', { silenceMs: 100 })).toBe('done');
  });

  it('waits for a living process with a heartbeat', async () => {
    leave(process.pid);
    let held = true;
    let beats = 0;
    const heartbeat = setInterval(() => {
      beats++;
      utimesSync(join(lock, 'pid'), beats, beats);
      if (beats < 20) return;
      clearInterval(heartbeat);
      held = false;
      rmSync(lock, { recursive: true });
    }, 50);
    expect(await withLock(lock, () => held, { silenceMs: 600 })).toBe(false);
  });
});
