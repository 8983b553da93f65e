import { describe, expect, it } from 'vitest';
import { runCache } from './run-cache.ts';

describe('the semantic cache', () => {
  it('gives none of the wrong answers of the table, by the vectors of MiniLM and by those without weights', async () => {
    const { rows, wrong } = await runCache(['minilm', 'hash'], [0.95, 0]);
    expect(wrong).toEqual([]);
    for (const model of ['minilm', 'hash']) {
      expect(rows[`${model}, similarity 0.95`]?.hits).toBeGreaterThan(30);
      expect(rows[`${model}, similarity 0.95`]?.['wrong by vectors alone']).toBeGreaterThan(20);
    }
  });
});
