import { openMemory } from 'tandem-memory';
import { type ConsentCommandOptions, knownMemoryConfig, memoryConfig, requireUserOption } from '../command-options.ts';
import { printableLine, type Terminal } from '../terminal.ts';

export async function consentCommand(decision: 'grant' | 'withdraw' | undefined, options: ConsentCommandOptions, terminal: Terminal): Promise<void> {
  const userId = requireUserOption(options, terminal);
  const { purpose, actor, note } = options;
  await using memory = await openMemory(decision === undefined ? knownMemoryConfig(options, terminal) : memoryConfig(options, terminal));
  if (decision !== undefined) {
    await memory.consent({
      userId,
      granted: decision === 'grant',
      ...(purpose === undefined ? {} : { purpose }),
      ...(actor === undefined ? {} : { actor }),
      ...(note === undefined ? {} : { note }),
    });
  }
  const consents = await memory.consents(userId);
  if (options.json === true) {
    terminal.stdout.write(`${JSON.stringify(consents)}\n`);
    return;
  }
  const lines = consents.now.map(
    (record) =>
      `${record.granted ? 'granted  ' : 'withdrawn'}  ${printableLine(record.purpose)}  ${record.at}${record.actor === undefined ? '' : `  by ${printableLine(record.actor)}`}`,
  );
  terminal.stdout.write(`${lines.length === 0 ? 'No decision of this user is recorded.' : lines.join('\n')}\n`);
}
