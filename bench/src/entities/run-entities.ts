import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EmbeddingModel, ENTITY_TYPES, MATCH_STEPS, type MatchStep, matchNames } from '@tandem-memory/core';
import { MinilmEmbeddingModel } from '@tandem-memory/models';
import { z } from 'zod';
import { readJsonLines } from '../read-json-lines.ts';
import { round } from '../recall.ts';

const FILE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'data', 'entity-pairs.jsonl');
const pairSchema = z.strictObject({
  first: z.string(),
  firstType: z.enum(ENTITY_TYPES),
  second: z.string(),
  secondType: z.enum(ENTITY_TYPES),
  same: z.boolean(),
  kind: z.string(),
});
type Pair = z.output<typeof pairSchema>;

export interface EntityOptions {
  /** Also asks the embedding model about pairs that the rules leave apart. */
  readonly embedding: boolean;
  readonly data?: string;
}

const THRESHOLDS = [0.8, 0.85, 0.9, 0.95] as const;

/** Precision and recall of entity resolution on labelled pairs of names, step by step: each row is the steps up to and with its own. */
export async function runEntities(options: EntityOptions): Promise<object> {
  const pairs = readJsonLines(options.data ?? FILE).map((line) => pairSchema.parse(line));
  const found = pairs.map((pair) => matchNames({ name: pair.first, type: pair.firstType }, { name: pair.second, type: pair.secondType }));
  const steps: Record<string, Record<string, number>> = {};
  for (const step of ['normal form', 'spelling', 'transliteration', 'slip of the pen', 'acronym', 'first name'] as const) {
    steps[step] = score(
      pairs,
      found.map((match) => match !== undefined && MATCH_STEPS.indexOf(match) <= MATCH_STEPS.indexOf(step)),
      found.filter((match) => match === step).length,
    );
  }
  const kinds = Object.fromEntries(
    [
      ...Map.groupBy(
        pairs.map((pair, index) => ({ pair, match: found[index] })),
        ({ pair }) => pair.kind,
      ),
    ].map(([kind, rows]) => [
      kind,
      {
        pairs: rows.length,
        right: rows.filter(({ pair, match }) => (match !== undefined) === pair.same).length,
        wrongly_joined: rows.filter(({ pair, match }) => match !== undefined && !pair.same).length,
        missed: rows.filter(({ pair, match }) => match === undefined && pair.same).length,
      },
    ]),
  );
  const embedding = options.embedding ? await withEmbedding(pairs, found) : undefined;
  const wrong = pairs
    .filter((pair, index) => found[index] !== undefined && !pair.same)
    .map((pair) => `${pair.first} (${pair.firstType}) / ${pair.second} (${pair.secondType})`);
  return {
    steps,
    ...(embedding === undefined ? {} : { embedding }),
    kinds,
    pairs: pairs.length,
    same: pairs.filter((pair) => pair.same).length,
    wrongly_joined: wrong,
  };
}

async function withEmbedding(pairs: readonly Pair[], found: readonly (MatchStep | undefined)[]): Promise<Record<string, Record<string, number>>> {
  const model: EmbeddingModel = new MinilmEmbeddingModel();
  const [first, second] = [
    await model.embed(
      pairs.map((pair) => pair.first),
      'document',
    ),
    await model.embed(
      pairs.map((pair) => pair.second),
      'document',
    ),
  ];
  await model.close();
  const digits = (name: string) => name.match(/\d+/g)?.join(' ') ?? '';
  const rows = THRESHOLDS.map((threshold): [string, Record<string, number>] => {
    const joined = pairs.map(
      (pair, index) =>
        found[index] !== undefined ||
        (pair.firstType === pair.secondType && digits(pair.first) === digits(pair.second) && cosine(first[index], second[index]) >= threshold),
    );
    return [`cosine ${threshold}`, score(pairs, joined, joined.filter((join, index) => join && found[index] === undefined).length)];
  });
  return Object.fromEntries(rows);
}

function score(pairs: readonly Pair[], joined: readonly boolean[], byThisStep: number): Record<string, number> {
  const right = pairs.filter((pair, index) => joined[index] === true && pair.same).length;
  const all = joined.filter(Boolean).length;
  const same = pairs.filter((pair) => pair.same).length;
  return { joined_by_it: byThisStep, precision: round((100 * right) / Math.max(1, all)), recall: round((100 * right) / same) };
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  let sum = 0;
  for (let i = 0; i < (a?.length ?? 0); i++) sum += (a?.[i] ?? 0) * (b?.[i] ?? 0);
  return sum;
}
