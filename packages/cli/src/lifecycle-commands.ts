import { type Command, InvalidArgumentError } from 'commander';
import type { CommonOptions, ConsentCommandOptions, DecayCommandOptions, ExportCommandOptions, ForgetCommandOptions } from './command-options.ts';
import type { Terminal } from './terminal.ts';

/** The commands around the life of a memory. @param add makes a command with the options that all have */
export function addLifecycleCommands(add: (name: string) => Command, terminal: Terminal): void {
  add('forget')
    .description('Forget for good: everything of a user, or a part. What is shared with the rest stays. Prints what went and that nothing is left.')
    .option('--session <id>', 'only this session')
    .option('--source <name>', 'only this file or document')
    .option('--before <date>', 'only what was said before, ISO 8601')
    .option('--entity <name>', 'an entity with all that mentions it')
    .option('--id <id...>', 'single memories, by the ids that query --json shows')
    .option('--keep-evidence', 'with the id of a fact: keep the turns that state it')
    .option('--yes', 'do it; there is no way back')
    .addHelpText(
      'after',
      '\nExamples:\n  tandem forget --user ana --yes\n  tandem forget --user ana --source notes/old.md --yes\n  tandem forget --user ana --entity "Harbor Cafe" --yes',
    )
    .action(async (options: ForgetCommandOptions) => (await import('./commands/forget.ts')).forgetCommand(options, terminal));

  add('export')
    .description("Write all of a user's memory as JSON lines (docs/export-format.md).")
    .option('--out <file>', 'write to a new file instead of standard output')
    .addHelpText('after', '\nExamples:\n  tandem export --user ana > ana.jsonl\n  tandem export --user ana --out ana.jsonl')
    .action(async (options: ExportCommandOptions) => (await import('./commands/export.ts')).exportCommand(options, terminal));

  add('import')
    .description('Bring an exported memory back. The file is checked to its end before anything is written; a repeat changes nothing.')
    .argument('<file>', 'the file, or - for standard input')
    .addHelpText('after', '\nExamples:\n  tandem import ana.jsonl\n  tandem import ana.jsonl --db new.db')
    .action(async (file: string, options: CommonOptions) => (await import('./commands/import.ts')).importCommand(file, options, terminal));

  add('consent')
    .description('Record or show what a user has consented to.')
    .argument('[decision]', 'grant or withdraw; without it the decisions are shown', decision)
    .option('--purpose <name>', 'what the data is used for (default: memory)')
    .option('--actor <name>', 'who records it')
    .option('--note <text>', 'where it can be looked up')
    .addHelpText(
      'after',
      '\nExamples:\n  tandem consent grant --user ana --actor "form 7"\n  tandem consent withdraw --user ana\n  tandem consent --user ana',
    )
    .action(async (given: 'grant' | 'withdraw' | undefined, options: ConsentCommandOptions) =>
      (await import('./commands/consent.ts')).consentCommand(given, options, terminal),
    );

  add('decay')
    .description('Archive what has faded, and delete what has expired.')
    .option('--half-life-days <days>', 'days without recall after which a memory counts half (default: 180)', number)
    .option('--threshold <strength>', 'strength from 0 to 1 below which a memory is archived (default: 0.05)', number)
    .option('--delete-after-days <days>', 'delete what has been in the archive for so long (default: never)', number)
    .option('--dry-run', 'only show what would be done')
    .action(async (options: DecayCommandOptions) => (await import('./commands/decay.ts')).decayCommand(options, terminal));

  add('audit')
    .description('Look for duplicates, orphans, open contradictions and what was never recalled. Changes nothing.')
    .action(async (options: CommonOptions) => (await import('./commands/audit.ts')).auditCommand(options, terminal));
}

function decision(value: string): 'grant' | 'withdraw' {
  if (value === 'grant' || value === 'withdraw') return value;
  throw new InvalidArgumentError('It must be grant or withdraw.');
}

function number(value: string): number {
  if (value.trim() === '' || !Number.isFinite(Number(value))) throw new InvalidArgumentError('It must be a number.');
  return Number(value);
}
