// A lock between processes: a folder that holds its owner's pid. Runs on Node 18 and without packages.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const POLL_MS = 200;
const HEARTBEAT_MS = 2_000;
const SILENCE_MS = 20_000;

/**
 * Runs `work` while no other process does. A lock is stale when its owner's pid is dead, or when its heartbeat stood still for as long
 * as we watched it (after a crash the pid may live again as another program; in a container it means nothing).
 */
export async function withLock(path, work, { silenceMs = SILENCE_MS } = {}) {
  await acquire(path, silenceMs);
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if (ownerOf(path)?.pid === process.pid) rmSync(path, { recursive: true, force: true });
  }
}

async function acquire(path, silenceMs) {
  // Made aside with the pid inside and moved into place: nobody ever sees a new lock without an owner.
  const mine = `${path}.${process.pid}`;
  rmSync(mine, { recursive: true, force: true });
  mkdirSync(mine, { recursive: true });
  writeFileSync(join(mine, 'pid'), String(process.pid));
  let seen = '';
  let seenAt = Date.now();
  for (;;) {
    try {
      renameSync(mine, path);
      return;
    } catch (error) {
      // POSIX says ENOTEMPTY or EEXIST when the lock is held, Windows EPERM or EACCES.
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(error.code)) throw error;
    }
    const owner = ownerOf(path);
    const state = `${owner?.pid} ${owner?.beat}`;
    if (state !== seen) {
      seen = state;
      seenAt = Date.now();
    }
    const dead = owner !== undefined && !isAlive(owner.pid);
    if (dead || Date.now() - seenAt > silenceMs) discard(path, owner?.pid);
    else await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

/** Moved aside before it is deleted: of several waiters only one succeeds. */
function discard(path, pid) {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  // Another waiter was quicker and this is its new lock: give it back.
  if (ownerOf(aside)?.pid !== pid) renameSync(aside, path);
  else rmSync(aside, { recursive: true, force: true });
}

function ownerOf(path) {
  try {
    return { pid: Number(readFileSync(join(path, 'pid'), 'utf8')), beat: statSync(join(path, 'pid')).mtimeMs };
  } catch {
    return undefined;
  }
}

function touch(path) {
  try {
    utimesSync(join(path, 'pid'), new Date(), new Date());
  } catch {
    // Taken from us as stale, say after the machine slept: the work in hand is harmless to finish.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
