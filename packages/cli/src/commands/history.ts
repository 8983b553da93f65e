import { openMemory, type ToldUpdate, type UpdateAction } from 'tandem-memory';
import { type CommonOptions, knownMemoryConfig, requireUserOption } from '../command-options.ts';
import { painter, printableLine, type Terminal } from '../terminal.ts';

export interface HistoryCommandOptions extends CommonOptions {
  readonly limit?: number;
}

/** The life of one memory; without an id what ended, changed or was merged in this user's memory, newest last. */
export async function historyCommand(id: string | undefined, options: HistoryCommandOptions, terminal: Terminal): Promise<void> {
  const userId = requireUserOption(options, terminal);
  await using memory = await openMemory(knownMemoryConfig(options, terminal));
  const paint = painter(terminal);
  if (id !== undefined) {
    const entries = await memory.history(id, { userId });
    if (options.json === true) {
      terminal.stdout.write(`${JSON.stringify(entries)}\n`);
      return;
    }
    const lines = entries.map(({ action, text, before, validAt, invalidAt, at, reason, actor }) => {
      const held = action === 'ended' ? `until ${day(invalidAt)}` : validAt === undefined ? '' : `since ${day(validAt)}`;
      const words = before === undefined ? printableLine(text) : `${printableLine(before)} -> ${printableLine(text)}`;
      return `${day(at)}  ${paint(action === 'ended' ? 'yellow' : 'green', action.padEnd(7))} ${words}  ${paint('dim', [held, reason, `by ${actor}`].filter((part) => part !== '').join('; '))}`;
    });
    terminal.stdout.write(`${lines.join('\n')}\n`);
    return;
  }
  const updates = await memory.updates({ userId }, { limit: options.limit ?? 100 });
  if (options.json === true) {
    terminal.stdout.write(`${JSON.stringify(updates)}\n`);
    return;
  }
  const lines = updates.map((update) => {
    const action = ACTIONS[update.action];
    const words = wordsOf(update).map((text) => short(printableLine(text)));
    const [first = `${update.kind} ${update.recordId}`, second] = words;
    const text = second === undefined ? first : `${first} ${paint('dim', '->')} ${second}`;
    return `${day(update.at)}  ${paint(update.action === 'invalidate' ? 'yellow' : 'green', action.padEnd(7))} ${text}  ${paint('dim', `${update.reason}; by ${update.actor}`)}`;
  });
  terminal.stdout.write(lines.length === 0 ? 'Nothing ended, changed or was merged yet.\n' : `${lines.join('\n')}\n`);
}

const ACTIONS: Readonly<Record<UpdateAction, string>> = {
  invalidate: 'ended',
  reopen: 'reopened',
  revise: 'changed',
  merge: 'joined',
  unmerge: 'parted',
};

/** What was, and what took its place. */
function wordsOf({ action, text, relatedText, before, after }: ToldUpdate): string[] {
  const words =
    action === 'invalidate'
      ? [text ?? before, relatedText ?? after]
      : action === 'merge'
        ? [after, before ?? text]
        : [before ?? text, after ?? relatedText];
  return words.filter((word) => word !== undefined);
}

const LONGEST = 100;

function short(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ')];
  return letters.length <= LONGEST ? letters.join('') : `${letters.slice(0, LONGEST - 1).join('')}…`;
}

function day(time: string | undefined): string {
  return time?.slice(0, 10) ?? '';
}
