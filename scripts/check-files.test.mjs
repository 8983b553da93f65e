import { describe, expect, it } from 'vitest';
import { findFileProblems } from './check-files.mjs';

const check = (text, path = 'packages/core/src/domain/fact.ts') => findFileProblems({ path, text });
// Spelled in pieces, so that this file passes its own rule.
const REGISTRY = ['registry', 'npmjs', 'org'].join('.');
const NEIGHBOUR = ['..', 'shared'].join('/');

describe('file rules', () => {
  it.each([
    ['any', 'export const a = (b: any) => b;'],
    ['a non-null assertion', 'export const a = (b?: string) => b!.length;'],
    ['a default export', 'export default 1;'],
    ['a default export by name', 'const a = 1;\nexport { a as default };'],
    ['export *', "export * from './id.ts';"],
    ['a silenced type error', `// @ts-${'ignore'}\nexport const a = 1;`],
    ['a registry', `export const a = 'https://${REGISTRY}/x';`],
    ['a folder outside', `export const a = '${NEIGHBOUR}/data';`],
    ['401 lines', 'export const a = 1;\n'.repeat(1).concat('// line\n'.repeat(400))],
  ])('refuses %s', (_, text) => {
    expect(check(text)).toHaveLength(1);
  });

  it.each([
    ['it.only', "it.only('a', () => {});"],
    ['describe.skip', "describe.skip('a', () => {});"],
    ['a skipped table', "it.skip.each([1])('a', () => {});"],
    ['a todo', "it.todo('a');"],
    ['xit', "xit('a', () => {});"],
  ])('refuses %s in a test', (_, text) => {
    expect(check(text, 'test/a.test.ts')).toHaveLength(1);
  });

  it.each([
    'packages/core/src/domain/textUtils.ts',
    'packages/core/src/domain/text-utils.ts',
    'packages/core/src/Domain/text.ts',
    'test/helpers/open.ts',
  ])('refuses the name %s', (path) => {
    expect(check('export const a = 1;', path).length).toBeGreaterThan(0);
  });

  it('refuses tarball addresses in the lockfile', () => {
    expect(check('  resolution: {integrity: sha512-a, tarball: https://example.com/a.tgz}', 'pnpm-lock.yaml')).toHaveLength(1);
  });

  it.each([
    ['a word in a comment', '// any reader, export * and registry of drivers\nexport const a = 1;'],
    ['unknown', 'export const a = (b: unknown) => b;'],
    ['400 lines', 'export const a = 1;\n'.concat('// line\n'.repeat(399))],
    ['a test that needs a server', "it.skipIf(!url)('a', () => {});", 'test/services.test.ts'],
    ['the neighbour in a benchmark', `export const a = '${NEIGHBOUR}/data';`, 'bench/src/main.ts'],
  ])('allows %s', (_, text, path) => {
    expect(check(text, path)).toEqual([]);
  });
});
