import { describe, expect, it } from 'vitest';
import { MemoryError } from '../errors.ts';
import { ServerCalls, withDeadline } from './server-calls.ts';

const never = () => new Promise<never>(() => undefined);
const down = new MemoryError('GRAPH_UNAVAILABLE', 'refused');

describe('withDeadline', () => {
  it('gives what the work gives', async () => {
    expect(await withDeadline('graph', 10_000, undefined, async () => 7)).toBe(7);
    await expect(withDeadline('graph', 10_000, undefined, () => Promise.reject(down))).rejects.toBe(down);
  });

  it('ends with TIMEOUT where the work does not, and tells the work to stop', async () => {
    let told: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      told = signal;
      return never();
    };
    await expect(withDeadline('vector search', 5, undefined, work)).rejects.toMatchObject({
      code: 'TIMEOUT',
      retryable: true,
      message: expect.stringContaining('vector search'),
    });
    expect(told?.aborted).toBe(true);
  });

  it('ends with ABORTED where the caller gives up, also before it began', async () => {
    const caller = new AbortController();
    const waiting = withDeadline('graph', 10_000, caller.signal, never);
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    let began = false;
    const late = withDeadline('graph', 10_000, caller.signal, async () => {
      began = true;
    });
    await expect(late).rejects.toMatchObject({ code: 'ABORTED' });
    expect(began).toBe(false);
  });
});

describe('ServerCalls', () => {
  it('asks a server that failed no more, and says what it said', async () => {
    const calls = new ServerCalls('graph', undefined);
    let asked = 0;
    const ask = async () => {
      asked += 1;
      throw down;
    };
    expect(await calls.runOr(1_000, ask, 'nothing')).toBe('nothing');
    expect(await calls.runOr(1_000, ask, 'nothing')).toBe('nothing');
    await expect(calls.run(1_000, ask)).rejects.toBe(down);
    expect(asked).toBe(1);
    expect(calls.failure).toBe(down);
    expect(await new ServerCalls('graph', undefined, down).runOr(1_000, async () => 'asked', 'known to be down')).toBe('known to be down');
  });

  it('hides no defect', async () => {
    const calls = new ServerCalls('graph', undefined);
    const defect = new TypeError('undefined is not a function');
    await expect(calls.runOr(1_000, () => Promise.reject(defect), 'nothing')).rejects.toBe(defect);
    const wrong = new MemoryError('INPUT_INVALID', 'bad');
    await expect(calls.runOr(1_000, () => Promise.reject(wrong), 'nothing')).rejects.toBe(wrong);
    expect(calls.failure).toBeUndefined();
  });
});
