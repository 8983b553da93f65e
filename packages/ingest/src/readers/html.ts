import { parseTime } from '@tandem-memory/core';
import { asDocument, field, fileNameOf, type ReadFile, type Refusal, type TextDocument } from './read-file.ts';

/** Parts of a page that are no text of its author. */
const LEFT_OUT = [
  'title',
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'nav',
  'button',
  'select',
  'input',
  'textarea',
] as const;
const NESTED_TOO_DEEPLY = 'its elements are nested too deeply';

/** Reads a page as Markdown: headings, lists, tables and code stay; scripts, styles and navigation go. */
export async function readHtml(html: string, name?: string): Promise<ReadFile | Refusal> {
  const text = await htmlToMarkdown(html);
  if (text === undefined) return { refused: NESTED_TOO_DEEPLY };
  const head = html.slice(0, 256 * 1024);
  const title = decodeEntities(/<title[^>]*>([^<]{1,500})<\/title>/i.exec(head)?.[1]) ?? /^#[ \t]+(\S.{0,198})$/m.exec(text)?.[1]?.trim();
  const at = metaOf(head, ['article:published_time', 'date', 'dc.date', 'article:modified_time']);
  const document: TextDocument = {
    text,
    ...field('title', title ?? fileNameOf(name)),
    ...field('at', at !== undefined && parseTime(at) !== undefined ? at : undefined),
    metadata: {
      format: 'html',
      ...field('author', metaOf(head, ['author'])),
      ...field('description', metaOf(head, ['description', 'og:description'])),
    },
  };
  return asDocument(document);
}

/** Elements that need no end, so that an open one is not a level. */
const UNNESTED = new Set(
  (
    'area base br col embed hr img input link meta source track wbr html head body p li dt dd tr td th thead tbody tfoot colgroup option optgroup rt rp ' +
    'caption'
  ).split(' '),
);
/** As browsers do, and since the time of a parser grows with the square of the depth. */
const MAX_DEPTH = 512;

function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z\d]*)/gi)) {
    if (UNNESTED.has(name.toLowerCase())) continue;
    depth = Math.max(0, depth + (end === '/' ? -1 : 1));
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** @returns undefined where the page can't be walked */
export async function htmlToMarkdown(html: string): Promise<string | undefined> {
  if (isTooDeep(html)) return undefined;
  const [{ default: TurndownService }, { gfm }] = await Promise.all([import('turndown'), import('@joplin/turndown-plugin-gfm')]);
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '_', hr: '---' });
  service.use(gfm);
  service.remove([...LEFT_OUT]);
  // Addresses and pictures are not what the text says, and cost more tokens than it.
  service.addRule('link', { filter: 'a', replacement: (content) => content });
  service.addRule('image', { filter: 'img', replacement: (_, node) => ('getAttribute' in node ? (node.getAttribute('alt')?.trim() ?? '') : '') });
  service.addRule('emphasis', { filter: ['strong', 'b', 'em', 'i'], replacement: (content) => content });
  // As a rule and not by remove(), which the rule for paragraphs goes before; and last, since later rules go first.
  const isHiddenByStyle = hiddenByStyle();
  service.addRule('hidden', {
    filter: (node) => node.getAttribute('aria-hidden') === 'true' || node.hasAttribute('hidden') || isHiddenByStyle(node),
    replacement: () => '',
  });
  // A backslash before each _ and * would hide words from the keyword search. Only what would pass for a heading must not.
  service.escape = (text) => text.replace(/^(#{1,6}[ \t])/gm, '\\$1');
  try {
    return `${service.turndown(html).trim()}\n`;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What is used of an element; the parser's own types need those of a browser. */
interface PageElement {
  readonly firstElementChild: PageElement | null;
  readonly nextElementSibling: PageElement | null;
  getAttribute(name: string): string | null;
}

/** What elements inside of one undo of its style. */
interface ShownInside {
  readonly visible: boolean;
  readonly sized: boolean;
}

/** Tells whether an element's own style hides it. `display` hides all inside; the others can be undone there, and mails are laid out so. */
function hiddenByStyle(): (element: PageElement) => boolean {
  const known = new WeakMap<PageElement, ShownInside>();
  const shownInside = (element: PageElement): ShownInside => {
    const before = known.get(element);
    if (before !== undefined) return before;
    let [visible, sized] = [false, false];
    for (let child = element.firstElementChild; child !== null; child = child.nextElementSibling) {
      const [style, inside] = [styleOf(child), shownInside(child)];
      visible ||= inside.visible || style.get('visibility') === 'visible';
      sized ||= inside.sized || isSizeOfItsOwn(style.get('font-size') ?? '');
    }
    known.set(element, { visible, sized });
    return { visible, sized };
  };
  return (element) => {
    const style = styleOf(element);
    if (style.get('display') === 'none') return true;
    if (['hidden', 'collapse'].includes(style.get('visibility') ?? '') && !shownInside(element).visible) return true;
    return Number.parseFloat(style.get('font-size') ?? '') === 0 && !shownInside(element).sized;
  };
}

/** Other than `1em` or `90%`, which are nothing in an element of no size. */
function isSizeOfItsOwn(size: string): boolean {
  const [, amount, unit = ''] = /^([\d.]+)([a-z]+)$/.exec(size) ?? [];
  return amount === undefined ? /^(?:xx?-)?(?:small|large)$|^medium$/.test(size) : Number(amount) > 0 && !['em', 'ex', 'ch'].includes(unit);
}

/** The declarations of an element's own `style`, in lower case. */
function styleOf(element: PageElement): ReadonlyMap<string, string> {
  const [first = '', ...commented] = (element.getAttribute('style') ?? '').toLowerCase().split('/*');
  const declarations = [first, ...commented.map((part) => part.split('*/').slice(1).join('*/'))].join('').split(';');
  const isImportant = (declaration: string) => /!\s*important$/.test(declaration.trim());
  // Of several for one property the last counts, and an important one before the others.
  const ordered = [...declarations.filter((each) => !isImportant(each)), ...declarations.filter(isImportant)];
  return new Map(
    ordered.map((declaration) => {
      const [name = '', value = ''] = declaration.split(':');
      return [name.trim(), value.split('!')[0]?.trim() ?? ''];
    }),
  );
}

function metaOf(head: string, names: readonly string[]): string | undefined {
  for (const name of names) {
    const quoted = name.replaceAll('.', '\\.');
    const tag = new RegExp(`<meta\\b[^>]{0,500}\\b(?:name|property)\\s*=\\s*["']?${quoted}["'\\s][^>]{0,2000}>`, 'i').exec(head)?.[0];
    const content = decodeEntities(
      /\bcontent\s*=\s*(?:"([^"]{1,1000})"|'([^']{1,1000})')/i
        .exec(tag ?? '')
        ?.slice(1)
        .find(Boolean),
    );
    if (content !== undefined) return content;
  }
  return undefined;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

function decodeEntities(text: string | undefined): string | undefined {
  const plain = text
    ?.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hexadecimal, name) => {
      if (name !== undefined) return ENTITIES.get(String(name).toLowerCase()) ?? whole;
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed();
  return plain === undefined || plain === '' ? undefined : plain;
}
