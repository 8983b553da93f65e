import { openMemory } from 'tandem-memory';
import { type CommonOptions, memoryConfig, requireUserOption } from '../command-options.ts';
import { counted } from '../counted.ts';
import { ProgressLine } from '../progress.ts';
import { painter, type Terminal } from '../terminal.ts';

export async function reextractCommand(options: CommonOptions, terminal: Terminal): Promise<void> {
  const userId = requireUserOption(options, terminal);
  await using memory = await openMemory(memoryConfig(options, terminal));
  const line = new ProgressLine(terminal);
  try {
    const receipt = await memory.reextract({ userId, onProgress: ({ done, total }) => line.update(done, total, 'turns', '') });
    line.clear();
    if (options.json === true) {
      terminal.stdout.write(`${JSON.stringify(receipt)}\n`);
      return;
    }
    const { read, removed, failed, usage, degraded } = receipt;
    const paint = painter(terminal);
    terminal.stdout.write(
      `Read ${counted(read, 'turn')} with the model in ${counted(usage.calls, 'call')}; ${counted(removed, 'fact')} of the rules gave way.\n`,
    );
    if (failed > 0) terminal.stdout.write(`${paint('yellow', `${counted(failed, 'turn')} failed and stayed as they were; run it again.`)}\n`);
    for (const reason of degraded) terminal.stdout.write(`${paint('yellow', reason)}\n`);
  } finally {
    line.clear();
  }
}
