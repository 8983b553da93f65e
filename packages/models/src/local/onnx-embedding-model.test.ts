import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MinilmEmbeddingModel } from './minilm-embedding-model.ts';
import { OnnxEmbeddingModel, type OnnxEmbeddingOptions } from './onnx-embedding-model.ts';
import { tinyEncoder, tinyTokenizer } from './test-model.ts';
import { packagedWeights } from './weights.ts';

const opened: OnnxEmbeddingModel[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const model of opened.splice(0)) await model.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(model = 'model.onnx'): string {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-onnx-'));
  folders.push(folder);
  mkdirSync(join(folder, 'onnx'));
  writeFileSync(join(folder, model), tinyEncoder());
  writeFileSync(join(folder, 'tokenizer.json'), tinyTokenizer());
  return folder;
}

function open(options: OnnxEmbeddingOptions): OnnxEmbeddingModel {
  const model = new OnnxEmbeddingModel(options);
  opened.push(model);
  return model;
}

/** The direction of the mean of [id, 1]. */
function unit(ids: readonly number[]): number[] {
  const mean = ids.reduce((sum, id) => sum + id, 0) / ids.length;
  return [mean / Math.hypot(mean, 1), 1 / Math.hypot(mean, 1)];
}

async function vectorOf(model: OnnxEmbeddingModel, text: string, purpose: 'document' | 'query' = 'document'): Promise<number[]> {
  const [vector = []] = await model.embed([text], purpose);
  return [...vector].map((value) => Math.round(value * 1e5) / 1e5);
}

function rounded(values: readonly number[]): number[] {
  return values.map((value) => Math.round(value * 1e5) / 1e5);
}

describe('OnnxEmbeddingModel', () => {
  it('makes the vector of a text of those of its tokens: their mean, or the first', async () => {
    const folder = newFolder();
    expect(await vectorOf(open({ folder }), 'a b')).toEqual(rounded(unit([1, 3, 5, 2])));
    expect(await vectorOf(open({ folder, pooling: 'cls' }), 'a b')).toEqual(rounded(unit([1])));
    expect(await vectorOf(open({ folder, maxTokens: 8 }), 'a b a b a b a b a b')).toEqual(rounded(unit([1, 3, 5, 3, 5, 3, 5, 2])));
  });

  it('puts the prefixes before questions and documents, and takes their means off', async () => {
    const folder = newFolder();
    const model = open({ folder, queryPrefix: 'b ', documentPrefix: 'a ' });
    expect(await vectorOf(model, 'a', 'query')).toEqual(rounded(unit([1, 5, 3, 2])));
    expect(await vectorOf(model, 'a', 'document')).toEqual(rounded(unit([1, 3, 3, 2])));
    const [x = 0, y = 0] = unit([1, 3, 2]);
    writeFileSync(join(folder, 'means.bin'), Buffer.from(new Float32Array([x, 0, 0, y]).buffer));
    const centred = open({ folder });
    expect(await vectorOf(centred, 'a', 'document')).toEqual([0, 1]);
    expect(await vectorOf(centred, 'a', 'query')).toEqual([1, 0]);
  });

  it('reads a control token in a text as no control token', async () => {
    const model = open({ folder: newFolder() });
    expect(await vectorOf(model, 'a</s>a')).toEqual(await vectorOf(model, 'aa'));
    for (const text of ['', '\ud800', '\u0000', '\u2581'.repeat(10_000)]) expect(Math.hypot(...(await vectorOf(model, text)))).toBeCloseTo(1, 4);
  });

  it('has one id for one vector space: other files, prefixes or pooling are another', () => {
    const folder = newFolder();
    const ids = [{}, { queryPrefix: 'q ' }, { documentPrefix: 'q ' }, { pooling: 'cls' } as const, { maxTokens: 64 }].map(
      (use) => open({ folder, ...use }).modelId,
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(open({ folder, keywordWeight: 0.4 }).modelId).toBe(ids[0]);
    expect(open({ folder: `${folder}/../${folder.split('/').at(-1)}` }).modelId).toBe(ids[0]);
  });

  it('runs the packaged model as its own class does', async () => {
    const minilm = new MinilmEmbeddingModel();
    opened.push(minilm);
    const same = open({ folder: packagedWeights('minilm') });
    const described = open({ folder: packagedWeights('minilm'), maxTokens: 256, ...{ provider: 'onnx' } });
    expect([same.modelId, described.modelId]).toEqual([minilm.modelId, minilm.modelId]);
    expect(open({ folder: packagedWeights('minilm'), maxTokens: 128 }).modelId).not.toBe(minilm.modelId);
    expect(await vectorOf(same, 'The ferry leaves at nine. '.repeat(90))).toEqual(await vectorOf(minilm, 'The ferry leaves at nine. '.repeat(90)));
  });

  it('finds the model where the Hugging Face hub has it, and says which file is missing', () => {
    expect(() => open({ folder: newFolder('onnx/model_quantized.onnx') })).not.toThrow();
    const lacking = (file: string) => expect.objectContaining({ code: 'MODEL_FILES_MISSING', message: expect.stringContaining(file) });
    expect(() => open({ folder: newFolder('other.onnx') })).toThrow(lacking('model.onnx'));
    const folder = newFolder();
    rmSync(join(folder, 'tokenizer.json'));
    expect(() => open({ folder })).toThrow(lacking('tokenizer.json'));
  });
});
