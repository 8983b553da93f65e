#!/usr/bin/env node
import { Console } from 'node:console';
import { enableCompileCache } from 'node:module';

enableCompileCache();
// node:sqlite is stable enough for us and its notice would mix with every answer; all other warnings still show.
const warn = process.emitWarning.bind(process);
process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
  if (!String(warning).includes('SQLite is an experimental feature')) Reflect.apply(warn, process, [warning, ...rest]);
}) as typeof process.emitWarning;

// Standard output is for answers alone; what a library has to say goes where warnings go.
globalThis.console = new Console(process.stderr, process.stderr);

// Whoever reads may have seen enough (`| head`): then nobody is left to tell anything.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const { run } = await import('./run.ts');
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
