import { type FileReport, type IngestReport, ingest } from '@tandem-memory/ingest';
import { MemoryError, openMemory } from 'tandem-memory';
import { type IngestCommandOptions, memoryConfig, scopeOptions } from '../command-options.ts';
import { counted, duration, size } from '../counted.ts';
import { ProgressLine } from '../progress.ts';
import { painter, printableLine, type Terminal } from '../terminal.ts';

const STYLES = { ingested: 'green', unchanged: 'dim', removed: 'yellow', skipped: 'yellow', failed: 'red' } as const;

/** Of more files only those are listed with which something is the matter. */
const LISTED_WHOLE = 50;

export async function ingestCommand(inputs: readonly string[], options: IngestCommandOptions, terminal: Terminal): Promise<void> {
  const scope = scopeOptions(options, terminal);
  await using memory = await openMemory(memoryConfig(options, terminal));
  const progress = new ProgressLine(terminal);
  const report = await ingest(memory, inputs, {
    ...scope,
    ...(options.at === undefined ? {} : { at: options.at }),
    ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(options.maxFileBytes === undefined ? {} : { maxFileBytes: options.maxFileBytes }),
    ...(options.keepVanished === undefined ? {} : { keepVanished: options.keepVanished }),
    infer: options.infer,
    stdin: terminal.stdin,
    onProgress: (state) => progress.update(state.bytesDone, state.bytesTotal, (bytes) => size(Math.round(bytes)), label(state)),
  }).finally(() => progress.clear());
  terminal.stdout.write(options.json === true ? `${JSON.stringify(report)}\n` : render(report, terminal));
  const failed = report.files.filter((file) => file.status === 'failed');
  if (failed.length > 0)
    throw new MemoryError('FILE_UNREADABLE', `${counted(failed.length, 'file')} could not be read; the list names each with the reason.`);
}

function label(state: { readonly filesDone: number; readonly filesTotal: number; readonly currentFile: string | undefined }): string {
  return `${state.filesDone}/${state.filesTotal} ${printableLine(state.currentFile ?? '')}`;
}

function render(report: IngestReport, terminal: Terminal): string {
  const paint = painter(terminal);
  const many = report.files.length > LISTED_WHOLE;
  const isWorthALine = (file: FileReport) => !many || (file.status !== 'ingested' && file.status !== 'unchanged') || file.notes.length > 0;
  const lines = report.files
    .filter(isWorthALine)
    .map((file) => `${paint(STYLES[file.status], file.status.padEnd(9))} ${printableLine(file.path)}  ${about(file)}`);
  if (many) lines.push(paint('dim', 'Files that were read without a remark are not listed; --json lists all.'));
  const { created, episodes, entities, facts, removed, seconds, bytes } = report;
  const rate = bytes > 0 && seconds > 0 ? ` (${size(bytes)}, ${size(Math.round(bytes / seconds))}/s)` : '';
  const parts = [
    `${created} new of ${counted(episodes, 'episode')}`,
    counted(entities, 'entity', 'entities'),
    counted(facts, 'fact'),
    ...(removed === 0 ? [] : [`${removed} removed`]),
  ];
  lines.push(
    `${counted(report.files.length, 'file')}: ${statuses(report.files)}`,
    `${parts.join(', ')} in ${seconds < 10 ? `${seconds.toFixed(1)} s` : duration(seconds)}${rate}`,
  );
  return `${lines.join('\n')}\n`;
}

function about(file: FileReport): string {
  const notes = [file.reason, ...file.notes].filter((note) => note !== undefined).map(printableLine);
  return `${counted(file.items, 'item')}${notes.length === 0 ? '' : `  (${notes.join('; ')})`}`;
}

function statuses(files: readonly FileReport[]): string {
  const counts = [...Map.groupBy(files, (file) => file.status)].map(([status, list]) => `${list.length} ${status}`);
  return counts.length === 0 ? 'nothing there' : counts.join(', ');
}
