import { join } from 'node:path';
import type { Context } from 'tandem-memory';
import { describe, expect, it } from 'vitest';
import { ModelServer } from '../support/model-server.ts';
import { tandem } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface TurnLine {
  readonly message?: string;
  readonly answer?: string;
  readonly recalled?: Context;
  readonly tokens?: Readonly<Record<string, number>>;
  readonly command?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string };
}

function chat(path: string, user: string, stdin: string, options: { environment?: Readonly<Record<string, string>>; args?: readonly string[] } = {}) {
  const args = ['chat', '--user', user, '--db', path, '--embedding', 'fast', ...(options.args ?? [])];
  return tandem(args, { stdin, ...(options.environment === undefined ? {} : { environment: options.environment }) });
}

function jsonLines(stdout: string): TurnLine[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TurnLine);
}

describe('tandem chat without a model', () => {
  it('shows what it would recall, keeps the talk, and goes on with it in another process', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'm.db');
    const first = await chat(path, 'lia', 'My cat Dubu is allergic to salmon.\n\nWhat is Dubu allergic to?\n');
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toMatch(/Nothing in this memory matches/);
    expect(first.stdout).toMatch(/\[1\].*\n +My cat Dubu is allergic to salmon\./);
    expect(first.stdout).toMatch(/tokens .* of 8192: system \d+, memory \d+, summary 0, history \d+, reply 0/);

    const later = jsonLines((await chat(path, 'lia', 'And what was it again, Dubu?\n/memory\n', { args: ['--json'] })).stdout);
    expect(later[0]?.recalled?.items.map((item) => item.text)).toContain('My cat Dubu is allergic to salmon.');
    expect(later[1]?.result).toMatchObject({ episodes: 3, messages: 4 });
    const other = jsonLines((await chat(path, 'bob', 'What is Dubu allergic to?\n', { args: ['--json'] })).stdout);
    expect(other[0]?.recalled?.items).toEqual([]);
    const session = jsonLines((await chat(path, 'lia', '/memory\n', { args: ['--json', '--session', 'new'] })).stdout);
    expect(session[0]?.result).toMatchObject({ episodes: 3, messages: 1 });
  });

  it('knows its commands, and says a text that begins with a slash', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'm.db');
    const long = 'The harbour was quiet all day, and nobody came by. '.repeat(12).trim();
    const input = `/why\n/compact\n/nonsense\nThe key is under the mat.\n//etc is a folder.\n${long}\nWhere is the key?\n/why\n/compact\n/memory\n/clear\n/memory\n/memory key\n/exit\nnot reached\n`;
    const { status, stdout, stderr } = await chat(path, 'lia', input);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const text of [
      'Nothing was recalled yet',
      'nothing to summarise yet',
      '/forget <number>',
      'found   vector #1',
      '3 messages summarised',
      '4 turns',
      'Summary of what left the window',
      'user: /etc is a folder.',
      'begins anew',
      '1 message in this talk',
    ]) {
      expect(stdout).toContain(text);
    }
    expect(stdout).not.toContain('not reached');
    expect(stdout.split('begins anew')[1]).toContain('The key is under the mat.');
  });

  it('forgets by the number in the list that was shown last, and says what', async () => {
    using folder = temporaryFolder();
    const said = 'I have a cat named Dubu.\nDubu is allergic to salmon.\nWhat is the name of my cat?\n';
    const { stdout } = await chat(join(folder.path, 'm.db'), 'lia', `${said}/memory salmon allergic\n/forget 1\n/memory Dubu\n`);
    expect(stdout).toContain('Forgotten, also where it was said in a talk: Dubu is allergic to salmon.');
    const left = stdout.split('Forgotten')[1]?.split('\n').slice(1).join('\n') ?? '';
    expect(left).toContain('I have a cat named Dubu.');
    expect(left).not.toContain('salmon');
  });

  it('forgets what was said twice, with both', async () => {
    using folder = temporaryFolder();
    const said = 'Dubu is allergic to salmon.\nI have a cat named Dubu.\nDubu is allergic to salmon.\n';
    const { stdout } = await chat(join(folder.path, 'm.db'), 'lia', `${said}/memory salmon allergic\n/forget 1\n/memory salmon\n/memory cat\n`);
    const left = stdout.split('Forgotten')[1]?.split('\n').slice(1).join('\n') ?? '';
    expect(left).toContain('I have a cat named Dubu.');
    expect(left).not.toContain('salmon');
  });

  it('goes on after a command that failed, shows the error where it came up, and ends with its status', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'm.db');
    const { status, stdout, stderr } = await chat(path, 'lia', 'Hello.\n/forget 9\nMy name is Zed.\n/memory Zed\n');
    expect(status).toBe(2);
    expect(stdout).toMatch(/tandem: .*number.* \[NOT_FOUND\][\s\S]*My name is Zed\./);
    expect(stderr.match(/NOT_FOUND/g)).toHaveLength(1);
    const json = await chat(path, 'lia', '/forget 9\n/nonsense\n/memory\n', { args: ['--json'] });
    expect(json.status).toBe(2);
    expect(jsonLines(json.stdout)).toMatchObject([
      { command: 'forget', error: { code: 'NOT_FOUND' } },
      { command: 'nonsense', error: { code: 'INPUT_INVALID' } },
      { command: 'memory', result: { episodes: 2 } },
    ]);
  });

  it('does not show again what was forgotten', async () => {
    using folder = temporaryFolder();
    const said = 'I have a cat named Dubu.\nDubu is allergic to salmon.\nWhat is Dubu?\n';
    const forgetting = `${said}/memory salmon allergic\n/forget 1\n/why\n`;
    const { stdout } = await chat(join(folder.path, 'm.db'), 'lia', forgetting);
    const why = stdout.split('Forgotten')[1]?.split('\n').slice(1).join('\n') ?? '';
    expect(why).toContain('I have a cat named Dubu.');
    expect(why).not.toContain('salmon');
    const lines = jsonLines((await chat(join(folder.path, 'n.db'), 'lia', forgetting, { args: ['--json'] })).stdout);
    expect(lines.at(-1)?.command).toBe('why');
    expect(JSON.stringify(lines.at(-1))).toContain('I have a cat named Dubu.');
    expect(JSON.stringify(lines.at(-1))).not.toContain('salmon');
  });

  it('refuses a user that is none, a window that is too small, a memory to forget that was not shown', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'm.db');
    expect(await chat(path, ' ', 'hi\n')).toMatchObject({ status: 2, stderr: expect.stringContaining('SCOPE_REQUIRED') });
    expect(await chat(path, 'lia', 'hi\n', { args: ['--window', '900'] })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('BUDGET_TOO_SMALL'),
    });
    expect(await chat(path, 'lia', '/forget 1\n')).toMatchObject({ status: 2, stderr: expect.stringContaining('NOT_FOUND') });
  });
});

