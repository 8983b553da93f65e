import { openMemory } from 'tandem-memory';
import { type CommonOptions, knownMemoryConfig, requireUserOption } from '../command-options.ts';
import type { Terminal } from '../terminal.ts';

export async function auditCommand(options: CommonOptions, terminal: Terminal): Promise<void> {
  const userId = requireUserOption(options, terminal);
  await using memory = await openMemory(knownMemoryConfig(options, terminal));
  const report = await memory.audit({ userId });
  if (options.json === true) {
    terminal.stdout.write(`${JSON.stringify(report)}\n`);
    return;
  }
  const rows: [string, string | number][] = [
    ['episodes', report.episodes],
    ['facts', report.facts],
    ['entities', report.entities],
    ['not read', report.unread.count],
    ['same text twice', report.duplicates.count],
    ['nearly the same', report.nearDuplicates.count],
    ['contradictions', report.contradictions.count],
    ['entities of nothing', report.orphanEntities.count],
    ['facts of no turn', report.orphanFacts.count],
    ['never recalled', report.neverRecalled.count],
    ['archived', report.archived.count],
    ['expired', report.expired.count],
  ];
  terminal.stdout.write(`${rows.map(([name, value]) => `${name.padEnd(20)} ${value}`).join('\n')}\nThe ids are in --json.\n`);
}
