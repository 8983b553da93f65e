import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { MinilmEmbeddingModel } from './minilm-embedding-model.ts';
import { packagedWeights } from './weights.ts';

const opened: MinilmEmbeddingModel[] = [];
function open(folder?: string): MinilmEmbeddingModel {
  const model = new MinilmEmbeddingModel(folder === undefined ? {} : { folder });
  opened.push(model);
  return model;
}
afterEach(async () => {
  for (const model of opened.splice(0)) await model.close();
});

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0) ?? Number.NaN;
}

/** Runs a program with a `model` in a process of its own. Rejects unless the exit status is 0. */
async function run(program: string): Promise<string> {
  const source = new URL('./minilm-embedding-model.ts', import.meta.url).href;
  const whole = `import { MinilmEmbeddingModel } from ${JSON.stringify(source)}; const model = new MinilmEmbeddingModel(); ${program}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@tandem-memory/source', '--input-type=module', '--eval', whole]);
  return stdout;
}

describe('MinilmEmbeddingModel', () => {
  it("agrees with the similarities that the model's own documentation prints", async () => {
    const [weather, sunny, stadium] = await open().embed(
      ['The weather is lovely today.', "It's so sunny outside!", 'He drove to the stadium.'],
      'document',
    );
    expect(Math.abs(dot(weather, sunny) - 0.666)).toBeLessThan(0.05);
    expect(Math.abs(dot(weather, stadium) - 0.1046)).toBeLessThan(0.05);
    expect(Math.abs(dot(sunny, stadium) - 0.1411)).toBeLessThan(0.05);
  });

  it('answers a query before the documents that were asked for earlier', async () => {
    const model = open();
    const order: string[] = [];
    const documents = model
      .embed(
        Array.from({ length: 40 }, (_, index) => `document ${index}`),
        'document',
      )
      .then(() => order.push('documents'));
    const query = model.embed(['query'], 'query').then(() => order.push('query'));
    await Promise.all([documents, query]);
    expect(order).toEqual(['query', 'documents']);
  });

  it('stops a call whose signal fires, and still answers the others', async () => {
    const model = open();
    const controller = new AbortController();
    const stopped = model.embed(
      Array.from({ length: 40 }, (_, index) => `document ${index}`),
      'document',
      controller.signal,
    );
    const kept = model.embed(['kept'], 'document');
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await kept).toHaveLength(1);
  });

  it('rejects what waits when it is closed, and all that comes later', async () => {
    const model = open();
    const waiting = model.embed(['text'], 'document');
    const rejected = expect(waiting).rejects.toMatchObject({ code: 'CLOSED' });
    await model.close();
    await rejected;
    await expect(model.embed(['text'], 'document')).rejects.toMatchObject({ code: 'CLOSED' });
    await model.close();
  });

  it('leaves another model of the same process working when it is closed', async () => {
    const [first, second] = [open(), open()];
    const [[vector], [same]] = await Promise.all([first.embed(['text'], 'query'), second.embed(['text'], 'query')]);
    expect(vector).toEqual(same);
    await first.close();
    expect(await second.embed(['text'], 'query')).toEqual([vector]);
  });

  it('reports a model that the runtime refuses, and tries again at the next call', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-minilm-'));
    try {
      cpSync(packagedWeights('minilm'), folder, { recursive: true });
      const file = join(folder, 'model.onnx');
      const { size } = statSync(file);
      writeFileSync(file, 'not a model');
      truncateSync(file, size);
      const model = open(folder);
      await expect(model.embed(['text'], 'query')).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
      cpSync(join(packagedWeights('minilm'), 'model.onnx'), file);
      expect(await model.embed(['text'], 'query')).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('does not keep a process alive: one that never calls close ends by itself', async () => {
    expect(await run(`console.log((await model.embed(['text'], 'query'))[0].length);`)).toBe('384\n');
  });

  it('lets a process exit and a model close in the middle of a run, where a terminated thread would abort the process', async () => {
    const documents = `model.embed(Array(1000).fill('some words here and there'), 'document')`;
    await run(`await model.embed(['loaded'], 'query'); ${documents}; setTimeout(() => process.exit(0), 5);`);
    const closing = `await model.embed(['loaded'], 'query'); const code = ${documents}.catch((error) => error.code); setTimeout(() => model.close(), 5);`;
    expect(await run(`${closing} console.log(await code);`)).toBe('CLOSED\n');
  });
});
