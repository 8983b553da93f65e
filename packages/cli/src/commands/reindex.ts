import { openMemory } from 'tandem-memory';
import { type CommonOptions, knownMemoryConfig } from '../command-options.ts';
import { counted } from '../counted.ts';
import { ProgressLine } from '../progress.ts';
import { painter, type Terminal } from '../terminal.ts';

export async function reindexCommand(options: CommonOptions, terminal: Terminal): Promise<void> {
  await using memory = await openMemory(knownMemoryConfig(options, terminal));
  const line = new ProgressLine(terminal);
  const started = performance.now();
  try {
    const result = await memory.reindex({ progress: (done, total) => line.update(done, total, 'records', '') });
    line.clear();
    if (options.json === true) {
      terminal.stdout.write(`${JSON.stringify(result)}\n`);
      return;
    }
    const paint = painter(terminal);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    terminal.stdout.write(`Indexed ${counted(result.records, 'record')} of ${counted(result.users, 'user')} anew in ${seconds} s.\n`);
    for (const refused of result.refused)
      terminal.stdout.write(`${paint('yellow', `refused ${refused.kind} ${refused.recordId}: ${refused.reason}`)}\n`);
  } finally {
    line.clear();
  }
}
