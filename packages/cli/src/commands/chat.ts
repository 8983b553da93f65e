import { createInterface } from 'node:readline';
import { type Chat, type ChatTurn, type Context, MemoryError, openChat } from 'tandem-memory';
import { CHAT_COMMANDS, type CommandAnswer, type CommandContext, chatHelp, withoutForgotten } from '../chat/chat-commands.ts';
import { renderTurn } from '../chat/render-turn.ts';
import { type ChatCommandOptions, memoryConfig, scopeOptions } from '../command-options.ts';
import { counted } from '../counted.ts';
import { painter, printable, type Terminal } from '../terminal.ts';

/**
 * Talks until the input ends. On a terminal an error ends the turn. In a pipe the error of a turn ends the chat; after one of a command the
 * chat goes on, and ends with the status of the first.
 */
export async function chatCommand(options: ChatCommandOptions, terminal: Terminal): Promise<void> {
  const scope = scopeOptions(options, terminal);
  await using chat = await openChat(memoryConfig(options, terminal), {
    ...scope,
    ...(options.window === undefined ? {} : { window: options.window }),
    ...(options.system === undefined ? {} : { systemPrompt: options.system }),
  });
  const paint = painter(terminal);
  const interactive = terminal.stdin.isTTY === true;
  const json = options.json === true;
  const write = (text: string) => terminal.stdout.write(text);
  if (interactive && !json) write(await greeting(chat));
  const lines = createInterface({
    input: terminal.stdin,
    terminal: interactive,
    prompt: paint('bold', 'you> '),
    ...(interactive ? { output: terminal.stdout } : {}),
  });
  let answering: AbortController | undefined;
  lines.on('SIGINT', () => (answering === undefined ? lines.close() : answering.abort()));
  if (interactive) lines.prompt();

  let lastTurn: ChatTurn | undefined;
  let shown: Context | undefined;
  let failure: MemoryError | undefined;
  for await (const line of lines) {
    const text = line.trim();
    if (text === '/exit' || text === '/quit') break;
    const isCommand = text.startsWith('/') && !text.startsWith('//');
    try {
      answering = new AbortController();
      if (isCommand) {
        const answer = await runCommand(text, { chat, terminal, userId: scope.userId, lastTurn, shown }, json);
        shown = answer?.shown ?? shown;
        const { forgotten } = answer ?? {};
        if (forgotten !== undefined) {
          if (shown !== undefined) shown = withoutForgotten(shown, forgotten);
          if (lastTurn?.recalled !== undefined) lastTurn = { ...lastTurn, recalled: withoutForgotten(lastTurn.recalled, forgotten) };
        }
      } else if (text !== '') {
        lastTurn = await talk(chat, text.replace(/^\/\//, '/'), terminal, json, answering.signal);
        shown = lastTurn.recalled;
      }
    } catch (error) {
      if (!MemoryError.isInstance(error) || !(interactive || isCommand)) throw error;
      const { code, message } = error;
      if (json && isCommand) write(`${JSON.stringify({ command: commandOf(text).name, error: { code, message } })}\n`);
      else write(`\n${paint('yellow', `tandem: ${message} [${code}]`)}\n`);
      failure ??= error;
    } finally {
      answering = undefined;
    }
    if (interactive) lines.prompt();
  }
  lines.close();
  if (interactive) write('\n');
  for (const reason of await chat.settled()) terminal.stderr.write(`tandem: ${reason}\n`);
  if (failure !== undefined && !interactive) throw failure;
}

async function talk(chat: Chat, text: string, terminal: Terminal, json: boolean, signal: AbortSignal): Promise<ChatTurn> {
  const turns = chat.send(text, signal);
  for (;;) {
    const next = await turns.next();
    if (next.done === true) {
      const turn = next.value;
      const { answer, recalled, tokens, degraded } = turn;
      if (json) terminal.stdout.write(`${JSON.stringify({ message: text, answer, recalled, tokens, degraded })}\n`);
      else terminal.stdout.write(`${answer === undefined ? '' : '\n'}${renderTurn(turn, terminal)}`);
      return turn;
    }
    if (!json) terminal.stdout.write(printable(next.value));
  }
}

function commandOf(text: string): { readonly name: string; readonly argument: string } {
  const [, name = '', argument = ''] = /^\/(\S*)\s*(.*)$/s.exec(text) ?? [];
  return { name, argument };
}

/** @returns undefined after the help */
async function runCommand(text: string, context: CommandContext, json: boolean): Promise<CommandAnswer | undefined> {
  const { name, argument } = commandOf(text);
  const command = Object.hasOwn(CHAT_COMMANDS, name) ? CHAT_COMMANDS[name] : undefined;
  if (command === undefined) {
    if (json && name !== 'help') throw new MemoryError('INPUT_INVALID', `There is no command /${name.slice(0, 20)}. /help lists them.`);
    context.terminal.stdout.write(chatHelp());
    return undefined;
  }
  const answer = await command.run(argument.trim(), context);
  context.terminal.stdout.write(json ? `${JSON.stringify({ command: name, result: answer.result })}\n` : answer.text);
  return answer;
}

async function greeting(chat: Chat): Promise<string> {
  const messages = (await chat.conversation.history()).filter((message) => message.role !== 'system').length;
  const who =
    chat.model === undefined ? 'No model is set (TANDEM_MODEL), so you see what would be recalled.' : `You talk with ${chat.model.modelId}.`;
  const restored = messages === 0 ? '' : ` ${counted(messages, 'message')} of this talk restored.`;
  return `${who}${restored} /help lists the commands.\n`;
}
