/** Stores turns one by one and prints the id of each when it is acknowledged; a test kills it. Arguments: file, prefix, count. */
import { writeSync } from 'node:fs';
import { openMemory } from 'tandem-memory';

const [path = '', prefix = '', count = '0'] = process.argv.slice(2);
await using memory = await openMemory({ path, embedding: 'fast' });
for (let i = 0; i < Number(count); i++) {
  const receipt = await memory.store(
    { role: 'user', name: 'Ana', content: `${prefix} ${i}: Marek moved the Kestrel depot to Lindby ${i}.` },
    { userId: 'ana', sessionId: prefix },
  );
  writeSync(1, `${receipt.episodes[0]?.id ?? 'none'} ${receipt.indexed}\n`);
}
