import { z } from 'zod';
import { readJsonLines } from '../read-json-lines.ts';
import type { PassageQuestion } from './passage-recall.ts';

const identifier = z.union([z.string(), z.number()]).transform(String);
const passageSchema = z.looseObject({
  id: identifier,
  title: z.string().default(''),
  text: z.string(),
  triples: z.array(z.array(z.string())).default([]),
});
const questionSchema = z.looseObject({ question: z.string(), gold: z.array(identifier).min(1) });

export type Passage = z.output<typeof passageSchema>;

/** One JSON object a line: `{id, title, text, triples?}`. */
export function readPassages(file: string): Passage[] {
  return readJsonLines(file).map((line) => passageSchema.parse(line));
}

/** One JSON object a line: `{question, gold: [passage id]}`. */
export function readQuestions(file: string): PassageQuestion[] {
  return readJsonLines(file).map((line) => questionSchema.parse(line));
}
