import { Command, InvalidArgumentError, Option } from 'commander';
import type { MetadataFilter } from 'tandem-memory';
import type {
  ChatCommandOptions,
  CommonOptions,
  DoctorCommandOptions,
  IngestCommandOptions,
  QueryCommandOptions,
  StoreCommandOptions,
} from './command-options.ts';
import type { HistoryCommandOptions } from './commands/history.ts';
import { addLifecycleCommands } from './lifecycle-commands.ts';
import type { Terminal } from './terminal.ts';

const SCALARS = 'numbers, true, false and null are meant as such, in double quotes as text; several times';

/** The command line. Each command's code is loaded when it runs, so that `--help` and errors are there at once. */
export function buildProgram(terminal: Terminal, json: boolean): Command {
  const program = new Command('tandem')
    .description(
      'Open memory for LLM applications: store what was said, recall what matters.\nOne SQLite file, no server, no key; see `tandem <command> --help`.',
    )
    .version('0.1.0')
    .exitOverride()
    .showHelpAfterError('(tandem <command> --help shows the options)')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      // A machine that asked for JSON gets its error as JSON, from run().
      writeErr: (text) => (json ? undefined : terminal.stderr.write(text)),
    });

  common(program.command('ingest'))
    .description(
      'Store files: Markdown, text, PDF, Word, HTML, CSV, code, and chats (JSONL, OpenAI messages, ChatGPT and Claude exports).\nThe same file again changes nothing; what changed is replaced, what vanished goes.',
    )
    .argument('<input...>', 'files, folders, globs, or - for standard input')
    .option('--session <id>', 'session of messages that name none')
    .option('--at <date>', 'time of messages that carry none, ISO 8601')
    .option('--metadata <name=value>', `kept with what is new; ${SCALARS}`, metadata)
    .option('--no-infer', 'keep the text only: extract no entities and facts')
    .option('--keep-vanished', 'keep what was stored of files and messages that are gone')
    .option('--concurrency <count>', 'files read at once (default: 4)', wholeNumber)
    .option('--max-file-bytes <count>', 'larger files are passed over (default: 52428800)', wholeNumber)
    .addHelpText(
      'after',
      '\nExamples:\n  tandem ingest chat.jsonl --user ana\n  tandem ingest ChatGPT-export.zip report.pdf --user ana\n  tandem ingest notes/ "docs/**/*.md" --user ana --db team.db\n  cat chat.jsonl | tandem ingest - --user ana --session monday',
    )
    .action(async (inputs: string[], options: IngestCommandOptions) =>
      (await import('./commands/ingest.ts')).ingestCommand(inputs, options, terminal),
    );

  common(program.command('store'))
    .description('Store one text.')
    .argument('<text>', 'the text, or - for standard input')
    .option('--session <id>', 'session it belongs to')
    .option('--at <date>', 'when it was said, ISO 8601 with offset (default: now)')
    .option('--metadata <name=value>', `kept with the text, to ask by; ${SCALARS}`, metadata)
    .option('--no-infer', 'keep the text only: extract no entities and facts')
    .addHelpText(
      'after',
      '\nExamples:\n  tandem store "I moved from Lindby to Corran." --user lia --at 2024-03-02\n  git log -1 --format=%B | tandem store - --user team',
    )
    .action(async (text: string, options: StoreCommandOptions) => (await import('./commands/store.ts')).storeCommand(text, options, terminal));

  common(program.command('query'))
    .description('Recall what matters for a question, within a token budget.')
    .argument('<question>', 'the question')
    .option('--session <id>', 'only this session')
    .option('--metadata <name=value>', `only turns stored with this metadata; ${SCALARS}`, metadata)
    .option('--budget <tokens>', 'largest size of the recalled text in tokens (default: 2000)', wholeNumber)
    .option('--top-k <count>', 'largest number of memories (default: as many as fit, at most 50)', wholeNumber)
    .addOption(new Option('--order <order>', 'order of the memories in the text (default: relevance)').choices(['relevance', 'time']))
    .option('--as-of <date>', 'as the world was then: nothing said later, ISO 8601')
    .option('--recorded-as-of <date>', 'as the memory was then: nothing stored later, ISO 8601')
    .addOption(
      new Option('--hops <count>', 'hops through the graph; 0 turns it off (default: 2)').choices(['0', '1', '2']).argParser((value) => hops(value)),
    )
    .option('--decompose', 'have the language model take the question apart and search for each part too (default: not)')
    .option('--explain', 'show why each memory came up: channels, ranks, scores, path')
    .addHelpText(
      'after',
      '\nExamples:\n  tandem query "Where does Lia live?" --user lia\n  tandem query "What broke the scanners?" --user team --budget 800 --explain\n  tandem query "Who is Marit?" --user team --json | jq -r .text',
    )
    .action(async (question: string, options: QueryCommandOptions) =>
      (await import('./commands/query.ts')).queryCommand(question, options, terminal),
    );

  common(program.command('chat'))
    .description('Talk with a model that remembers; without one, see what would be recalled. The talk is kept and goes on next time.')
    .option('--session <id>', 'which talk (default: default)')
    .option('--window <tokens>', "the model's context window in tokens (default: 8192)", wholeNumber)
    .option('--system <text>', 'the system message')
    .addHelpText(
      'after',
      '\nExamples:\n  tandem chat --user ana\n  TANDEM_MODEL=qwen3:8b TANDEM_MODEL_BASE_URL=http://localhost:11434/v1 tandem chat --user ana --session trip\n  echo "Where does Lia live?" | tandem chat --user lia --json',
    )
    .action(async (options: ChatCommandOptions) => (await import('./commands/chat.ts')).chatCommand(options, terminal));

  common(program.command('history'))
    .description('What became of one memory, or (without an id) everything that ended, changed or was merged, with reason, actor and time.')
    .argument('[id]', 'id of a turn or a fact')
    .option('--limit <count>', 'largest number of updates without an id (default: 100)', wholeNumber)
    .addHelpText(
      'after',
      '\nExamples:\n  tandem history --user lia\n  tandem query "Where does Lia live?" --user lia --json | jq -r .items[0].id | xargs tandem history --user lia',
    )
    .action(async (id: string | undefined, options: HistoryCommandOptions) =>
      (await import('./commands/history.ts')).historyCommand(id, options, terminal),
    );

  const merges = program.command('merges').description('Names that were taken for one entity.');
  common(merges.command('list'))
    .description('List merges by more than the normal form of the name, with their ids.')
    .action(async (options: CommonOptions) => (await import('./commands/merges.ts')).mergesListCommand(options, terminal));
  common(merges.command('dry-run'))
    .description('List what would be merged among the entities that are there. Nothing is written.')
    .action(async (options: CommonOptions) => (await import('./commands/merges.ts')).mergesDryRunCommand(options, terminal));
  common(merges.command('undo'))
    .description('Make the merged name an entity of its own again, for good.')
    .argument('<merge>', 'id of the merge, from `tandem merges list`')
    .action(async (id: string, options: CommonOptions) => (await import('./commands/merges.ts')).mergesUndoCommand(id, options, terminal));

  common(program.command('stats'))
    .description('Count what is stored, for one user or for all.')
    .action(async (options: CommonOptions) => (await import('./commands/stats.ts')).statsCommand(options, terminal));

  common(program.command('doctor'))
    .description('Compare the graph with both indexes: records that one lacks, records that nobody has any more, and what waits.')
    .option('--repair', 'bring the indexes to the state of the graph')
    .addHelpText(
      'after',
      '\nEnds with status 1 where something differs and was not repaired.\n\nExamples:\n  tandem doctor\n  tandem doctor --repair --user ana --json',
    )
    .action(async (options: DoctorCommandOptions) => (await import('./commands/doctor.ts')).doctorCommand(options, terminal));

  common(program.command('reindex'))
    .description('Build both indexes anew from the graph, with the embedding model of now. On Qdrant the old ones answer until the new are full.')
    .addHelpText('after', '\nExamples:\n  tandem reindex\n  TANDEM_EMBEDDING=text-embedding-3-small tandem reindex --db team.db')
    .action(async (options: CommonOptions) => (await import('./commands/reindex.ts')).reindexCommand(options, terminal));

  common(program.command('reextract'))
    .description('Have the model read the turns that only the built-in rules have read, and those that it failed on.')
    .addHelpText('after', '\nExample:\n  TANDEM_MODEL=qwen3:8b TANDEM_MODEL_BASE_URL=http://localhost:11434/v1 tandem reextract --user ana')
    .action(async (options: CommonOptions) => (await import('./commands/reextract.ts')).reextractCommand(options, terminal));

  addLifecycleCommands((name) => common(program.command(name)), terminal);

  return program;
}

