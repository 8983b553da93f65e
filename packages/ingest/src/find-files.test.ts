import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findInputs, type Input } from './find-files.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'tandem-find-'));
});
afterEach(() => {
  rmSync(cwd, { recursive: true });
});

function write(...names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), name);
  }
}

const find = (...patterns: string[]) => findInputs(patterns, { cwd });
const files = (inputs: readonly Input[]) => inputs.flatMap((input) => (input.kind === 'file' ? [input.name] : []));

describe('findInputs', () => {
  it('walks a folder by name and leaves out what tools keep there', async () => {
    write('notes/b.md', 'notes/a.md', 'notes/sub/c.txt', 'notes/.git/config', 'notes/.env', 'notes/node_modules/x/readme.md', 'notes/dist/out.js');
    expect(files(await find('notes'))).toEqual(['notes/a.md', 'notes/b.md', 'notes/sub/c.txt']);
    expect(files(await find('.'))).toEqual(['notes/a.md', 'notes/b.md', 'notes/sub/c.txt']);
  });

  it('enters what is left out by default when it is named', async () => {
    write('dist/out.js', '.hidden/a.md', 'node_modules/x/readme.md');
    expect(files(await find('dist', '.hidden', 'node_modules/*/*.md'))).toEqual(['dist/out.js', '.hidden/a.md', 'node_modules/x/readme.md']);
  });

  it('takes globs, in the order of names', async () => {
    write('n/z.md', 'n/a.md', 'n/deep/k.md', 'n/o.txt', 'n/.x.md', 'n/node_modules/y/r.md');
    expect(files(await find('n/**/*.md'))).toEqual(['n/a.md', 'n/deep/k.md', 'n/z.md']);
    expect(files(await find('n/*.{md,txt}'))).toEqual(['n/a.md', 'n/o.txt', 'n/z.md']);
    expect(files(await find('./n/deep/*'))).toEqual(['n/deep/k.md']);
    expect(files(await find(`${cwd}/n/deep/*.md`))).toEqual(['n/deep/k.md']);
  });

  it('takes a file whose name looks like a glob for that file', async () => {
    write('a[1].md', 'a1.md');
    expect(await find('a[1].md')).toEqual([{ kind: 'file', name: 'a[1].md', path: join(cwd, 'a[1].md'), named: true }]);
  });

  it('names a file whose name is not UTF-8 as one that can not be read, beside the others', async () => {
    write('n/a.md');
    writeFileSync(Buffer.concat([Buffer.from(`${cwd}/n/bad`), Buffer.of(0xff), Buffer.from('.md')]), 'x');
    for (const pattern of ['n', 'n/*.md', 'n/bad*', '.']) {
      const found = await find(pattern);
      expect(found.filter(({ kind }) => kind === 'failed')).toMatchObject([{ reason: expect.stringContaining('not UTF-8') }]);
      expect(files(found)).toEqual(pattern === 'n/bad*' ? [] : ['n/a.md']);
    }
  });

  it('gives each file once, and remembers that it was named', async () => {
    write('n/a.md', 'n/b.md');
    const found = await find('n', 'n/b.md', join(cwd, 'n'), 'n/*.md', '-', '-');
    expect(found.map((input) => [input.name, input.kind === 'file' && input.named])).toEqual([
      ['n/a.md', false],
      ['n/b.md', true],
      ['-', false],
    ]);
  });

  it('names files outside of the working folder by the way to them', async () => {
    write('notes/a.md', 'here/b.md');
    expect(files(await findInputs(['../notes'], { cwd: join(cwd, 'here') }))).toEqual(['../notes/a.md']);
  });

  it('keeps names of any script', async () => {
    write('노트/메모 🎉.md');
    expect(files(await find('노트', '노트/*'))).toEqual(['노트/메모 🎉.md']);
  });

  it.each([
    [['missing.md'], 'FILE_NOT_FOUND', 'missing.md'],
    [['*.none'], 'FILE_NOT_FOUND', '*.none'],
    [['a.md/b.md'], 'FILE_NOT_FOUND', 'a.md/b.md'],
    [['bad\0name'], 'FILE_NOT_FOUND', 'bad'],
    [[' '], 'INPUT_INVALID', 'empty path'],
    [[], 'INPUT_EMPTY', 'Nothing to ingest'],
  ])('refuses %j', async (patterns, code, named) => {
    write('a.md');
    await expect(find(...patterns)).rejects.toMatchObject({ code, message: expect.stringContaining(named) });
  });

  // Links need a privilege on Windows, which has no named pipes either.
  describe.runIf(process.platform !== 'win32')('with links and pipes', () => {
    beforeEach(() => {
      write('notes/a.md', 'notes/sub/b.md', 'outside/secret.md');
      symlinkSync('..', join(cwd, 'notes/sub/up'));
      symlinkSync('.', join(cwd, 'notes/self'));
      symlinkSync('../outside', join(cwd, 'notes/out'));
      symlinkSync('../outside/secret.md', join(cwd, 'notes/secret.md'));
      symlinkSync('nowhere', join(cwd, 'notes/dead'));
      symlinkSync('loop', join(cwd, 'notes/loop'));
      execFileSync('mkfifo', [join(cwd, 'notes/pipe')]);
    });

    // ingest-02
    it('follows none of them inside a folder and says why', async () => {
      const found = await find('notes');
      expect(files(found)).toEqual(['notes/a.md', 'notes/sub/b.md']);
      expect(Object.fromEntries(found.flatMap((input) => (input.kind === 'skipped' ? [[input.name, input.reason]] : [])))).toEqual({
        'notes/dead': 'a dead link',
        'notes/loop': 'a dead link',
        'notes/out': expect.stringContaining('out of the folder'),
        'notes/secret.md': expect.stringContaining('out of the folder'),
        'notes/pipe': 'a named pipe',
        'notes/self': 'a link to a path of the same folder',
        'notes/sub/up': 'a link to a path of the same folder',
      });
    });

    it('treats them alike in a glob', async () => {
      expect(files(await find('notes/**/*.md'))).toEqual(['notes/a.md', 'notes/sub/b.md']);
      expect(files(await find('notes/**'))).toEqual(['notes/a.md', 'notes/sub/b.md']);
    });

    it('follows a link that was named itself', async () => {
      expect(files(await find('notes/out', 'notes/secret.md'))).toEqual(['notes/out/secret.md', 'notes/secret.md']);
    });

    it('refuses a dead link, a loop and a pipe that were named', async () => {
      await expect(find('notes/dead')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
      await expect(find('notes/loop')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND', message: expect.stringContaining('circle') });
      await expect(find('notes/pipe')).rejects.toMatchObject({ code: 'FILE_UNSUPPORTED', message: expect.stringContaining('named pipe') });
    });
  });
});
