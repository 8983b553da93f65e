import { Command } from 'commander';
import { ABLATIONS, readAblations } from './ablation.ts';
import type { BudgetOptions } from './budget/run-budget.ts';
import type { LocomoOptions } from './locomo/run-locomo.ts';
import type { MemoryBankOptions } from './memorybank/run-memorybank.ts';
import type { PassagesOptions, RunOptions } from './passages/run-passages.ts';
import { printResult } from './print-result.ts';

/** Options as they come from the command line. */
type Asked<Options, More extends keyof Options | '' = ''> = Omit<Options, 'onProgress' | 'without' | More> & {
  readonly without?: string;
  readonly json?: boolean;
};

interface OtherTurnsAsked {
  readonly contradict?: string;
  readonly beside?: string;
  readonly draw: string;
}

const WITHOUT = [
  '--without <list>',
  `do without some of: ${Object.entries(ABLATIONS)
    .map(([name, what]) => `${name} (${what})`)
    .join(', ')}`,
] as const;

const RERANKER = ['--reranker <folder>', 'a cross-encoder that puts the best hits in order, see docs/configuration.md'] as const;

const program = new Command('bench').description('Reproducible benchmarks. Each prints its data, settings and versions; --json for machines.');

program
  .command('locomo')
  .description('Turn-level recall on LoCoMo (CC BY-NC 4.0: get the file from its authors; it is not part of this project).')
  .requiredOption('--data <file>', 'the data set, e.g. locomo10.json')
  .option('--embedding <name>', 'minilm, fast, or the folder of another local model', 'minilm')
  .option('--hops <count>', 'hops through the graph, 0 turns it off', '2')
  .option('--database <file>', 'keep the database: the next run only asks')
  .option('--vector-cache <file>', 'keep the vectors')
  .option(...RERANKER)
  .option(...WITHOUT)
  .option('--json', 'print JSON only')
  .action(async ({ json, without, ...options }: Asked<LocomoOptions, 'hops'> & { readonly hops: string }) => {
    const { runLocomo } = await import('./locomo/run-locomo.ts');
    const hops = Number(options.hops) as 0 | 1 | 2;
    printResult(
      'locomo',
      await runLocomo({ ...options, hops, without: readAblations(without), onProgress: (line) => process.stderr.write(`${line}\n`) }),
      json === true,
    );
  });

program
  .command('sample')
  .description("Turn-level recall on the project's own sample, graph off and on.")
  .option('--embedding <name>', 'minilm, fast, or the folder of another local model', 'minilm')
  .option('--json', 'print JSON only')
  .action(async (options: { embedding: string; json?: boolean }) => {
    const { runSample } = await import('./sample/run-sample.ts');
    printResult('sample', await runSample({ embedding: options.embedding }), options.json === true);
  });

program
  .command('days')
  .description('Questions about plans and days in chats with an assistant (data/days.jsonl, written for this project): is an old "tomorrow" on top?')
  .option('--embedding <name>', 'minilm, fast, or the folder of another local model', 'minilm')
  .option('--json', 'print JSON only')
  .action(async ({ json, embedding }: { readonly embedding: string; readonly json?: boolean }) => {
    const { runDays } = await import('./days/run-days.ts');
    printResult('days', await runDays({ embedding, onProgress: (line) => process.stderr.write(`${line}\n`) }), json === true);
  });

program
  .command('memorybank')
  .description('Recall on chats with an assistant in six languages: MemoryBank (MIT) by our labels, four of them in our own translation.')
  .option('--data <folder>', 'the data set, for English and Chinese')
  .option('--languages <list>', 'some of: en, zh, ko, ja, es, de')
  .option('--embedding <name>', 'minilm, fast, or the folder of another local model', 'minilm')
  .option('--vector-cache <file>', 'keep the vectors')
  .option('--json', 'print JSON only')
  .action(async ({ json, languages, ...options }: Asked<MemoryBankOptions, 'languages'> & { readonly languages?: string }) => {
    const { runMemoryBank } = await import('./memorybank/run-memorybank.ts');
    const some = languages === undefined ? {} : { languages: languages.split(',') };
    const onProgress = (line: string) => process.stderr.write(`${line}\n`);
    printResult('memorybank', await runMemoryBank({ ...options, ...some, onProgress }), json === true);
  });

