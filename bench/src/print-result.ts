import { cpus, totalmem } from 'node:os';

/** Prints a result with the machine and versions it was measured on; tables for people, one JSON object for machines. */
export function printResult(name: string, result: object, json: boolean): void {
  const versions = {
    benchmark: name,
    node: process.version,
    machine: `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    date: new Date().toISOString(),
  };
  if (json) {
    process.stdout.write(`${JSON.stringify({ ...result, versions })}\n`);
    return;
  }
  for (const [key, value] of Object.entries({ ...result, versions })) {
    if (isTable(value)) {
      process.stdout.write(`\n${key}\n`);
      console.table(value);
    } else process.stdout.write(`${key.padEnd(20)} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}\n`);
  }
}

function isTable(value: unknown): value is Record<string, Record<string, number>> {
  return typeof value === 'object' && value !== null && Object.values(value).every((row) => typeof row === 'object' && row !== null);
}
