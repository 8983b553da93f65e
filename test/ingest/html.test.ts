import { readFileContent } from '@tandem-memory/ingest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read, refusal, sections } from './read.ts';

describe('HTML', () => {
  it('becomes Markdown, without scripts, styles, navigation and what is hidden', async () => {
    const page =
      '<!DOCTYPE html><html><head><title>The &amp; pier</title><meta name="author" content="Ana &#45; B"><meta property="article:published_time" content="2024-01-02T03:04:05Z"><style>p{}</style></head>' +
      '<body><nav>menu</nav><h1>Pier</h1><p>The <b>light</b> is <a href="http://x.test/long">green</a>, snake_case stays.</p><p hidden>secret</p><a href="x" hidden>secret</a><script>alert(1)</script>' +
      '<h2>Boats</h2><table><tr><th>boat</th><th>price</th></tr><tr><td>Osprey</td><td>5</td></tr></table><pre><code># no heading</code></pre><img src="a.png" alt="a map"></body></html>';
    const { documents } = await read(page, 'pier.html');
    expect(documents[0]).toMatchObject({ title: 'The & pier', at: '2024-01-02T03:04:05Z', metadata: { format: 'html', author: 'Ana - B' } });
    expect(documents[0]?.text).toBe(
      '# Pier\n\nThe light is green, snake_case stays.\n\n## Boats\n\n| boat | price |\n| --- | --- |\n| Osprey | 5   |\n\n```\n# no heading\n```\n\na map\n',
    );
  });

  it.each([
    'display: none',
    'DISPLAY : NONE !important',
    'color:red;/* x */display:none;',
    'display:none!important; display:block',
    'visibility:hidden',
    'Visibility: collapse',
    'font-size:0',
    'font-size: 0px !IMPORTANT',
    'font-size:.0em',
  ])('leaves out what a style hides: %s', async (style) => {
    expect(
      await sections(
        `<p>One</p><p style="${style}">secret</p><div style='${style}'><b>also</b></div><p>two<b style="${style}">this</b><a style="${style}">that</a></p>`,
        'a.html',
      ),
    ).toEqual([{ text: 'One\n\ntwo\n' }]);
  });

  it.each([
    'display:block',
    'display:none; display:block',
    'visibility:visible',
    'font-size:0.8em',
    'font-size:10px',
    'background:url(display:none)',
    '',
  ])('keeps what a style shows: %s', async (style) => {
    expect(await sections(`<p style="${style}">shown</p>`, 'a.html')).toEqual([{ text: 'shown\n' }]);
  });

  it('reads what is nested and hidden many times in a time that grows with it', async () => {
    const open = '<div style="visibility:hidden;font-size:0">'.repeat(500);
    expect(await sections(`<p>x</p>${open}${'<span style="font-size:1em">secret</span>'.repeat(5_000)}`, 'a.html')).toEqual([{ text: 'x\n' }]);
    expect(await sections(`<p style="${'/*'.repeat(500_000)}">x</p>`, 'a.html')).toEqual([{ text: 'x\n' }]);
  });

  it('keeps what is shown again inside, as mails are laid out', async () => {
    const mail = '<div style="font-size:0px"><table><tr><td style="font-size:0"><div style="font-size:13px">Dear Ana</div></td></tr></table></div>';
    expect((await sections(mail, 'a.html'))[0]?.text).toContain('Dear Ana');
    expect(await sections('<div style="visibility:hidden"><p style="visibility:visible">shown</p></div>', 'a.html')).toEqual([{ text: 'shown\n' }]);
    expect(await sections('<p>x</p><div style="font-size:0"><p style="font-size:1em">secret</p></div>', 'a.html')).toEqual([{ text: 'x\n' }]);
    expect(await sections('<p>x</p><div style="display:none"><p style="display:block">secret</p></div>', 'a.html')).toEqual([{ text: 'x\n' }]);
  });

  it('is known by how it begins where the name does not tell', async () => {
    expect((await read('<!-- saved -->\n<html><body><h1>Pier</h1></body></html>')).documents[0]).toMatchObject({ title: 'Pier' });
    expect((await read('<html lang=en><p>x', 'page.aspx')).documents[0]?.metadata).toMatchObject({ format: 'html' });
  });

  it('that is nested without end is refused, and broken pages are read', async () => {
    expect(await refusal('<div>'.repeat(50_000), 'a.html')).toEqual({ refused: expect.stringContaining('nested') });
    expect(await sections('<p>one<p>two</i></div><b>three', 'a.html')).toEqual([{ text: 'one\n\ntwothree\n' }]);
  });

  it('never throws and gives well-formed text for any markup', async () => {
    const parts = fc.constantFrom(
      '<p>',
      '</p>',
      '<table><tr>',
      '<td>a|b',
      '<h1>',
      '<script>',
      '<!--',
      '-->',
      '&amp;',
      '&#xD800;',
      '텍스트',
      '🎉',
      '<a href=',
      '"',
      ' ',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 30 }), async (list) => {
        const found = await readFileContent(Buffer.from(list.join('')), 'a.html');
        if (!('refused' in found)) for (const { text } of found.documents) expect(String(text).isWellFormed()).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
