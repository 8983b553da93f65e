import { existsSync, readFileSync } from 'node:fs';
import { ingest } from '@tandem-memory/ingest';
import { openMemory } from 'tandem-memory';

const STATUS = '/proc/self/status';
const SAMPLE_MS = 100;

/** Memory of the process itself, in bytes: without the pages of mapped files, which the system takes back when it needs them. */
function ownBytes(): number {
  const text = existsSync(STATUS) ? readFileSync(STATUS, 'utf8') : '';
  return 1024 * Number(/^RssAnon:\s*(\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

// Ingests the working folder into a database, in a process of its own: `ingest-child.ts <database> <embedding> <infer>`. Prints what it did.
const [path = '', embedding = 'minilm', infer = 'true'] = process.argv.slice(2);
let peakOwnBytes = ownBytes();
const watch = setInterval(() => {
  peakOwnBytes = Math.max(peakOwnBytes, ownBytes());
}, SAMPLE_MS);
const memory = await openMemory({ path, embedding: embedding === 'fast' ? 'fast' : 'minilm' });
const report = await ingest(memory, ['.'], {
  userId: 'reader',
  infer: infer === 'true',
  onProgress: ({ bytesDone, bytesTotal }) => process.stderr.write(`${bytesDone}/${bytesTotal}\n`),
});
await memory.close();
clearInterval(watch);
const { files, ...counts } = report;
const { user, system } = process.cpuUsage();
const statuses = Object.fromEntries([...Map.groupBy(files, (file) => file.status)].map(([status, list]) => [status, list.length]));
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(`${JSON.stringify({ ...counts, statuses, peakBytes, peakOwnBytes, cpuSeconds: (user + system) / 1e6 })}\n`);
