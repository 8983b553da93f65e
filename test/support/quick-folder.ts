import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** For the servers of a test run. Many containers have 64 MB there. */
const ROOM_BYTES = 2 * 1024 ** 3;

/** Where a server need not wait for the disk at each write: in memory, if the system has room there; else with other temporary files. */
export function quickFolder(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < ROOM_BYTES ? tmpdir() : MEMORY;
  } catch {
    return tmpdir();
  }
}
