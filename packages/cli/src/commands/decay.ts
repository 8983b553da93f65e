import { openMemory } from 'tandem-memory';
import { type DecayCommandOptions, knownMemoryConfig, requireUserOption } from '../command-options.ts';
import type { Terminal } from '../terminal.ts';

export async function decayCommand(options: DecayCommandOptions, terminal: Terminal): Promise<void> {
  const userId = requireUserOption(options, terminal);
  const { halfLifeDays, threshold, deleteAfterDays, dryRun } = options;
  await using memory = await openMemory(knownMemoryConfig(options, terminal));
  const receipt = await memory.decay({
    userId,
    ...(halfLifeDays === undefined ? {} : { halfLifeDays }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(deleteAfterDays === undefined ? {} : { deleteAfterDays }),
    ...(dryRun === undefined ? {} : { dryRun }),
  });
  if (options.json === true) {
    terminal.stdout.write(`${JSON.stringify(receipt)}\n`);
    return;
  }
  const { examined, archived, deleted, expired } = receipt;
  terminal.stdout.write(
    `${dryRun === true ? 'Would be done: ' : ''}${archived} of ${examined} archived, ${deleted} deleted from the archive, ${expired} deleted because they expired\n`,
  );
}
