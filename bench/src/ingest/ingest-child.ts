import { ingest } from '@tandem-memory/ingest';
import { openMemory } from 'tandem-memory';

// Ingests the working folder into a database, in a process of its own: `ingest-child.ts <database> <embedding> <infer>`. Prints what it did.
const [path = '', embedding = 'minilm', infer = 'true'] = process.argv.slice(2);
const memory = await openMemory({ path, embedding: embedding === 'fast' ? 'fast' : 'minilm' });
const report = await ingest(memory, ['.'], {
  userId: 'reader',
  infer: infer === 'true',
  onProgress: ({ bytesDone, bytesTotal }) => process.stderr.write(`${bytesDone}/${bytesTotal}\n`),
});
await memory.close();
const { user, system } = process.cpuUsage();
const { files, ...counts } = report;
const statuses = Object.fromEntries([...Map.groupBy(files, (file) => file.status)].map(([status, list]) => [status, list.length]));
process.stdout.write(
  `${JSON.stringify({ ...counts, statuses, peakBytes: process.resourceUsage().maxRSS * 1024, cpuSeconds: (user + system) / 1e6 })}\n`,
);
