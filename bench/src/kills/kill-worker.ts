/**
 * A process that stores and forgets until it is killed. It loads everything, waits for its order as a line of JSON on standard input, and says
 * on standard output what it begins and ends. Ordered to, it kills itself at the n-th moment between two writes.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Backend, openBackend } from './open-backend.ts';
import { stepsOf } from './work.ts';

export interface Order {
  readonly backend: Backend;
  readonly round: number;
  /** Which fault point to die at, from 1; 0: none. */
  readonly fatal: number;
}

/** What the process tells, in this order. After `point` it is dead. */
export type Report =
  | { readonly said: 'open' }
  | { readonly said: 'begin' | 'end'; readonly step: number }
  | { readonly said: 'point'; readonly name: string }
  | { readonly said: 'done'; readonly points: number; readonly milliseconds: number };

function say(report: Report): void {
  writeSync(1, `${JSON.stringify(report)}\n`);
}

async function work({ backend, round, fatal }: Order): Promise<void> {
  let points = 0;
  let doing = '';
  const memory = openBackend(backend, (name) => {
    points += 1;
    if (points !== fatal) return;
    say({ said: 'point', name: `${doing}: ${name}` });
    process.kill(process.pid, 'SIGKILL');
  });
  await memory.stats();
  say({ said: 'open' });
  const start = performance.now();
  points = 0;
  for (const [step, { name, run }] of stepsOf(round).entries()) {
    doing = name;
    say({ said: 'begin', step });
    await run(memory);
    say({ said: 'end', step });
  }
  say({ said: 'done', points, milliseconds: performance.now() - start });
  await memory.close();
}

const orders = createInterface({ input: process.stdin });
orders.once('line', (line) => {
  orders.close();
  void work(JSON.parse(line) as Order);
});
