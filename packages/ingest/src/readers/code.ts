import type { Parser, SyntaxNode } from '@lezer/common';
import type { DocumentSection } from '@tandem-memory/core';
import { asDocument, field, fileNameOf, type ReadFile } from './read-file.ts';

const PARSERS: ReadonlyMap<string, () => Promise<Parser>> = new Map([
  ...['js', 'mjs', 'cjs', 'jsx'].map((extension) => [extension, () => javascript('jsx')] as const),
  ...['ts', 'mts', 'cts'].map((extension) => [extension, () => javascript('ts')] as const),
  ['tsx', () => javascript('jsx ts')],
  ...['py', 'pyi'].map((extension) => [extension, async () => (await import('@lezer/python')).parser] as const),
  ['java', async () => (await import('@lezer/java')).parser],
  ...['c', 'h', 'cc', 'cpp', 'cxx', 'hpp', 'hh'].map((extension) => [extension, async () => (await import('@lezer/cpp')).parser] as const),
  ['rs', async () => (await import('@lezer/rust')).parser],
  ['go', async () => (await import('@lezer/go')).parser],
  ['php', async () => (await import('@lezer/php')).parser],
]);

/** Languages whose definitions are told by their first words, at the beginning of a line. */
const OTHER_CODE = new Set(
  'rb sh bash zsh fish ps1 sql kt kts swift scala cs fs vb lua pl pm r jl dart ex exs erl hs ml clj groovy gradle tf proto graphql zig nim'.split(
    ' ',
  ),
);
/** Text of a tool that is cut by size alone. */
const PLAIN = new Set('log json jsonl ndjson xml yaml yml toml ini cfg conf properties env css scss less svg vtt srt tex bib diff patch'.split(' '));

