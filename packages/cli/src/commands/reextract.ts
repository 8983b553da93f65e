import { MemoryError, openMemory } from 'tandem-memory';
import { type CommonOptions, knownMemoryConfig, requireUserOption } from '../command-options.ts';
import { counted } from '../counted.ts';
import { ProgressLine } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

export async function reextractCommand(options: CommonOptions, terminal: Terminal): Promise<void> {
  const userId = requireUserOption(options, terminal);
  await using memory = await openMemory(knownMemoryConfig(options, terminal));
  const line = new ProgressLine(terminal);
  try {
    const receipt = await memory.reextract({ userId, onProgress: ({ done, total }) => line.update(done, total, 'turns', '') });
    line.clear();
    const { read, removed, failed, usage, degraded } = receipt;
    if (options.json === true) terminal.stdout.write(`${JSON.stringify(receipt)}\n`);
    else
      terminal.stdout.write(
        `Read ${counted(read, 'turn')} with the model in ${counted(usage.calls, 'call')}; ${counted(removed, 'fact')} of the rules gave way.\n`,
      );
    if (failed > 0) throw new MemoryError('MODEL_UNAVAILABLE', `${counted(failed, 'turn')} stayed as they were; run it again. ${degraded.join(' ')}`);
  } finally {
    line.clear();
  }
}
