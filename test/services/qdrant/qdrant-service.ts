import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quickFolder } from '../../support/quick-folder.ts';
import { type EdgeServer, startEdgeServer } from './edge-engine.ts';

/** What a test is given of the server: plain data, since the server belongs to another process. */
export interface QdrantAddress {
  readonly url: string;
  readonly apiKey?: string;
}

export interface QdrantService extends QdrantAddress {
  /** What answers: a server, a container, or the engine in process. */
  readonly what: string;
  /** Where its files are, if they are on this machine. */
  readonly folder?: string;
  stop(): Promise<void>;
}

/** The tag of docker-compose.yml. */
const IMAGE = 'qdrant/qdrant:v1.16.2';

/**
 * A Qdrant to test against: the server named by QDRANT_URL, else a container where a Docker engine answers, else the real engine from PyPI
 * behind a small front (edge-server.py).
 * @returns the reason where there is none. Under CI that is an error: a missing service must never look like a passed test.
 */
export async function startQdrant(): Promise<QdrantService | { readonly missing: string }> {
  return orReason(async () => {
    const service = (await fromEnvironment()) ?? (await fromDocker()) ?? (await fromEngine());
    console.log(`Qdrant for these tests: ${service.what}`);
    return service;
  });
}

/** The engine alone, which a test may kill and start again on its folder and port. */
export async function startKillableQdrant(
  folder: string,
  options: { readonly port?: number; readonly apiKey?: string } = {},
): Promise<EdgeServer | { readonly missing: string }> {
  return orReason(() => startEdgeServer(folder, options));
}

async function orReason<Service>(start: () => Promise<Service>): Promise<Service | { readonly missing: string }> {
  try {
    return await start();
  } catch (error) {
    const missing = `no Qdrant to test against: ${error instanceof Error ? error.message : String(error)}`;
    if ((process.env['CI'] ?? '') !== '') throw new Error(missing, { cause: error });
    console.warn(`SKIPPED: ${missing}`);
    return { missing };
  }
}

async function fromEnvironment(): Promise<QdrantService | undefined> {
  const url = process.env['QDRANT_URL'];
  if (url === undefined || url === '') return undefined;
  const apiKey = process.env['QDRANT_API_KEY'];
  return { url, ...(apiKey === undefined ? {} : { apiKey }), what: `the server at ${url} (QDRANT_URL)`, stop: async () => undefined };
}

async function fromDocker(): Promise<QdrantService | undefined> {
  try {
    await promisify(execFile)('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: 5_000 });
  } catch {
    return undefined;
  }
  const { QdrantContainer } = await import('@testcontainers/qdrant');
  const container = await new QdrantContainer(IMAGE).start();
  return { url: `http://${container.getRestHostAddress()}`, what: `a container of ${IMAGE}`, stop: async () => void (await container.stop()) };
}

async function fromEngine(): Promise<QdrantService> {
  // The engine waits for the disk at every collection that is made.
  const folder = mkdtempSync(join(quickFolder(), 'tandem-qdrant-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const server = await startEdgeServer(folder);
  const stop = async () => {
    await server.stop();
    remove();
    process.off('exit', remove);
  };
  return { url: server.url, what: 'the Qdrant engine in process (qdrant-edge-py 0.9.0 behind a test front, not a server)', folder, stop };
}