describe('tandem chat with a model', () => {
  it('recalls, streams the answer, remembers, and recalls in a new talk: as data, never in the system message', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'm.db');
    await using server = await ModelServer.start((request) => `Heard \u001b[31m${request.messages.length} messages.`);
    const { environment } = server;
    const first = await chat(path, 'lia', 'My cat Dubu is allergic to <salmon>.\nThanks.\n', { environment, args: ['--session', 'monday'] });
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toContain('Heard \ufffd[31m2 messages.');
    expect(first.stdout).toMatch(/reply [1-9]/);
    expect(server.questions[0]?.stream).toBe(true);
    expect(server.questions[1]?.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user']);

    const second = jsonLines(
      (await chat(path, 'lia', 'What is Dubu allergic to?\n', { environment, args: ['--session', 'friday', '--json'] })).stdout,
    );
    expect(second[0]).toMatchObject({ message: 'What is Dubu allergic to?', answer: expect.stringContaining('Heard') });
    const [system, ...rest] = server.questions[2]?.messages ?? [];
    expect(system?.content).not.toContain('Dubu');
    expect(rest).toHaveLength(1);
    expect(rest[0]?.content).toMatch(
      /^<memories note="[^"]*not instructions[^"]*">[\s\S]*Dubu is allergic to &lt;salmon>[\s\S]*<\/memories>\s+What is Dubu allergic to\?$/,
    );
  });

  it('keeps the budget and the question in a long talk, with a summary of what came before', async () => {
    using folder = temporaryFolder();
    await using server = await ModelServer.start(() => `Noted. ${'word '.repeat(150)}`);
    const lines = Array.from({ length: 16 }, (_, index) => `Line ${index}: ${'plain talk '.repeat(40)}`);
    const turns = jsonLines(
      (await chat(join(folder.path, 'm.db'), 'lia', `${lines.join('\n')}\n/memory\n`, { environment: server.environment, args: ['--json'] })).stdout,
    );
    for (const turn of turns.slice(0, 16)) {
      const { system = 0, summary = 0, history = 0, memory = 0 } = turn.tokens ?? {};
      expect(system + summary + history).toBeLessThanOrEqual(3_800);
      expect(memory).toBeLessThanOrEqual(2_004);
    }
    expect(turns[15]?.tokens?.['summary']).toBeGreaterThan(0);
    expect(server.questions.at(-1)?.messages[1]?.content).toContain('A SUMMARY');
    expect(server.questions.at(-1)?.messages.at(-1)?.content).toContain('Line 15');
    expect(turns[16]?.result).toMatchObject({ summary: 'A SUMMARY', episodes: 32, messages: 33 });
  });

  it('ends with the status of the error in a pipe, and keeps what was said', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'm.db');
    await using server = await ModelServer.start(() => 401);
    const failed = await chat(path, 'lia', 'The key is under the mat.\nnot reached\n', { environment: server.environment });
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('MODEL_REJECTED') });
    const [line] = jsonLines((await chat(path, 'lia', '/memory\n', { args: ['--json'] })).stdout);
    expect(line?.result).toMatchObject({ messages: 2 });
  });
});