for (const [name, description] of [
  ['musique', 'Recall of passages on MuSiQue with the triples of the data set, graph off and on.'],
  ['hotpot', 'Recall of passages on HotpotQA, or a set of its shape, with the graph of the built-in rules, graph off and on.'],
] as const) {
  program
    .command(name)
    .description(description)
    .requiredOption('--corpus <file>', 'passages, one JSON object a line: id, title, text, triples')
    .requiredOption('--questions <file>', 'questions, one JSON object a line: question, gold')
    .option('--embedding <name>', 'minilm, fast, or the folder of another local model', 'minilm')
    .option('--database <file>', 'keep the database: the next run only asks')
    .option('--vector-cache <file>', 'keep the vectors')
    .option(...RERANKER)
    .option(...WITHOUT)
    .option('--contradict <every>', 'then contradict every so manieth triple a day later, and ask again')
    .option('--beside <every>', 'the same turns, but none of them ends anything: what --contradict is to be compared with')
    .option('--draw <number>', 'which of them: each below <every> is another choice', '0')
    .option('--json', 'print JSON only')
    .action(async ({ json, without, contradict, beside, draw, ...rest }: Asked<PassagesOptions> & OtherTurnsAsked) => {
      const every = Number(contradict ?? beside);
      const options = {
        ...rest,
        ...(Number.isNaN(every) ? {} : { otherTurns: { every, draw: Number(draw), contradicting: contradict !== undefined } }),
      };
      const run = name === 'musique' ? (await import('./musique/run-musique.ts')).runMusique : (await import('./hotpot/run-hotpot.ts')).runHotpot;
      const onProgress = (line: string) => process.stderr.write(`${line}\n`);
      printResult(name, await run({ ...options, without: readAblations(without), onProgress }), json === true);
    });
}

program
  .command('titles')
  .description('Recall of passages on generated documents that name each other by their titles (the manner of 2WikiMultihopQA), graph off and on.')
  .option('--works <count>', 'works; each comes with its maker and his parent', '400')
  .option('--embedding <name>', 'minilm, fast, or the folder of another local model', 'minilm')
  .option('--vector-cache <file>', 'keep the vectors')
  .option(...WITHOUT)
  .option('--json', 'print JSON only')
  .action(async ({ json, without, works, ...options }: Asked<RunOptions> & { readonly works: string }) => {
    const { runTitles } = await import('./titles/run-titles.ts');
    const onProgress = (line: string) => process.stderr.write(`${line}\n`);
    printResult('titles', await runTitles({ ...options, works: Number(works), without: readAblations(without), onProgress }), json === true);
  });

program
  .command('budget')
  .description('Recall within token budgets and tokens by component, with and without folding of near-duplicates and with MMR.')
  .option('--data <file>', 'LoCoMo, beside the sample')
  .option('--every <count>', 'of LoCoMo only every so many questions', '1')
  .option('--embedding <name>', 'minilm or fast', 'minilm')
  .option('--plot <file>', 'write a plot as SVG')
  .option('--json', 'print JSON only')
  .action(async ({ json, every, ...options }: Omit<BudgetOptions, 'every' | 'onProgress'> & { readonly every: string; readonly json?: boolean }) => {
    const { runBudget } = await import('./budget/run-budget.ts');
    const result = await runBudget({ ...options, every: Number(every), onProgress: (line) => process.stderr.write(`${line}\n`) });
    printResult('budget', result, json === true);
  });

program
  .command('peers')
  .description('mem0ai/oss beside us: the same turns, embeddings and model, in turns. Installs it into a folder of its own (npm, a C++ compiler).')
  .option('--data <file>', 'LoCoMo; without it speed only')
  .option('--conversations <count>', 'of LoCoMo', '10')
  .option('--every <count>', 'of LoCoMo only every so many questions', '1')
  .option('--sizes <list>', 'memories at which speed is measured', '1000,10000')
  .option('--folder <folder>', 'where the peer is installed')
  .option('--json', 'print JSON only')
  .action(async ({ json, ...options }: { data?: string; conversations: string; every: string; sizes: string; folder?: string; json?: boolean }) => {
    const { runPeers } = await import('./peers/run-peers.ts');
    const result = await runPeers({
      ...options,
      conversations: Number(options.conversations),
      every: Number(options.every),
      sizes: options.sizes.split(',').filter(Boolean).map(Number),
      onProgress: (line) => process.stderr.write(`${line}\n`),
    });
    printResult('peers', result, json === true);
  });

