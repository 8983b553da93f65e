import type { StoreInput } from '@tandem-memory/core';
import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { openTestMemory, shownMessages } from './open-test-memory.ts';

describe('relations of the caller', () => {
  const MIXED: StoreInput = [
    { role: 'user', content: 'Dana has news.', triples: [['Dana', 'works_at', 'Harbor Cafe']] },
    { role: 'user', content: 'Bo met Marek in Paris.' },
  ];

  it.each(['model', 'rules'])("stay the caller's beside turns that are read by the %s", async (reader) => {
    const { memory, model } = openTestMemory({
      replies: [JSON.stringify({ relations: [{ message: 1, subject: 'Bo', predicate: 'met', object: 'Marek' }] })],
      ...(reader === 'rules' ? { extractor: rulesExtractor() } : {}),
    });
    const receipt = await memory.store(MIXED, { userId: 'u' });
    const given = (await memory.facts({ userId: 'u' })).filter((fact) => fact.predicate === 'works_at');
    expect(given).toMatchObject([{ text: 'Dana works at Harbor Cafe', origin: 'caller', confidence: 1, evidence: [receipt.episodes[0]?.id] }]);
    expect(model.requests.map((request) => shownMessages(request).map((message) => message.text))).toEqual(
      reader === 'rules' ? [] : [['Bo met Marek in Paris.']],
    );
    const { items } = await memory.retrieve('Where does Dana work?', { userId: 'u', kinds: ['fact'] });
    expect(items.map((item) => item.text)).toContain('Dana works at Harbor Cafe');
    if (reader === 'model')
      expect((await memory.facts({ userId: 'u' })).find((fact) => fact.predicate === 'met')).toMatchObject({
        origin: 'model',
        evidence: [receipt.episodes[1]?.id],
      });
  });
});

describe('relations of the caller that say nothing', () => {
  it('are not kept, and the receipt names each', async () => {
    const { memory } = openTestMemory();
    const triples = [
      ['', 'knows', 'Bo'],
      ['Ana', ' ', 'Bo'],
      ['Ana', 'knows', 'ana'],
      ['Ana', 'knows', 'Bo'],
    ] as const;
    const { facts, skipped } = await memory.store({ role: 'user', content: 'Ana knows Bo.', triples }, { userId: 'u' });
    expect(facts).toMatchObject([{ text: 'Ana knows Bo' }]);
    expect(skipped).toEqual([
      { item: 'relation', reason: 'a part of it is empty' },
      { item: 'relation', reason: 'a part of it is empty' },
      { item: 'relation', reason: 'it joins an entity to itself' },
    ]);
  });
});
