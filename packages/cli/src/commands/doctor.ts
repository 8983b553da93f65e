import { type MemoryCheck, MemoryError, openMemory } from 'tandem-memory';
import { type DoctorCommandOptions, knownMemoryConfig } from '../command-options.ts';
import { counted } from '../counted.ts';
import { painter, printableLine, type Terminal } from '../terminal.ts';

const SHOWN = 20;

export async function doctorCommand(options: DoctorCommandOptions, terminal: Terminal): Promise<void> {
  const user = options.user ?? terminal.environment['TANDEM_USER'];
  await using memory = await openMemory(knownMemoryConfig(options, terminal));
  const repair = options.repair === true ? await memory.repair(user) : undefined;
  const check = repair?.after ?? (await memory.check(user));
  if (options.json === true) terminal.stdout.write(`${JSON.stringify({ ...check, ...(repair === undefined ? {} : { before: repair.before }) })}\n`);
  else terminal.stdout.write(`${report(check, repair?.before, terminal).join('\n')}\n`);
  if (check.missing + check.orphaned === 0) return;
  const remedy = repair === undefined ? 'Run `tandem doctor --repair`.' : 'See the reasons above; `tandem reindex` builds the indexes anew.';
  throw new MemoryError(
    'INDEX_DRIFT',
    `The indexes differ from the graph: ${counted(check.missing, 'record')} missing, ${check.orphaned} too many. ${remedy}`,
  );
}

function report(check: MemoryCheck, before: MemoryCheck | undefined, terminal: Terminal): string[] {
  const paint = painter(terminal);
  const { outbox } = check;
  const lines = [
    `${counted(check.records, 'record')} of ${counted(check.users, 'user')} in the graph for the indexes`,
    `${String(check.missing).padStart(6)} missing in an index${before === undefined ? '' : ` (${before.missing} before the repair)`}`,
    `${String(check.orphaned).padStart(6)} in an index without a record${before === undefined ? '' : ` (${before.orphaned} before the repair)`}`,
    `${String(outbox.waiting).padStart(6)} waiting for the indexes${outbox.oldest === undefined ? '' : `, the oldest since ${outbox.oldest}`}`,
  ];
  for (const { userId, vectors, keywords } of check.drifted.slice(0, SHOWN)) {
    const counts = [
      `vectors -${vectors.missing.length} +${vectors.orphaned.length}`,
      `keywords -${keywords.missing.length} +${keywords.orphaned.length}`,
    ];
    lines.push(paint('yellow', `       ${printableLine(userId)}: ${counts.join(', ')}`));
  }
  if (check.drifted.length > SHOWN) lines.push(`       and ${check.drifted.length - SHOWN} more users`);
  for (const refused of check.refused.slice(0, SHOWN))
    lines.push(paint('yellow', `refused ${refused.kind} ${refused.recordId} of ${printableLine(refused.userId)}: ${refused.reason}`));
  if (check.missing + check.orphaned === 0) lines.push(paint('green', 'Graph and indexes agree.'));
  return lines;
}