program
  .command('report')
  .description(
    'Writes the tables of docs/benchmarks.md, and its plot, from what the benchmarks printed with --json. What is not given stays as it is.',
  )
  .argument('<files...>', 'results, one JSON object a file')
  .option('--page <file>', 'the page', 'docs/benchmarks.md')
  .option('--plot <file>', 'the plot', 'docs/benchmarks.svg')
  .action(async (files: readonly string[], { page, plot }: { readonly page: string; readonly plot: string }) => {
    const [{ readFileSync, writeFileSync }, { readReport, writeReport }, { plotLift }] = await Promise.all([
      import('node:fs'),
      import('./report/write-report.ts'),
      import('./report/plot-lift.ts'),
    ]);
    const report = readReport(files.map((file) => readFileSync(file, 'utf8')));
    writeFileSync(page, writeReport(readFileSync(page, 'utf8'), report));
    writeFileSync(plot, plotLift(report, { musique: 'MuSiQue', hotpot: 'HotpotQA', titles: 'Titles', locomo: 'LoCoMo', sample: 'The sample' }));
  });

program
  .command('conversation')
  .description('Window, summary and long-term memory compared by tokens and recall, on the sample.')
  .option('--embedding <name>', 'minilm or fast', 'minilm')
  .option('--budget <tokens>', 'tokens of conversation and memory in a prompt', '1000')
  .option('--json', 'print JSON only')
  .action(async (options: { embedding: 'minilm' | 'fast'; budget: string; json?: boolean }) => {
    const { runConversation } = await import('./conversation/run-conversation.ts');
    printResult('conversation', await runConversation({ embedding: options.embedding, budget: Number(options.budget) }), options.json === true);
  });

program
  .command('documents')
  .description('Recall of answers in long documents: equal pieces without a name against document, section and chunk.')
  .option('--embedding <name>', 'minilm or fast', 'minilm')
  .option('--json', 'print JSON only')
  .option('--ways <list>', 'flat_512, flat_128, hierarchical; default: all')
  .option('--vector-cache <file>', 'keep the vectors')
  .action(async ({ json, ways, ...options }: { embedding: 'minilm' | 'fast'; json?: boolean; ways?: string; vectorCache?: string }) => {
    const { runDocuments } = await import('./documents/run-documents.ts');
    const result = await runDocuments({ ...options, ...(ways === undefined ? {} : { ways: ways.split(',') }) });
    printResult('documents', result, json === true);
  });

program
  .command('cache')
  .description('The semantic cache on labelled pairs of questions: hits, and wrong answers, by embedding model and similarity.')
  .option('--json', 'print JSON only')
  .action(async (options: { json?: boolean }) => {
    const { runCache } = await import('./cache/run-cache.ts');
    printResult('cache', await runCache(), options.json === true);
  });

program
  .command('ingest')
  .description('Files of mixed formats, generated, into a new memory without a language model: rate, peak memory, and what kills on the way leave.')
  .option('--files <count>', 'files', '1000')
  .option('--mb <count>', 'their size together in MiB', '50')
  .option('--embedding <name>', 'minilm or fast', 'fast')
  .option('--no-infer', 'keep the text only: extract no entities and facts')
  .option('--kills <count>', 'how often the process is killed on the way, in a second run; 0 leaves it out', '3')
  .option('--json', 'print JSON only')
  .action(async (options: { files: string; mb: string; embedding: 'minilm' | 'fast'; infer: boolean; kills: string; json?: boolean }) => {
    const { runIngest } = await import('./ingest/run-ingest.ts');
    const result = await runIngest({
      files: Number(options.files),
      megabytes: Number(options.mb),
      embedding: options.embedding,
      infer: options.infer,
      kills: Number(options.kills),
      onProgress: (line) => process.stderr.write(`${line}\n`),
    });
    printResult('ingest', result, options.json === true);
  });

