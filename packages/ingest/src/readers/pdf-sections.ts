import type { DocumentSection } from '@tandem-memory/core';

export interface PdfLine {
  readonly text: string;
  /** Of its letters, in points. */
  readonly height: number;
  /** Distance from the foot of the page. */
  readonly y?: number;
}

/** A line of letters so much larger than most is a heading. */
const HEADING_RATIO = 1.15;
const MAX_HEADING_LENGTH = 150;
/** A gap of more than so many line heights separates paragraphs. */
const PARAGRAPH_GAP = 1.6;
const MAX_DEPTH = 6;

/**
 * Pages of lines as sections, each with its page and the headings above it. A heading is told by the size of its letters, its depth by how
 * many larger sizes there are. A word that was divided at the end of a line is joined again.
 */
export function pdfSections(pages: readonly (readonly PdfLine[])[]): DocumentSection[] {
  const usual = usualHeight(pages);
  const isHeading = (line: PdfLine) => line.height > usual * HEADING_RATIO && line.text.length <= MAX_HEADING_LENGTH && /\p{L}/u.test(line.text);
  const sizes = [
    ...new Set(
      pages
        .flat()
        .filter(isHeading)
        .map((line) => Math.round(line.height)),
    ),
  ].sort((a, b) => b - a);
  const trail: string[] = [];
  const result: DocumentSection[] = [];
  for (const [index, lines] of pages.entries()) {
    const page = index + 1;
    let body: PdfLine[] = [];
    let titled: PdfLine[] = [];
    const end = () => {
      const text = [...titled.map((line) => line.text), paragraphs(body)].filter((part) => part !== '').join('\n');
      if (text !== '') result.push({ text: `${text}\n`, metadata: { page }, ...(trail.length === 0 ? {} : { heading: trail.join(' > ') }) });
      body = [];
      titled = [];
    };
    for (const line of withoutPageNumber(lines, page)) {
      if (!isHeading(line)) {
        body.push(line);
        continue;
      }
      // A heading over two lines is one.
      const last = titled.at(-1);
      if (body.length === 0 && last !== undefined && Math.round(last.height) === Math.round(line.height)) {
        trail.push(`${trail.pop() ?? ''} ${line.text}`.trim());
      } else {
        if (body.length > 0) end();
        trail.length = Math.min(trail.length, Math.min(sizes.indexOf(Math.round(line.height)), MAX_DEPTH - 1));
        trail.push(line.text);
      }
      titled.push(line);
    }
    end();
  }
  return result;
}

/** The height that most letters have. */
function usualHeight(pages: readonly (readonly PdfLine[])[]): number {
  const letters = new Map<number, number>();
  for (const line of pages.flat()) {
    const height = Math.round(line.height * 2) / 2;
    letters.set(height, (letters.get(height) ?? 0) + line.text.length);
  }
  return [...letters].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 0;
}

function withoutPageNumber(lines: readonly PdfLine[], page: number): readonly PdfLine[] {
  const isNumber = (line: PdfLine | undefined) => line !== undefined && new RegExp(`^\\W*(?:page\\s*)?${page}\\W*$`, 'i').test(line.text);
  if (isNumber(lines.at(-1))) return lines.slice(0, -1);
  return isNumber(lines[0]) ? lines.slice(1) : lines;
}

function paragraphs(lines: readonly PdfLine[]): string {
  let text = '';
  let before: PdfLine | undefined;
  for (const line of lines) {
    const gap = before?.y === undefined || line.y === undefined ? 0 : Math.abs(before.y - line.y);
    if (before === undefined) text = line.text;
    else if (gap > PARAGRAPH_GAP * Math.max(line.height, before.height)) text += `\n\n${line.text}`;
    else if (/\p{L}-$/u.test(text) && /^\p{Ll}/u.test(line.text)) text = text.slice(0, -1) + line.text;
    else text += `${DENSE_END.test(text) && DENSE_START.test(line.text) ? '' : ' '}${line.text}`;
    before = line;
  }
  return text;
}

/** Scripts that write no spaces; Korean does. */
const DENSE_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}。、，]$/u;
const DENSE_START = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
