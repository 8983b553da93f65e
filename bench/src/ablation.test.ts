import { describe, expect, it } from 'vitest';
import { readAblations } from './ablation.ts';
import { openBenchMemory } from './bench-memory.ts';

const ask = async (without: readonly string[], question: string) => {
  await using memory = await openBenchMemory({ embedding: 'fast', without: readAblations(without.join(',')) });
  await memory.store({ role: 'user', name: 'Ana', content: 'The kiln in Lindby is hot.' }, { userId: 'u' });
  const { items } = await memory.retrieve(question, { userId: 'u' });
  return items.flatMap((item) => item.channels.map(({ channel }) => channel));
};

describe('ablations', () => {
  it('take one channel away and leave the others', async () => {
    expect(await ask([], 'Is the kiln in Lindby hot?')).toEqual(expect.arrayContaining(['vector', 'keyword', 'entity', 'graph']));
    expect(await ask(['dense'], 'Is the kiln in Lindby hot?')).not.toContain('vector');
    expect(await ask(['keyword'], 'Is the kiln in Lindby hot?')).not.toContain('keyword');
    expect(await ask(['entities'], 'Is the kiln in Lindby hot?')).not.toContain('entity');
    expect(await ask(['graph'], 'Is the kiln in Lindby hot?')).not.toContain('graph');
  });

  it('are refused by a name that is none', () => {
    expect(() => readAblations('dense,luck')).toThrow(/luck/);
    expect(readAblations(undefined)).toEqual([]);
  });
});
