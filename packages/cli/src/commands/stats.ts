import { type MemoryStats, openMemory } from 'tandem-memory';
import { type CommonOptions, DEFAULT_PATH, knownMemoryConfig } from '../command-options.ts';
import { counted } from '../counted.ts';
import { printableLine, type Terminal } from '../terminal.ts';

export async function statsCommand(options: CommonOptions, terminal: Terminal): Promise<void> {
  const user = options.user ?? terminal.environment['TANDEM_USER'];
  const config = knownMemoryConfig(options, terminal);
  await using memory = await openMemory(config);
  const counts = await memory.stats(user);
  const onFile = [counts.graphStore, counts.vectorIndex, counts.keywordIndex].some((store) => store.startsWith('embedded'));
  const stats = { ...counts, ...(onFile && { path: config.path ?? DEFAULT_PATH }) };
  if (options.json === true) {
    terminal.stdout.write(`${JSON.stringify(stats)}\n`);
    return;
  }
  const rows: [string, string | number][] = [
    ['memory', `${stats.path ?? 'on servers'}${user === undefined ? '' : `, user ${printableLine(user)}`}`],
    ['users', stats.users],
    ['episodes', stats.episodes],
    ['entities', stats.entities],
    ['facts', stats.facts],
    ['index records', `${stats.vectors ?? 'unknown number of'} vectors, ${stats.keywords ?? 'unknown number of'} keyword records`],
    ['waiting for the index', stats.outbox],
    ...(stats.relay.failure === undefined
      ? []
      : [['index problem', `${stats.relay.failure.code}: ${stats.relay.failure.message}`] as [string, string]]),
    ...(stats.relay.refused.length === 0
      ? []
      : [['refused by the index', `${stats.relay.refused.length} (tandem doctor shows them)`] as [string, string]]),
    ...(stats.cache === undefined ? [] : [['semantic cache', cacheLine(stats.cache)] as [string, string]]),
    ['embedding', `${stats.embeddingModel}${stats.dimensions === undefined ? '' : `, ${stats.dimensions} dimensions`}`],
    ['extraction', stats.extractor],
    ['stores', `${stats.graphStore} (graph), ${stats.vectorIndex} (vectors), ${stats.keywordIndex} (keywords)`],
  ];
  terminal.stdout.write(`${rows.map(([name, value]) => `${name.padEnd(22)} ${value}`).join('\n')}\n`);
}

export function cacheLine({ hits, misses, hitRate, entries }: NonNullable<MemoryStats['cache']>): string {
  const asked = hits + misses;
  return `${asked === 0 ? 'no question asked yet' : `${Math.round(100 * hitRate)} % of ${counted(asked, 'question')} answered from it`}, ${counted(entries, 'answer')} kept`;
}
