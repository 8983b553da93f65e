import { MemoryError, openMemory } from 'tandem-memory';
import { memoryConfig, type StoreCommandOptions, scopeOptions } from '../command-options.ts';
import { painter, printableLine, readAll, type Terminal } from '../terminal.ts';

export async function storeCommand(text: string, options: StoreCommandOptions, terminal: Terminal): Promise<void> {
  const scope = scopeOptions(options, terminal);
  const content = text === '-' ? await readAll(terminal.stdin) : text;
  if (content.trim() === '')
    throw new MemoryError('INPUT_EMPTY', text === '-' ? 'Standard input was empty: nothing to store.' : 'The text is empty: nothing to store.');
  await using memory = await openMemory(memoryConfig(options, terminal));
  const receipt = await memory.store(content, {
    ...scope,
    ...(options.at === undefined ? {} : { at: options.at }),
    ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
    infer: options.infer,
  });
  if (options.json === true) {
    terminal.stdout.write(`${JSON.stringify(receipt)}\n`);
    return;
  }
  const paint = painter(terminal);
  const [episode] = receipt.episodes;
  const lines = [
    episode?.created === false ? 'Known already: nothing changed.' : `Stored${receipt.indexed ? '' : ' (the index follows)'}.`,
    ...(receipt.entities.length === 0
      ? []
      : [`  entities  ${receipt.entities.map((entity) => `${printableLine(entity.name)} ${paint('dim', entity.type)}`).join(', ')}`]),
    // One sentence may state several facts.
    ...[...new Set(receipt.facts.map((fact) => printableLine(fact.text)))].map((text) => `  fact      ${text}`),
    ...receipt.degraded.map((reason) => paint('yellow', `  note      ${reason}`)),
  ];
  terminal.stdout.write(`${lines.join('\n')}\n`);
}
