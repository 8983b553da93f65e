import { openMemory } from 'tandem-memory';
import { type CommonOptions, knownMemoryConfig, requireUserOption } from '../command-options.ts';
import { counted } from '../counted.ts';
import { painter, printableLine, type Terminal } from '../terminal.ts';

export async function mergesListCommand(options: CommonOptions, terminal: Terminal): Promise<void> {
  const userId = requireUserOption(options, terminal);
  await using memory = await openMemory(knownMemoryConfig(options, terminal));
  const merges = await memory.merges({ userId });
  const paint = painter(terminal);
  print(
    merges,
    merges.map(
      ({ id, name, spelling, step, undone }) =>
        `${id}  ${printableLine(spelling)} is ${printableLine(name)}  ${paint('dim', `${step}${undone ? '; undone' : ''}`)}`,
    ),
    'No name was merged by more than its normal form.',
    options,
    terminal,
  );
}

export async function mergesDryRunCommand(options: CommonOptions, terminal: Terminal): Promise<void> {
  const userId = requireUserOption(options, terminal);
  await using memory = await openMemory(knownMemoryConfig(options, terminal));
  const proposals = await memory.proposeMerges({ userId });
  const paint = painter(terminal);
  print(
    proposals,
    proposals.map(
      ({ first, second, step }) =>
        `${printableLine(first.name)} (${first.type}) and ${printableLine(second.name)} (${second.type})  ${paint('dim', step)}`,
    ),
    'Nothing would be merged.',
    options,
    terminal,
  );
}

export async function mergesUndoCommand(id: string, options: CommonOptions, terminal: Terminal): Promise<void> {
  const userId = requireUserOption(options, terminal);
  await using memory = await openMemory(knownMemoryConfig(options, terminal));
  const undone = await memory.undoMerge(id, { userId });
  print(
    undone,
    [`Undone: ${counted(undone.movedMentions, 'mention')} and ${counted(undone.movedFacts, 'fact')} now belong to an entity of their own.`],
    '',
    options,
    terminal,
  );
}

function print(value: unknown, lines: readonly string[], nothing: string, options: CommonOptions, terminal: Terminal): void {
  terminal.stdout.write(options.json === true ? `${JSON.stringify(value)}\n` : `${lines.length === 0 ? nothing : lines.join('\n')}\n`);
}