const DEFINITION =
  /^(?:@\w.*\n)*(?:(?:pub|public|private|protected|internal|static|final|abstract|open|sealed|async|export|override|data|create(?:[ \t]+or[ \t]+replace)?)[ \t]+)*(?:def|defp|defmodule|class|module|function|func|fun|fn|sub|interface|struct|enum|trait|impl|object|protocol|extension|record|namespace|table|view|procedure|trigger|resource|message|service|type)\b[ \t]+(?:if[ \t]+not[ \t]+exists[ \t]+)?["'`[]?([\w.:$]+)/gim;

/** A definition longer than this many characters is cut at the definitions inside it. */
const LARGE = 1500;
/** Definitions that are together shorter than this stand together. */
const SMALL = 600;
/** No deeper than class > method; what is inside is cut by size. */
const MAX_DEPTH = 3;
/** Each chunk below carries the heading, and a line of minified code has thousands of names. */
const MAX_HEADING_LENGTH = 200;
const MORE = ', …';
const MAX_INDENTATION = 200;

const DEFINES = /(?:Declaration|Decl$|Definition|Item|Specifier|Statement|Template|Namespace|Module)/;
const HOLDS = /(?:Body|Block|List|Declarations)$/;
const NAMES =
  /^(?:VariableDefinition|VariableName|TypeDefinition|TypeName|TypeIdentifier|BoundIdentifier|Identifier|DefName|FieldIdentifier|Definition|Name|PropertyDefinition|PropertyName|ScopedIdentifier|MethodName|NamespaceIdentifier|FieldName)$/;

export function isCode(extension: string): boolean {
  return PARSERS.has(extension) || OTHER_CODE.has(extension);
}

export function isPlain(extension: string): boolean {
  return PLAIN.has(extension);
}

/** Reads source code, cut at its definitions: each section is named by them, e.g. `class Queue > push`, and knows its lines. */
export async function readCode(text: string, name: string, extension: string): Promise<ReadFile> {
  const parser = await PARSERS.get(extension)?.();
  const cuts = (parser === undefined ? undefined : parsedDefinitions(parser, text)) ?? definitionsByWord(text);
  return asDocument({ text: sectionsAt(cuts, text), metadata: { format: 'code', language: extension }, ...field('title', fileNameOf(name)) });
}

/** @returns undefined where the code is nested deeper than it can be walked */
function parsedDefinitions(parser: Parser, text: string): Cut[] | undefined {
  try {
    return definitionsOf(parser.parse(text).topNode, text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function javascript(dialect: string): Promise<Parser> {
  return (await import('@lezer/javascript')).parser.configure({ dialect });
}

interface Cut {
  readonly from: number;
  readonly heading: string;
}

function definitionsByWord(text: string): Cut[] {
  return [...text.matchAll(DEFINITION)].map((match) => ({ from: match.index, heading: match[0].replace(/\s+/g, ' ').trim().slice(0, 100) }));
}

/** Where definitions begin, with the comments above them; large ones are opened. */
function definitionsOf(top: SyntaxNode, text: string): Cut[] {
  const cuts: Cut[] = [];
  const visit = (parent: SyntaxNode, trail: readonly string[]) => {
    let comment: number | undefined;
    for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
      if (/Comment|Decorator|Annotation|Attribute/.test(node.name)) {
        comment ??= node.from;
        continue;
      }
      const title = DEFINES.test(node.name) && !/Import|Package|Include|Use/.test(node.name) ? titleOf(node, text) : undefined;
      if (title !== undefined) {
        const heading = [...trail, title];
        cuts.push({ from: lineStart(text, comment ?? node.from), heading: heading.join(' > ') });
        if (node.to - node.from > LARGE && heading.length < MAX_DEPTH) openUp(node, heading);
      }
      comment = undefined;
    }
  };
  const openUp = (node: SyntaxNode, trail: readonly string[]) => {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (HOLDS.test(child.name)) visit(child, trail);
      else if (DEFINES.test(child.name)) openUp(child, trail);
    }
  };
  visit(top, []);
  return cuts;
}

/** The first name inside a definition, with the word that begins it: `class Queue`, `def push`. */
function titleOf(node: SyntaxNode, text: string): string | undefined {
  const name = nameIn(node, 4);
  if (name === undefined) return undefined;
  const before = text.slice(node.from, name.from).replace(/\s+/g, ' ');
  const word = /\b(class|interface|enum|struct|trait|impl|namespace|module|type|record|mod|union)\b/.exec(before)?.[1];
  const title = text.slice(name.from, name.to);
  return title.length > 100 ? undefined : word === undefined ? title : `${word} ${title}`;
}

function nameIn(node: SyntaxNode, depth: number): SyntaxNode | undefined {
  const inner: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (NAMES.test(child.name)) return child;
    if (!HOLDS.test(child.name) && !/Type(?!Spec)|Modifiers|Param|Literal|Expression|Annotation|Decorator|Comment/.test(child.name))
      inner.push(child);
  }
  if (depth === 0) return undefined;
  for (const child of inner) {
    const found = nameIn(child, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where the line begins, so that its indentation comes along; in a line of minified code the place itself. */
function lineStart(text: string, index: number): number {
  const from = Math.max(0, index - MAX_INDENTATION);
  const lineEnd = text.slice(from, index).lastIndexOf('\n');
  return lineEnd === -1 && from > 0 ? index : from + lineEnd + 1;
}

/** Short definitions that follow each other stand together: a chunk for each constant would say too little. */
function gathered(cuts: readonly Cut[], length: number): Cut[] {
  const result: Cut[] = [];
  const end = (index: number) => cuts[index + 1]?.from ?? length;
  for (const [index, cut] of cuts.entries()) {
    const last = result.at(-1);
    const opened = cuts[index + 1]?.heading.startsWith(`${cut.heading} > `) === true && cut.heading !== '';
    const inside = cut.heading.includes(' > ') || last?.heading.includes(' > ') === true;
    if (last === undefined || opened || inside || end(index) - last.from > SMALL) result.push(cut);
    else result[result.length - 1] = { from: last.from, heading: joined(last.heading, cut.heading) };
  }
  return result;
}

function joined(names: string, name: string): string {
  if (names === '') return name;
  if (names.endsWith(MORE)) return names;
  return names.length + name.length > MAX_HEADING_LENGTH ? `${names}${MORE}` : `${names}, ${name}`;
}

function sectionsAt(cuts: readonly Cut[], text: string): DocumentSection[] {
  const sorted = gathered(
    [{ from: 0, heading: '' }, ...cuts].sort((a, b) => a.from - b.from),
    text.length,
  );
  let line = 1;
  return sorted.flatMap(({ from, heading }, index): DocumentSection[] => {
    const to = sorted[index + 1]?.from ?? text.length;
    const part = text.slice(from, to);
    const first = line;
    line += part.split('\n').length - 1;
    if (part.trim() === '') return [];
    const last = first + part.trimEnd().split('\n').length - 1;
    return [{ text: part, metadata: { lines: `${first}-${last}` }, ...(heading === '' ? {} : { heading }) }];
  });
}
