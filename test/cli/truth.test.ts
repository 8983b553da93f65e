import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Context } from 'tandem-memory';
import { describe, expect, it, vi } from 'vitest';
import { tandem } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Each command is a process of its own. */
vi.setConfig({ testTimeout: 120_000 });

describe('tandem history', () => {
  it('without an id tells in words what ended and what took its place', async () => {
    using folder = temporaryFolder();
    const at = ['--user', 'lia', '--db', join(folder.path, 'm.db'), '--embedding', 'fast'];
    await tandem(['store', 'I live in Lindby.', '--at', '2024-01-05', ...at]);
    expect((await tandem(['history', ...at])).stdout).toContain('Nothing ended');
    await tandem(['store', 'I moved from Lindby to Corran.', '--at', '2024-03-02', ...at]);
    const told = await tandem(['history', ...at]);
    expect(told.stdout).toMatch(/ended {3}I live in Lindby\. -> I moved from Lindby to Corran\. {2}said to hold no longer; by rules/);
    expect(told.stdout).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
    expect(JSON.parse((await tandem(['history', ...at, '--json'])).stdout)).toMatchObject([{ action: 'invalidate', text: 'I live in Lindby.' }]);
  });
});

describe('tandem forget', () => {
  it('takes talks with it, to the last byte, and an export brings them back', async () => {
    using folder = temporaryFolder();
    const at = ['--user', 'lia', '--db', join(folder.path, 'm.db'), '--embedding', 'fast'];
    const found = () => {
      const files = readdirSync(folder.path).filter((name) => name.startsWith('m.db'));
      return files.filter((name) => readFileSync(join(folder.path, name)).includes('Zorkblat')).length;
    };
    await tandem(['chat', ...at, '--session', 'talk'], { stdin: 'Zorkblat is my neighbour.\n/exit\n' });
    await tandem(['consent', 'grant', ...at, '--actor', 'form 7']);
    const saved = join(folder.path, 'saved.jsonl');
    expect((await tandem(['export', ...at, '--out', saved])).status).toBe(0);
    expect(readFileSync(saved, 'utf8')).toMatch(/"type":"consent"[\s\S]*"type":"conversation","sessionId":"talk"/);
    expect(found()).toBeGreaterThan(0);
    const forgotten = JSON.parse((await tandem(['forget', ...at, '--yes', '--json'])).stdout) as object;
    expect(forgotten).toMatchObject({ erased: { episodes: 1, messages: 2 }, compacted: true, left: [], degraded: [] });
    expect(found()).toBe(0);
    expect(await tandem(['import', saved, '--db', join(folder.path, 'm.db'), '--embedding', 'fast'])).toMatchObject({ status: 0 });
    const again = join(folder.path, 'again.jsonl');
    await tandem(['export', ...at, '--out', again]);
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(saved, 'utf8'));
  });
});

describe('a model', () => {
  it('is asked about a name only where the rules find several that it could be', async () => {
    const asked: string[] = [];
    const names = ['Ann Lee', 'Ann Kim', 'Bo', 'Ann'];
    const http = createServer(async (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const isJudge = body.includes('name the same thing');
      if (isJudge) asked.push(body);
      const name = names.findLast((each) => body.includes(`${each} sings.`)) ?? '';
      const content = isJudge
        ? `{"same":${body.includes('Ann Kim')}}`
        : JSON.stringify({ facts: [], entities: [{ name, type: 'person' }], relations: [] });
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }] }));
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    try {
      using folder = temporaryFolder();
      const environment = { TANDEM_MODEL: 'small', TANDEM_MODEL_BASE_URL: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1` };
      const at = ['--user', 'lia', '--db', join(folder.path, 'm.db'), '--embedding', 'fast'];
      for (const name of names.slice(0, 3)) await tandem(['store', `${name} sings.`, ...at], { environment });
      expect(asked).toEqual([]);
      await tandem(['store', 'Ann sings.', ...at], { environment });
      expect(asked.length).toBeGreaterThan(0);
      const merges = await tandem(['merges', 'list', ...at, '--json'], { environment });
      expect(JSON.parse(merges.stdout)).toMatchObject([{ step: 'model' }]);
      expect(merges.stdout).toContain('Ann Kim');
    } finally {
      http.closeAllConnections();
      http.close();
    }
  });
});

describe('isolation-01: two users of one file, one shared name', () => {
  it('see nothing of each other by any command', async () => {
    using folder = temporaryFolder();
    const common = ['--db', join(folder.path, 'm.db'), '--embedding', 'fast'];
    const as = (user: string) => ['--user', user, ...common];
    await tandem(['store', 'Dana works at Harbor Cafe. Harbor Cafe owes rent to Mr. Pell.', '--session', 'rosas', ...as('rosa')]);
    await tandem(['store', 'Dana moved from Harbor Street to Pell Lane.', ...as('rosa')]);
    await tandem(['chat', ...as('rosa'), '--session', 'rosas'], { stdin: 'Harbor Cafe is closed.\n/exit\n' });
    const stored = JSON.parse((await tandem(['query', 'Dana', ...as('rosa'), '--json'])).stdout) as Context;
    await tandem(['store', 'Dana plays chess.', ...as('ivan')]);

    const asked = [
      ['query', 'Dana at Harbor Cafe', '--explain'],
      ['query', 'Who owes rent to Mr. Pell?', '--json', '--session', 'rosas'],
      ['history'],
      ['history', stored.items[0]?.id ?? ''],
      ['merges', 'list'],
      ['stats', '--json'],
      ['audit', '--json'],
      ['consent', '--json'],
      ['decay', '--dry-run', '--json'],
      ['export'],
      ['forget', '--id', stored.items[0]?.id ?? '', '--yes', '--json'],
      ['forget', '--entity', 'Harbor Cafe', '--yes', '--json'],
      ['forget', '--session', 'rosas', '--yes', '--json'],
    ];
    const ids = stored.items.map((item) => item.id);
    for (const command of asked) {
      const { stdout, stderr } = await tandem([...command, ...as('ivan')]);
      const answer = [...command, 'Dana at Harbor Cafe'].reduce((text, own) => text.replaceAll(own, ''), stdout + stderr);
      expect(answer, command.join(' ')).not.toMatch(/Harbor|Pell|rent|closed|rosa/);
      for (const id of ids) if (!command.includes(id)) expect(answer).not.toContain(id);
      if (command[0] === 'stats') expect(JSON.parse(stdout)).toMatchObject({ episodes: 1 });
    }
    const talk = await tandem(['chat', ...as('ivan'), '--session', 'rosas'], { stdin: 'Where does Dana work?\n/why\n/memory\n/exit\n' });
    expect(talk.stdout).not.toMatch(/Harbor|Pell|closed/);
    const hers = (await tandem(['query', 'Dana', ...as('rosa')])).stdout;
    expect(hers).toContain('Harbor Cafe');
    expect(hers).not.toContain('chess');
  });
});
