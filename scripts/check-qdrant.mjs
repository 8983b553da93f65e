// The whole pipeline suite once more, with its indexes on Qdrant: the server at QDRANT_URL, a container, or the engine (test/services/qdrant).
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startQdrant } from '../test/services/qdrant/qdrant-service.ts';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const prefix = `test-run-${randomUUID().slice(0, 8)}`;
const service = await startQdrant();
if (!('missing' in service)) {
  try {
    const { url, apiKey } = service;
    const env = {
      ...process.env,
      TANDEM_TEST_QDRANT: url,
      TANDEM_TEST_QDRANT_PREFIX: prefix,
      ...(apiKey === undefined ? {} : { QDRANT_API_KEY: apiKey }),
    };
    // A test makes a collection of its own, which takes a while on a busy machine.
    const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/pipeline', '--testTimeout', '120000'];
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
    process.exitCode = await new Promise((done) => child.on('close', (code) => done(code ?? 1)));
    await dropCollections(url, apiKey);
  } finally {
    await service.stop();
  }
}

async function dropCollections(url, apiKey) {
  const headers = apiKey === undefined ? {} : { 'api-key': apiKey };
  const { result } = await (await fetch(new URL('/collections', url), { headers })).json();
  for (const { name } of result.collections)
    if (name.startsWith(prefix)) await fetch(new URL(`/collections/${name}`, url), { method: 'DELETE', headers });
}
