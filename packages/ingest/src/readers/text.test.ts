import { describe, expect, it } from 'vitest';
import { readText } from './text.ts';

describe('readText', () => {
  it('keeps front matter as texts in metadata, and out of the text', () => {
    const text = '---\ntitle: Pier notes\ndate: 2024-03-01\ndraft: no\nversion: 1.10\ntags: [a, b]\nempty:\n---\n# Pier\nGreen.\n';
    expect(readText(text, 'docs/pier.md').documents).toEqual([
      {
        text: '# Pier\nGreen.\n',
        title: 'Pier notes',
        metadata: { title: 'Pier notes', date: '2024-03-01', draft: 'no', version: '1.10', tags: ['a', 'b'], empty: '' },
      },
    ]);
  });

  it.each([
    ['a rule and not front matter', '---\njust a line\n---\ntext', 'a.md'],
    ['broken YAML', '---\na: [1\n---\ntext', 'a.md'],
    ['front matter without an end', '---\na: b\ntext', 'a.md'],
    ['endless nesting', `---\na: ${'['.repeat(20_000)}\n---\ntext`, 'a.md'],
    ['the same lines in another kind of file', '---\na: b\n---\ntext', 'a.txt'],
  ])('leaves %s in the text', (_, text, name) => {
    expect(readText(text, name).documents[0]).toEqual({ text, title: name });
  });

  it('does not let aliases multiply', () => {
    const text = `---\na: &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [${Array(9).fill(`*${'abcdefghi'[i]}`)}]`).join('\n')}\n---\ntext`;
    expect(readText(text, 'a.md').documents[0]?.text).toBe(text);
  });

  it.each([
    ['the first heading', 'Intro\n# The Pier\ntext', 'x/a.md', 'The Pier'],
    ["the file's name", 'text', 'x/a.md', 'a.md'],
    ['the name of a source file', '# a comment\nx = 1', 'x/a.py', 'a.py'],
    ['nothing for stdin', '# text', undefined, undefined],
  ])('takes its title from %s', (_, text, name, title) => {
    expect(readText(text, name).documents[0]?.title).toBe(title);
  });
});