function common(command: Command): Command {
  return command
    .option('-u, --user <id>', 'whose memory it is (or TANDEM_USER)')
    .option('--agent <id>', 'agent it belongs to')
    .option('--db <file>', 'the SQLite file (or TANDEM_DB; default: tandem.db)')
    .option('--vector <url>', 'a Qdrant server for vectors and keywords (or QDRANT_URL; its key: QDRANT_API_KEY)')
    .option('--graph <url>', 'a Neo4j server for the knowledge graph (or NEO4J_URI; with NEO4J_USER, NEO4J_PASSWORD, NEO4J_DATABASE)')
    .option('--reranker <name>', 'model, or the folder of a cross-encoder (or TANDEM_RERANKER; default: none)')
    .option(
      '--embedding <name>',
      'minilm (default), fast, the folder of a local model (./e5), or a model of the embedding server (or TANDEM_EMBEDDING)',
    )
    .option('--json', 'print the result as JSON');
}

function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(Number(value))) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(value);
}

/** A value that is a number, true, false or null in JSON is that; quoted it is text, as is any other. */
function metadata(condition: string, others: MetadataFilter = {}): MetadataFilter {
  const [, name, value = ''] = /^([^=]+)=(.*)$/su.exec(condition) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must be name=value, for example project=garden.');
  return { ...others, [name]: scalar(value) };
}

function scalar(value: string): MetadataFilter[string] {
  try {
    const parsed: unknown = JSON.parse(value);
    if (parsed === null || ['string', 'number', 'boolean'].includes(typeof parsed)) return parsed as MetadataFilter[string];
  } catch {
    // Not JSON: text.
  }
  return value;
}

function hops(value: string): 0 | 1 | 2 {
  if (value === '0' || value === '1' || value === '2') return Number(value) as 0 | 1 | 2;
  throw new InvalidArgumentError('It must be 0, 1 or 2.');
}