program
  .command('latency')
  .description(
    'Milliseconds of retrieve and store, bulk speed, size and memory, on synthetic memories with generated vectors; with servers, beside the embedded stores.',
  )
  .option('--memories <count>', 'turns to store', '20000')
  .option('--users <count>', 'users; the biggest holds 30 % of the turns', '100')
  .option('--queries <count>', 'questions of each of two users', '300')
  .option('--graph <url>', 'an empty Neo4j database (with NEO4J_USER, NEO4J_PASSWORD), beside the embedded stores; it is emptied at the end')
  .option('--vector <url>', 'a Qdrant server (with QDRANT_API_KEY), beside the embedded stores; its collection is dropped at the end')
  .option('--no-cold-start', 'leave out the second database and the fresh processes of the command line')
  .option('--json', 'print JSON only')
  .action(
    async (options: { memories: string; users: string; queries: string; graph?: string; vector?: string; coldStart: boolean; json?: boolean }) => {
      const { serversFrom } = await import('./servers/servers.ts');
      const settings = {
        memories: Number(options.memories),
        users: Number(options.users),
        queries: Number(options.queries),
        onProgress: (line: string) => process.stderr.write(`${line}\n`),
      };
      const json = options.json === true;
      if (options.graph === undefined && options.vector === undefined) {
        const { runLatency } = await import('./latency/run-latency.ts');
        printResult('latency', await runLatency({ ...settings, servers: {}, coldStart: options.coldStart }), json);
        return;
      }
      const { compareLatency } = await import('./latency/compare-latency.ts');
      const { compared, results } = await compareLatency(serversFrom(options), settings);
      printResult('latency', json ? { compared, results } : { compared, settings: results.at(-1)?.settings }, json);
    },
  );

program
  .command('kills')
  .description('Kills a process that stores and forgets, at random moments and between any two writes: what is lost, what comes back, what differs?')
  .option('--graph <url>', 'an empty Neo4j database (with NEO4J_USER, NEO4J_PASSWORD); it is emptied at the end')
  .option('--vector <url>', 'a Qdrant server (with QDRANT_API_KEY); what is made there is dropped at the end')
  .option('--kills <count>', 'kills at random moments', '200')
  .option('--points <count>', 'kills at fault points, or all: each once', 'all')
  .option('--json', 'print JSON only')
  .action(async (options: { graph?: string; vector?: string; kills: string; points: string; json?: boolean }) => {
    const [{ runKills }, { serversFrom }] = await Promise.all([import('./kills/run-kills.ts'), import('./servers/servers.ts')]);
    const result = await runKills({
      servers: serversFrom(options),
      kills: Number(options.kills),
      points: options.points === 'all' ? 'all' : Number(options.points),
      onProgress: (line) => process.stderr.write(`${line}\n`),
    });
    printResult('kills', result, options.json === true);
    if (result.findings.length > 0) process.exitCode = 1;
  });

program
  .command('entities')
  .description(
    'Precision and recall of entity resolution on labelled pairs of names, step by step (data/entity-pairs.jsonl, written for this project).',
  )
  .option('--embedding', 'also ask the embedding model about what the rules leave apart')
  .option('--data <file>', 'another file of pairs')
  .option('--json', 'print JSON only')
  .action(async (options: { embedding?: boolean; data?: string; json?: boolean }) => {
    const { runEntities } = await import('./entities/run-entities.ts');
    printResult(
      'entities',
      await runEntities({ embedding: options.embedding === true, ...(options.data === undefined ? {} : { data: options.data }) }),
      options.json === true,
    );
  });

program
  .command('ends')
  .description('What a sentence ends, by the built-in rules: precision and recall on labelled pairs (data/ends.jsonl, written for this project).')
  .option('--data <file>', 'another file of pairs')
  .option('--json', 'print JSON only')
  .action(async ({ data, json }: { data?: string; json?: boolean }) => {
    const { runEnds } = await import('./ends/run-ends.ts');
    printResult('ends', await runEnds(data), json === true);
  });

program
  .command('life')
  .description('A synthetic life with many changes of mind: are current facts right, and is the history complete?')
  .option('--turns <count>', 'turns of the life', '10000')
  .option('--changes <count>', 'changes of mind among them', '500')
  .option('--extraction <name>', 'scripted (what a model would read) or rules', 'scripted')
  .option('--json', 'print JSON only')
  .action(async (options: { turns: string; changes: string; extraction: 'scripted' | 'rules'; json?: boolean }) => {
    const { runLife } = await import('./life/run-life.ts');
    printResult(
      'life',
      await runLife({
        turns: Number(options.turns),
        changes: Number(options.changes),
        extraction: options.extraction,
        onProgress: (line) => process.stderr.write(`${line}\n`),
      }),
      options.json === true,
    );
  });

await program.parseAsync();
