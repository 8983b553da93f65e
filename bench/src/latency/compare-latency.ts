import { nameOf, type Servers } from '../servers/servers.ts';
import { type LatencyOptions, type LatencyResult, runLatency } from './run-latency.ts';

export interface LatencyComparison {
  /** By what was measured: a column for each choice of stores. Milliseconds, unless the name says something else. */
  readonly compared: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The whole result of each choice. */
  readonly results: readonly LatencyResult[];
}

/** The same memories in the file and on the servers, one after the other on the same machine. Processes of the command line are left out. */
export async function compareLatency(servers: Servers, options: Omit<LatencyOptions, 'servers' | 'coldStart'>): Promise<LatencyComparison> {
  const results: LatencyResult[] = [];
  const compared: Record<string, Record<string, number>> = {};
  for (const choice of [{}, servers]) {
    const name = nameOf(choice);
    options.onProgress(`stores: ${name}`);
    const result = await runLatency({ ...options, servers: choice, coldStart: false });
    results.push(result);
    for (const [row, value] of Object.entries(rowsOf(result))) compared[row] = { ...compared[row], [name]: value };
  }
  return { compared, results };
}

function rowsOf({ retrieve_ms, retrieve_small_user_ms, store_ms, bulk_per_s, stages_ms }: LatencyResult): Record<string, number> {
  return {
    'retrieve, biggest user, p50': retrieve_ms.p50,
    'retrieve, biggest user, p95': retrieve_ms.p95,
    'retrieve, small user, p50': retrieve_small_user_ms.p50,
    'retrieve, small user, p95': retrieve_small_user_ms.p95,
    ...Object.fromEntries(Object.entries(stages_ms).map(([stage, time]) => [`  of it ${stage}, p50`, time.p50])),
    'store one turn, p50': store_ms.p50,
    'store one turn, p95': store_ms.p95,
    'bulk, turns per second': bulk_per_s,
  };
}
