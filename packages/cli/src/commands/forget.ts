import { type Memory, MemoryError, type OpenMemoryConfig, openMemory } from 'tandem-memory';
import { type ForgetCommandOptions, knownMemoryConfig, requireUserOption } from '../command-options.ts';
import { counted } from '../counted.ts';
import { painter, printableLine, type Terminal } from '../terminal.ts';

/** Forgetting embeds nothing: it must work while the folder of the embedding model is away. */
async function openWithoutModel(config: OpenMemoryConfig): Promise<Memory> {
  try {
    return await openMemory(config);
  } catch (error) {
    if (!MemoryError.isInstance(error) || error.code !== 'MODEL_FILES_MISSING') throw error;
    return openMemory({ ...config, embedding: 'fast' });
  }
}

export async function forgetCommand(options: ForgetCommandOptions, terminal: Terminal): Promise<void> {
  const { agent, session, source, before, entity, id, keepEvidence } = options;
  const userId = requireUserOption(options, terminal);
  const what = {
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(session === undefined ? {} : { sessionId: session }),
    ...(source === undefined ? {} : { sourceId: source }),
    ...(before === undefined ? {} : { before }),
    ...(entity === undefined ? {} : { entity }),
    ...(id === undefined ? {} : { ids: id }),
    ...(keepEvidence === undefined ? {} : { keepEvidence }),
  };
  if (options.yes !== true) {
    const part = Object.keys(what).length === 0 ? 'everything of this user' : 'this part of the memory';
    throw new MemoryError('INPUT_INVALID', `Forgetting ${part} can't be undone. Add --yes to do it, or save it before with \`tandem export\`.`);
  }
  await using memory = await openWithoutModel(knownMemoryConfig(options, terminal));
  const receipt = await memory.forget({ userId, ...what });
  if (options.json === true) {
    terminal.stdout.write(`${JSON.stringify(receipt)}\n`);
    return;
  }
  const { erased, remaining, rederived } = receipt;
  const counts = (numbers: Readonly<Record<string, number | undefined>>) =>
    Object.entries(numbers)
      .map(([name, count]) => `${name} ${count ?? 'unknown'}`)
      .join(', ');
  const paint = painter(terminal);
  const lines = [
    `forgotten  ${counts(erased)}${rederived === 0 ? '' : `; told anew from other turns: ${counted(rederived, 'fact')}`}`,
    `left       ${counts(remaining)}${receipt.compacted ? '; the file was written anew' : ''}`,
    ...(receipt.notFound.length === 0 ? [] : [`not found  ${receipt.notFound.map(printableLine).join(', ')}`]),
    ...receipt.left.map((place) => paint('yellow', `server     ${place}`)),
    ...receipt.degraded.map((reason) => paint('yellow', `note       ${reason}`)),
  ];
  terminal.stdout.write(`${lines.join('\n')}\n`);
}
