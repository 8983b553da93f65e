import { parse } from 'yaml';
import { isRecord, withoutDeepFields } from './json-value.ts';
import { asDocument, fileNameOf, type ReadFile } from './read-file.ts';

const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
const FRONT_MATTER = /^---[ \t]*\n(?:([\s\S]*?)\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/;
/** Nobody writes a longer one; what goes on is a text that begins with a line. */
const MAX_FRONT_MATTER_LENGTH = 64 * 1024;
const FIRST_HEADING = /^#[ \t]+(\S.{0,198})$/m;

/**
 * Reads a text as one document. Its title is the front matter's, else the first heading of Markdown, else the file's name. Front matter is
 * metadata (its values as they are written: texts, lists and maps of texts) and no part of the text.
 * @param name path with forward slashes; undefined for stdin
 */
export function readText(text: string, name?: string): ReadFile {
  const fileName = fileNameOf(name);
  const front = fileName !== undefined && MARKDOWN.test(fileName) ? readFrontMatter(text) : undefined;
  const body = front?.body ?? text;
  const heading = fileName !== undefined && MARKDOWN.test(fileName) ? FIRST_HEADING.exec(body)?.[1]?.trim() : undefined;
  const frontTitle = front?.metadata['title'];
  const title = typeof frontTitle === 'string' && frontTitle.trim() !== '' ? frontTitle : (heading ?? fileName);
  const document = {
    text: body,
    ...(title === undefined ? {} : { title }),
    ...(front === undefined ? {} : { metadata: front.metadata }),
  };
  return asDocument(document);
}

function readFrontMatter(text: string): { readonly metadata: Record<string, unknown>; readonly body: string } | undefined {
  const block = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_MATTER_LENGTH));
  if (block === null) return undefined;
  try {
    // The failsafe schema knows only texts, lists and maps: a date, "no" and 1.10 stay as they were written.
    const fields: unknown = parse(block[1] ?? '', { schema: 'failsafe', logLevel: 'error' });
    if (!isRecord(fields)) return undefined;
    return { metadata: withoutDeepFields(fields), body: text.slice(block[0].length) };
  } catch {
    return undefined;
  }
}
