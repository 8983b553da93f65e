import { openMemory } from 'tandem-memory';
import { knownMemoryConfig, type QueryCommandOptions, scopeOptions } from '../command-options.ts';
import { renderContext } from '../render-context.ts';
import type { Terminal } from '../terminal.ts';

export async function queryCommand(question: string, options: QueryCommandOptions, terminal: Terminal): Promise<void> {
  const scope = scopeOptions(options, terminal);
  await using memory = await openMemory(knownMemoryConfig(options, terminal));
  const context = await memory.retrieve(question, {
    ...scope,
    ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
    ...(options.budget === undefined ? {} : { budget: options.budget }),
    ...(options.topK === undefined ? {} : { topK: options.topK }),
    ...(options.order === undefined ? {} : { order: options.order }),
    ...(options.asOf === undefined ? {} : { asOf: options.asOf }),
    ...(options.recordedAsOf === undefined ? {} : { recordedAsOf: options.recordedAsOf }),
    ...(options.hops === undefined ? {} : { hops: options.hops }),
    ...(options.decompose === undefined ? {} : { decompose: options.decompose }),
  });
  terminal.stdout.write(
    options.json === true ? `${JSON.stringify(context)}\n` : renderContext(context, terminal, { explain: options.explain === true }),
  );
}
