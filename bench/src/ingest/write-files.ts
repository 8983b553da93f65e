import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAMILIES } from '../documents/families.ts';
import { Random } from '../latency/random.ts';
import { buildVocabulary } from '../latency/vocabulary.ts';
import { makeDocx } from './make-docx.ts';
import { makePdf } from './make-pdf.ts';

const GIVEN = 'Ana Bram Chloe Dario Esra Finn Greta Hugo Ines Jonas Keiko Liam Mira Nils Olga Pavel Quinn Rosa Sami Tove'.split(' ');
const FAMILY = 'Adler Brandt Castell Dunne Eriksen Falk Grieve Holm Ivens Jarre Kessler Lund Moreau Novak Oakes Prior'.split(' ');
const PLACES = 'Oslo Bergen Porto Lyon Graz Turin Ghent Tampere Leeds Galway Malmo Krakow'.split(' ');
const DONE = 'visited,repaired,bought,moved to,wrote about,met the people of,works for,left'.split(',');

/** Of 100 files, how many are of a kind: what a folder of notes and papers is like. */
const MIX: readonly (readonly [kind: Kind, share: number])[] = [
  ['md', 30],
  ['txt', 20],
  ['html', 14],
  ['csv', 8],
  ['pdf', 8],
  ['docx', 6],
  ['ts', 7],
  ['jsonl', 7],
];
type Kind = 'md' | 'txt' | 'html' | 'csv' | 'pdf' | 'docx' | 'ts' | 'jsonl';

/**
 * Writes so many files of mixed formats, together about so many bytes of text, always the same. Sentences are those of the families of documents
 * and made-up ones about a few hundred people and places; sizes differ as files do, the largest thirty times the median.
 */
export function writeFiles(folder: string, count: number, bytes: number): void {
  const random = new Random(7);
  const vocabulary = buildVocabulary();
  const sentences = FAMILIES.flatMap((family) => family.sections.flatMap((section) => section.sentences)).map((text) =>
    text.replaceAll(/\{\w+\}/g, () => String(random.below(1000))),
  );
  const weights = Array.from({ length: count }, () => Math.exp(2.2 * (random.next() + random.next() + random.next() - 1.5)));
  const unit = bytes / weights.reduce((sum, weight) => sum + weight, 0);
  const sentence = (): string => {
    const kind = random.below(10);
    if (kind < 4) return random.pick(sentences);
    const name = `${random.pick(GIVEN)} ${random.pick(FAMILY)}`;
    const thing = vocabulary.general[random.zipf(vocabulary.general.length)] ?? 'thing';
    if (kind < 7) return `${name} ${random.pick(DONE)} ${random.pick(PLACES)} in ${1990 + random.below(35)}, and the ${thing} was ready by noon.`;
    const words = Array.from({ length: 8 + random.below(10) }, () => vocabulary.general[random.zipf(vocabulary.general.length)]).join(' ');
    return `The ${words} near ${random.pick(PLACES)}.`;
  };
  const paragraph = () => Array.from({ length: 3 + random.below(5) }, sentence).join(' ');
  const upTo = (size: number, make: () => string): string[] => {
    const parts: string[] = [];
    for (let length = 0; length < size; length += parts.at(-1)?.length ?? 1) parts.push(make());
    return parts;
  };
  for (let index = 0; index < count; index++) {
    const kind = kindOf(random.below(100));
    const name = join(folder, `part-${String(index % 10)}`, `${String(index).padStart(4, '0')}.${kind}`);
    mkdirSync(join(folder, `part-${String(index % 10)}`), { recursive: true });
    writeFileSync(name, contentOf(kind, Math.max(200, (weights[index] ?? 1) * unit), { random, upTo, paragraph, sentence }));
  }
}

function kindOf(place: number): Kind {
  let left = place;
  for (const [kind, share] of MIX) {
    if (left < share) return kind;
    left -= share;
  }
  return 'txt';
}

interface Writer {
  readonly random: Random;
  readonly upTo: (size: number, make: () => string) => string[];
  readonly paragraph: () => string;
  readonly sentence: () => string;
}

function contentOf(kind: Kind, size: number, { random, upTo, paragraph, sentence }: Writer): string | Uint8Array {
  const heading = () => sentence().split(' ').slice(0, 4).join(' ');
  switch (kind) {
    case 'md':
      return `# ${heading()}\n\n${upTo(size, () => `## ${heading()}\n\n${paragraph()}\n\n${paragraph()}\n`).join('\n')}`;
    case 'txt':
      return upTo(size, paragraph).join('\n\n');
    case 'html':
      return `<!doctype html><html><head><title>${heading()}</title></head><body>${upTo(size, () => `<h2>${heading()}</h2><p>${paragraph()}</p>`).join('\n')}</body></html>`;
    case 'csv':
      return `name,city,year,note\n${upTo(size, () => `${random.pick(GIVEN)} ${random.pick(FAMILY)},${random.pick(PLACES)},${1990 + random.below(35)},"${sentence()}"`).join('\n')}\n`;
    case 'pdf':
      return makePdf(
        pagesOf(upTo(size, paragraph)).map((lines, page) => [{ text: `${page + 1}. ${heading()}`, size: 16 }, ...lines.map((text) => ({ text }))]),
      );
    case 'docx':
      return makeDocx([
        { heading: heading(), level: 1 },
        ...upTo(size, paragraph).flatMap((text, index) => (index % 3 === 0 ? [{ heading: heading(), level: 2 }, { text }] : [{ text }])),
      ]);
    case 'ts':
      return upTo(
        size,
        () =>
          `/** ${sentence()} */\nexport function step${random.below(100_000)}(value: number): number {\n  // ${sentence()}\n  return value + ${random.below(100)};\n}\n`,
      ).join('\n');
    case 'jsonl':
      return upTo(size, () =>
        JSON.stringify({ role: random.below(2) === 0 ? 'user' : 'assistant', content: sentence(), at: `2024-0${1 + random.below(9)}-11T10:00:00Z` }),
      ).join('\n');
  }
}

/** Lines of 90 letters, 50 on a page. */
function pagesOf(paragraphs: readonly string[]): string[][] {
  const lines = paragraphs.flatMap((text) => (text.match(/.{1,90}(?:\s|$)/g) ?? [text]).map((line) => line.trim()));
  return Array.from({ length: Math.ceil(lines.length / 50) }, (_, page) => lines.slice(page * 50, page * 50 + 50));
}
