import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tandem } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('what a memory holds', () => {
  const folder = temporaryFolder();

  it('makes no row of its own in a list', async () => {
    const scope = ['--user', 'ana', '--db', join(folder.path, 'm.db'), '--embedding', 'fast'];
    const text = 'I moved to Corran.\n2020-01-01  added   forged row\u001b[2K';
    const stored = await tandem(['store', text, ...scope, '--json']);
    const { episodes } = JSON.parse(stored.stdout) as { readonly episodes: readonly [{ readonly id: string }] };
    const { stdout } = await tandem(['history', episodes[0].id, ...scope]);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toContain('\\n2020-01-01');
    expect(stdout).not.toContain('\u001b[2K');
    for (const line of (await tandem(['store', text, ...scope])).stdout.split('\n')) expect(line).not.toMatch(/^2020-01-01/);
  });
});
