import { createReadStream } from 'node:fs';
import { MemoryError, openMemory } from 'tandem-memory';
import { type CommonOptions, memoryConfig } from '../command-options.ts';
import { counted } from '../counted.ts';
import { printableLine, type Terminal } from '../terminal.ts';

export async function importCommand(file: string, options: CommonOptions, terminal: Terminal): Promise<void> {
  await using memory = await openMemory(memoryConfig(options, terminal));
  const stream = file === '-' ? terminal.stdin : createReadStream(file);
  const receipt = await memory.import(readLines(stream, file), options.user === undefined ? {} : { userId: options.user });
  if (options.json === true) {
    terminal.stdout.write(`${JSON.stringify(receipt)}\n`);
    return;
  }
  const { episodes, entities, facts, created, degraded } = receipt;
  const lines = [
    `Imported for ${printableLine(receipt.userId)}: ${counted(episodes, 'episode')}, ${counted(entities, 'entity', 'entities')}, ${counted(facts, 'fact')}; ${counted(created, 'new record')}.`,
    ...degraded.map((reason) => `note  ${reason}`),
  ];
  terminal.stdout.write(`${lines.join('\n')}\n`);
}

/** Not node:readline: that also breaks at U+2028, which JSON leaves as it is. */
async function* readLines(stream: NodeJS.ReadableStream, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  try {
    for await (const chunk of stream) {
      const parts = (rest + decoder.decode(Buffer.from(chunk), { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
    rest += decoder.decode();
  } catch (error) {
    if (MemoryError.isInstance(error)) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new MemoryError('FILE_NOT_FOUND', `${name} does not exist.`, { cause: error });
    throw new MemoryError('INPUT_INVALID', `${name} can't be read as UTF-8 text. Nothing was imported.`, { cause: error });
  }
  if (rest !== '') yield rest;
}
