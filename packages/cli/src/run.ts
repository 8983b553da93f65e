import { CommanderError } from 'commander';
import { MemoryError } from 'tandem-memory';
import { buildProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

const BAD_INPUT = 2;
const FAILED = 1;

/**
 * Runs one command line.
 * @returns the exit status: 0 done, 2 when the input or configuration has to be changed, 1 when something else failed
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const json = args.includes('--json');
  try {
    await buildProgram(terminal, json).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (json) report(terminal, json, 'INPUT_INVALID', error.message.replace(/^error: /, ''));
      return BAD_INPUT;
    }
    if (!MemoryError.isInstance(error)) throw error;
    report(terminal, json, error.code, error.message);
    return error.kind === 'input' || error.kind === 'config' ? BAD_INPUT : FAILED;
  }
}

function report(terminal: Terminal, json: boolean, code: string, message: string): void {
  terminal.stderr.write(json ? `${JSON.stringify({ error: { code, message } })}\n` : `tandem: ${message} [${code}]\n`);
}
