import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { FAMILIES, type Family } from './families.ts';

const FOLDER = fileURLToPath(new URL('../../data/documents', import.meta.url));

export interface BenchDocument {
  readonly sourceId: string;
  readonly title: string;
  /** Markdown, its title the first heading. */
  readonly text: string;
}

export interface BenchQuestion {
  readonly kind: 'written' | 'families';
  readonly document: string;
  readonly question: string;
  /** Words of the document that answer it; found is what holds them. */
  readonly answer: string;
}

const questionsSchema = z.array(z.strictObject({ document: z.string(), question: z.string(), answer: z.string() }));

/** Texts written for this project, and long documents whose chapters differ in a few facts. Always the same. */
export function documentCorpus(): { readonly documents: readonly BenchDocument[]; readonly questions: readonly BenchQuestion[] } {
  const written = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name): BenchDocument => {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      return { sourceId: name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
    });
  const asked = questionsSchema.parse(JSON.parse(readFileSync(join(FOLDER, 'questions.json'), 'utf8')));
  const families = FAMILIES.map(familyDocuments);
  const documents = [...written, ...families.map((family) => family.document)];
  const questions = [
    ...asked.map((question) => ({ ...question, kind: 'written' as const })),
    ...families.flatMap((family) => family.questions.map((question) => ({ ...question, kind: 'families' as const }))),
  ];
  for (const question of questions) requireAnswer(question, documents);
  return { documents, questions };
}

/** One long document with a chapter for each member of the family. */
function familyDocuments(family: Family) {
  const sourceId = `${family.collection.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.md`;
  const chapters: string[] = [];
  const questions: { document: string; question: string; answer: string }[] = [];
  for (const [index, subject] of family.subjects.entries()) {
    const fill = (text: string) =>
      text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        if (name === 'subject') return subject;
        const values = family.values[name] ?? [];
        // Each value is used once, in another order for each name, so that no two chapters share a fact.
        return values[(index * 5 + Object.keys(family.values).indexOf(name)) % values.length] ?? '';
      });
    const sections = family.sections.map(({ heading, sentences }) => `### ${heading}\n\n${sentences.map(fill).join(' ')}\n`);
    chapters.push(`## ${fill(family.title)}\n\n${sections.join('\n')}`);
    for (const { question, answer } of family.questions) questions.push({ document: sourceId, question: fill(question), answer: fill(answer) });
  }
  const document: BenchDocument = { sourceId, title: family.collection, text: `# ${family.collection}\n\n${chapters.join('\n')}` };
  return { document, questions };
}

function requireAnswer({ document, answer }: BenchQuestion, documents: readonly BenchDocument[]): void {
  if (documents.find(({ sourceId }) => sourceId === document)?.text.includes(answer) === true) return;
  throw new Error(`${document} does not hold ${JSON.stringify(answer)}.`);
}
