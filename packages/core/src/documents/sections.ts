import { isVisible } from '../domain/clean-text.ts';
import type { DocumentSection } from '../domain/store-input.ts';

const HEADING = /^(#{1,6})[ \t]+(?=\S)/;
/** A code block's fence; one that closes on its own line ("```a```") is inline code. */
const FENCE = /^\s*(?:(`)``[^`]*|(~)~~.*)$/s;
/** Each chunk below carries the title, so that a line which only looks like a heading must not multiply itself. */
const MAX_TITLE_LENGTH = 200;

/**
 * A Markdown text cut in front of its headings, but for those in code blocks; all of it, in order. A heading with nothing below it begins
 * the section that follows.
 */
export function* sections(text: string): Generator<DocumentSection> {
  const trail: string[] = [];
  let heading = '';
  let fence: string | undefined;
  let hasBody = false;
  let start = 0;
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = text.indexOf('\n', from) + 1 || text.length;
    const line = text.slice(from, to);
    const found = fence === undefined ? readHeading(line) : undefined;
    if (found === undefined) {
      hasBody ||= isVisible(line);
      fence = fenceAfter(line, fence);
      continue;
    }
    if (hasBody) {
      yield { heading, text: text.slice(start, from) };
      start = from;
      hasBody = false;
    }
    trail.length = Math.min(trail.length, found.depth - 1);
    trail.push(found.title);
    heading = trail.join(' > ');
  }
  if (start < text.length) yield { heading, text: text.slice(start) };
}

function readHeading(line: string): { readonly depth: number; readonly title: string } | undefined {
  const marker = HEADING.exec(line);
  if (marker === null || line.length > MAX_TITLE_LENGTH) return undefined;
  const title = line
    .slice(marker[0].length)
    .trim()
    .replace(/[ \t]#+$/, '')
    .trim();
  return { depth: marker[1]?.length ?? 1, title };
}

/** The fence character that is open after this line. A block ends at a fence of its own kind only. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const match = FENCE.exec(line);
  const character = match?.[1] ?? match?.[2];
  if (character === undefined) return open;
  if (open === undefined) return character;
  return open === character ? undefined : open;
}
