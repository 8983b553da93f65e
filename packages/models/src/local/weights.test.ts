import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MinilmEmbeddingModel } from './minilm-embedding-model.ts';
import { StaticEmbeddingModel } from './static-embedding-model.ts';
import { packagedWeights, readManifest } from './weights.ts';

describe.each(['minilm', 'static'] as const)('the packaged weights of %s', (name) => {
  it('have the checksums of their manifest', () => {
    const folder = packagedWeights(name);
    const { files } = readManifest(folder);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      expect(
        createHash('sha256')
          .update(readFileSync(join(folder, file.name)))
          .digest('hex'),
        file.name,
      ).toBe(file.sha256);
    }
  });
});

describe('a damaged folder of weights', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tandem-weights-'));
    cpSync(packagedWeights('static'), folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is refused when a file is absent, naming file and folder', () => {
    rmSync(join(folder, 'vectors.bin'));
    expect(() => new StaticEmbeddingModel({ folder })).toThrow(
      expect.objectContaining({ code: 'MODEL_FILES_MISSING', message: expect.stringContaining(folder), details: { folder, file: 'vectors.bin' } }),
    );
  });

  it('is refused when a file is incomplete', () => {
    truncateSync(join(folder, 'vectors.bin'), 130);
    expect(() => new StaticEmbeddingModel({ folder })).toThrow(expect.objectContaining({ code: 'MODEL_FILES_MISSING' }));
  });

  it('is refused when there is no manifest', () => {
    expect(() => new MinilmEmbeddingModel({ folder: join(folder, 'absent') })).toThrow(expect.objectContaining({ code: 'MODEL_FILES_MISSING' }));
  });
});
