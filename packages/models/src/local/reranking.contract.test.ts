import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rerankingModelConformance } from '@tandem-memory/core/conformance';
import { ScriptedLanguageModel } from '@tandem-memory/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languageModelReranker } from '../index.ts';
import { CrossEncoder } from './cross-encoder.ts';
import { tinyCrossEncoder } from './test-model.ts';
import { packagedWeights } from './weights.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-cross-encoder-'));
  writeFileSync(join(folder, 'model.onnx'), tinyCrossEncoder());
  copyFileSync(join(packagedWeights('minilm'), 'tokenizer.json'), join(folder, 'tokenizer.json'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('CrossEncoder', () => {
  rerankingModelConformance(
    { describe, it },
    { create: async () => new CrossEncoder({ folder }), destroy: async (model) => (model as CrossEncoder).close() },
  );

  it('reads question and text together, the text as the second of the two', async () => {
    const model = new CrossEncoder({ folder });
    const [none = 0, one = 0, two = 0] = await model.score('where?', ['', 'harbour', 'harbour harbour']);
    // [SEP] alone is 102; each further word adds its id.
    expect(none).toBe(102);
    expect(one).toBeGreaterThan(102);
    expect(two - one).toBe(one - none);
    expect(await model.score('another question?', ['harbour'])).toEqual([one]);
    await model.close();
    await expect(model.score('where?', ['a'])).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('says what is missing, and what is no model', async () => {
    expect(() => new CrossEncoder({ folder: join(folder, 'nowhere') })).toThrow(expect.objectContaining({ code: 'MODEL_FILES_MISSING' }));
    const broken = mkdtempSync(join(tmpdir(), 'tandem-cross-encoder-'));
    writeFileSync(join(broken, 'model.onnx'), 'no model');
    copyFileSync(join(folder, 'tokenizer.json'), join(broken, 'tokenizer.json'));
    const model = new CrossEncoder({ folder: broken });
    await expect(model.score('where?', ['a'])).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    await model.close();
    rmSync(broken, { recursive: true });
  });
});

describe('languageModelReranker', () => {
  rerankingModelConformance(
    { describe, it },
    {
      create: async () =>
        languageModelReranker(
          new ScriptedLanguageModel([
            ({ messages }) => {
              const count = Number(/^Lines that begin.* Passages: (\d+)\.$/m.exec(messages.at(-1)?.content ?? '')?.[1]);
              return JSON.stringify({ scores: Array.from({ length: count }, (_, index) => index % 10) });
            },
          ]),
        ),
      destroy: async () => {},
    },
  );
});
