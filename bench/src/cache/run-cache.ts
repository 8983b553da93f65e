import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMemory, type EmbeddingModel, systemClock } from '@tandem-memory/core';
import { HashEmbeddingModel } from '@tandem-memory/core/testing';
import { EmbeddedGraphStore } from '@tandem-memory/graph';
import { MinilmEmbeddingModel, rulesExtractor, StaticEmbeddingModel, TiktokenCounter } from '@tandem-memory/models';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedKeywordIndex, EmbeddedVectorIndex } from '@tandem-memory/vector';
import { z } from 'zod';
import { readJsonLines } from '../read-json-lines.ts';
import { round } from '../recall.ts';

const FILE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'data', 'question-pairs.jsonl');
const pairSchema = z.strictObject({ first: z.string(), second: z.string(), same: z.boolean(), kind: z.string() });
type Pair = z.output<typeof pairSchema>;

/** A similarity of 0 leaves it all to the guard: what it lets through there, a worse model could let through. */
const SIMILARITIES = [0.95, 0.9, 0] as const;

const MODELS: Readonly<Record<string, () => EmbeddingModel>> = {
  minilm: () => new MinilmEmbeddingModel(),
  fast: () => new StaticEmbeddingModel(),
  hash: () => new HashEmbeddingModel(),
};

interface CacheRow {
  /** Percent of the pairs that ask the same of which the second was answered from the cache. */
  readonly hits: number;
  /** Percent of the pairs that ask something else of which it was: wrong answers. */
  readonly wrong: number;
  /** Wrong ones by the similarity alone, without the guard. */
  readonly 'wrong by vectors alone': number;
}

export interface CacheResult {
  readonly rows: Readonly<Record<string, CacheRow>>;
  /** What was answered wrongly from the cache, by row. */
  readonly wrong: readonly string[];
  readonly pairs: { readonly same: number; readonly different: number };
}

/** The semantic cache asked with pairs of questions, each pair by a user of its own: which are answered from it, and which of them wrongly. */
export async function runCache(names: readonly string[] = Object.keys(MODELS), similarities: readonly number[] = SIMILARITIES): Promise<CacheResult> {
  const pairs = readJsonLines(FILE).map((line) => pairSchema.parse(line));
  const rows: Record<string, CacheRow> = {};
  const wrong: string[] = [];
  for (const name of names) {
    const model = MODELS[name]?.();
    if (model === undefined) throw new Error(`No model ${name}: one of ${Object.keys(MODELS).join(', ')}.`);
    const cosines = await cosinesOf(pairs, model);
    for (const similarity of similarities) {
      const answered = await answeredFromCache(pairs, model, similarity);
      const share = (same: boolean, isOne: (index: number) => boolean) => {
        const own = pairs.flatMap((pair, index) => (pair.same === same ? [index] : []));
        return round((100 * own.filter(isOne).length) / own.length);
      };
      const row = `${name}, similarity ${similarity}`;
      rows[row] = {
        hits: share(true, (index) => answered[index] === true),
        wrong: share(false, (index) => answered[index] === true),
        'wrong by vectors alone': share(false, (index) => (cosines[index] ?? 0) >= similarity),
      };
      for (const [index, { first, second, same }] of pairs.entries())
        if (!same && answered[index] === true) wrong.push(`${row}: ${first} | ${second}`);
    }
    await model.close();
  }
  const same = pairs.filter((pair) => pair.same).length;
  return { rows, wrong, pairs: { same, different: pairs.length - same } };
}

async function answeredFromCache(pairs: readonly Pair[], model: EmbeddingModel, similarity: number): Promise<boolean[]> {
  const database = new SqliteDatabase({ path: ':memory:' });
  const memory = createMemory({
    graph: new EmbeddedGraphStore({ database, clock: systemClock }),
    vectors: new EmbeddedVectorIndex({ database }),
    keywords: new EmbeddedKeywordIndex({ database }),
    embedding: keptOpen(model),
    extractor: rulesExtractor(),
    counter: await TiktokenCounter.load(),
    clock: systemClock,
    resources: [database],
    options: { cache: { similarity } },
  });
  const answered: boolean[] = [];
  for (const [index, { first, second }] of pairs.entries()) {
    const scope = { userId: `asker ${index}` };
    await memory.retrieve(first, scope);
    answered.push((await memory.retrieve(second, scope)).cachedFrom !== undefined);
  }
  await memory.close();
  return answered;
}

async function cosinesOf(pairs: readonly Pair[], model: EmbeddingModel): Promise<number[]> {
  const embed = async (texts: readonly string[]) => {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += model.maxBatchSize)
      vectors.push(...(await model.embed(texts.slice(from, from + model.maxBatchSize), 'query')));
    return vectors;
  };
  const [first, second] = [await embed(pairs.map((pair) => pair.first)), await embed(pairs.map((pair) => pair.second))];
  return first.map((vector, index) => vector.reduce((sum, value, i) => sum + value * (second[index]?.[i] ?? 0), 0));
}

/** One model serves several memories, each of which would close it. */
function keptOpen(model: EmbeddingModel): EmbeddingModel {
  return {
    modelId: model.modelId,
    dimensions: model.dimensions,
    maxBatchSize: model.maxBatchSize,
    keywordWeight: model.keywordWeight,
    embed: (texts, purpose, signal) => model.embed(texts, purpose, signal),
    close: async () => undefined,
  };
}
