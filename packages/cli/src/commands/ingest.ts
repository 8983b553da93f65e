import { ingest } from '@tandem-memory/ingest';
import { openMemory } from 'tandem-memory';
import { memoryConfig, type StoreCommandOptions, scopeOptions } from '../command-options.ts';
import { ProgressLine } from '../progress.ts';
import { painter, printable, type Terminal } from '../terminal.ts';

export async function ingestCommand(inputs: readonly string[], options: StoreCommandOptions, terminal: Terminal): Promise<void> {
  const scope = scopeOptions(options, terminal);
  await using memory = await openMemory(memoryConfig(options, terminal));
  const progress = new ProgressLine(terminal);
  const report = await ingest(memory, inputs, {
    ...scope,
    ...(options.at === undefined ? {} : { at: options.at }),
    infer: options.infer,
    stdin: terminal.stdin,
    onProgress: (state) => progress.update(state.itemsDone, state.itemsTotal, 'items', printable(state.currentFile ?? '')),
  }).finally(() => progress.clear());
  if (options.json === true) {
    terminal.stdout.write(`${JSON.stringify(report)}\n`);
    return;
  }
  const paint = painter(terminal);
  const lines = report.files.map((file) => {
    const notes = [file.reason, ...file.notes].filter((note) => note !== undefined);
    const style = file.status === 'failed' ? 'red' : file.status === 'skipped' ? 'yellow' : 'green';
    return `${paint(style, file.status.padEnd(9))} ${printable(file.path)}  ${file.items} items${notes.length === 0 ? '' : `  (${notes.map(printable).join('; ')})`}`;
  });
  lines.push(
    `${report.created} new of ${report.episodes} episodes, ${report.entities} entities, ${report.facts} facts in ${report.seconds.toFixed(1)} s`,
  );
  terminal.stdout.write(`${lines.join('\n')}\n`);
}
