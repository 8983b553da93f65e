import { expect, it } from 'vitest';
import { SharedRun } from './shared-run.ts';

/** Work that a test ends when it wants; `begun` tells how often it began. */
function heldWork() {
  const begun: PromiseWithResolvers<number>[] = [];
  const work = () => {
    const run = Promise.withResolvers<number>();
    begun.push(run);
    return run.promise;
  };
  return { begun, work };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('who asks while it runs shares the next run, never the one that began before', async () => {
  const { begun, work } = heldWork();
  const shared = new SharedRun<number>();
  const first = shared.run(work);
  await turn();
  const later = [shared.run(work), shared.run(work)];
  await turn();
  expect(begun).toHaveLength(1);
  begun[0]?.resolve(1);
  expect(await first).toBe(1);
  await turn();
  expect(begun).toHaveLength(2);
  begun[1]?.resolve(2);
  expect(await Promise.all(later)).toEqual([2, 2]);
});

it('who asks at the same moment shares one run', async () => {
  const { begun, work } = heldWork();
  const shared = new SharedRun<number>();
  const all = [shared.run(work), shared.run(work)];
  await turn();
  expect(begun).toHaveLength(1);
  begun[0]?.resolve(1);
  expect(await Promise.all(all)).toEqual([1, 1]);
});

it('a run that fails fails for those who share it, and the next one begins', async () => {
  const shared = new SharedRun<number>();
  const failing = [shared.run(() => Promise.reject(new Error('down'))), shared.run(async () => 1)];
  await turn();
  const next = shared.run(async () => 2);
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await next).toBe(2);
});
