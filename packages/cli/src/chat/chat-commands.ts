import { type Chat, type ChatTurn, type Context, type ContextItem, MemoryError } from 'tandem-memory';
import { cacheLine } from '../commands/stats.ts';
import { counted } from '../counted.ts';
import { renderContext } from '../render-context.ts';
import { printable, printableLine, type Terminal } from '../terminal.ts';

export interface CommandContext {
  readonly chat: Chat;
  readonly terminal: Terminal;
  readonly userId: string;
  readonly lastTurn: ChatTurn | undefined;
  /** The list of memories that stands last on the screen: what a number means. */
  readonly shown: Context | undefined;
}

export interface CommandAnswer {
  readonly text: string;
  readonly result: object;
  readonly shown?: Context;
  /** Ids of what is gone from the memory, and must not be shown again. */
  readonly forgotten?: ReadonlySet<string>;
}

interface ChatCommand {
  readonly usage: string;
  readonly help: string;
  readonly run: (argument: string, context: CommandContext) => Promise<CommandAnswer>;
}

/** Memories that can forget; one that can't has no such method. */
interface Forgetting {
  forget(options: { readonly userId: string; readonly ids: readonly string[] }): Promise<object>;
}

export const CHAT_COMMANDS: Readonly<Record<string, ChatCommand>> = {
  memory: {
    usage: '/memory [question]',
    help: 'what is remembered: counts and the summary of this talk, or what a question recalls',
    async run(question, { chat, terminal, userId }) {
      await chat.settled();
      if (question !== '') {
        const context = await chat.memory.retrieve(question, { userId });
        return { text: renderContext(context, terminal, { explain: true }), result: context, shown: context };
      }
      const { episodes, entities, facts, cache } = await chat.memory.stats(userId);
      const summary = await chat.conversation.summary();
      const messages = (await chat.conversation.history()).length;
      const lines = [
        `${counted(episodes, 'turn')}, ${counted(entities, 'entity', 'entities')} and ${counted(facts, 'fact')} of user ${printableLine(userId)}; ${counted(messages, 'message')} in this talk.`,
      ];
      if (cache !== undefined) lines.push(`Semantic cache: ${cacheLine(cache)}.`);
      if (summary !== undefined) lines.push('Summary of what left the window:', printable(summary));
      return {
        text: `${lines.join('\n')}\n`,
        result: { episodes, entities, facts, messages, ...(cache === undefined ? {} : { cache }), ...(summary === undefined ? {} : { summary }) },
      };
    },
  },
  why: {
    usage: '/why',
    help: 'which memories the last answer was given, and why they came up',
    async run(_, { lastTurn, terminal }) {
      if (lastTurn?.recalled === undefined) return { text: 'Nothing was recalled yet. Say something first.\n', result: {} };
      const { recalled } = lastTurn;
      return { text: renderContext(recalled, terminal, { explain: true }), result: recalled, shown: recalled };
    },
  },
  compact: {
    usage: '/compact',
    help: 'summarise the talk now, all but the last turns',
    async run(_, { chat }) {
      const report = await chat.conversation.compact();
      const notes = report.degraded.map((reason) => `note   ${reason}\n`).join('');
      return {
        text:
          report.summarised === 0
            ? 'There is nothing to summarise yet that a summary would make shorter.\n'
            : `${counted(report.summarised, 'message')} summarised: ${counted(report.tokensBefore, 'token')} became ${report.tokensAfter}.\n${notes}`,
        result: report,
      };
    },
  },
  clear: {
    usage: '/clear',
    help: 'begin this talk anew; the long-term memory stays',
    async run(_, { chat }) {
      await chat.clear();
      return { text: 'This talk begins anew. What is in the long-term memory stays there.\n', result: { cleared: true } };
    },
  },
  forget: {
    usage: '/forget <number>',
    help: 'forget a memory for good, by its number in the list shown last (an answer, /why, /memory question)',
    async run(argument, { chat, shown, userId }) {
      const item = shown?.items.find((candidate) => String(candidate.citation) === argument);
      if (shown === undefined || item === undefined)
        throw new MemoryError('NOT_FOUND', 'Name a memory by its number in the list shown last, for example /forget 2.');
      if (!canForget(chat.memory)) throw new MemoryError('UNSUPPORTED', 'This memory can not forget single memories yet.');
      // With it goes what said the same and was folded into it, else it would come up in its place.
      const receipt = await chat.memory.forget({ userId, ids: [item.id, ...item.evidence] });
      return {
        text: `Forgotten, also where it was said in a talk: ${printable(item.text)}\n`,
        result: receipt,
        forgotten: new Set([item.id, ...item.evidence]),
      };
    },
  },
};

export function chatHelp(): string {
  const rows = [
    ...Object.values(CHAT_COMMANDS),
    { usage: '/exit', help: 'end (or Ctrl+D)' },
    { usage: '//text', help: 'say a text that begins with /' },
  ];
  const width = Math.max(...rows.map((row) => row.usage.length));
  return `${rows.map((row) => `  ${row.usage.padEnd(width)}  ${row.help}`).join('\n')}\n`;
}

/** A list that was shown before, without what was forgotten since; citations stay. What can't be told apart by id goes whole. */
export function withoutForgotten(context: Context, forgotten: ReadonlySet<string>): Context {
  const isGone = (item: ContextItem) => forgotten.has(item.id) || (item.kind === 'fact' && item.evidence.some((id) => forgotten.has(id)));
  const told = new Set(context.items.filter(isGone).flatMap((item) => [item.text, ...item.facts]));
  const items = context.items
    .filter((item) => !isGone(item))
    .map((item) => ({
      ...item,
      facts: item.facts.filter((fact) => !told.has(fact)),
      path: item.path.some((hop) => hop.evidence.some((id) => forgotten.has(id))) ? [] : item.path,
    }));
  const { cachedFrom: _, ...rest } = context;
  return { ...rest, query: '', text: '', items, omitted: [] };
}

function canForget(memory: object): memory is Forgetting {
  return 'forget' in memory && typeof memory.forget === 'function';
}
