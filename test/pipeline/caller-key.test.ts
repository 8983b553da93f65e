import { MemoryError } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { openTestMemory, reply, shownMessages } from './open-test-memory.ts';

const CALL = { userId: 'u', key: 'order-17' };

describe('a call with a key of its caller', () => {
  it('that is repeated in other words is the same call: nothing is stored or read twice', async () => {
    const { memory, model } = openTestMemory({ replies: [reply(['Ilse grows saffron'])] });
    const first = await memory.store('I grow saffron', CALL);
    const again = await memory.store('I am growing saffron', { ...CALL, at: '2024-01-01' });
    expect(again.episodes).toEqual([{ ...first.episodes[0], created: false }]);
    expect((await memory.episodes({ userId: 'u' })).map(({ content }) => content)).toEqual(['I grow saffron']);
    expect(model.requests).toHaveLength(1);
    await memory.store('I grow plums', { ...CALL, key: 'order-18' });
    expect(await memory.stats('u')).toMatchObject({ episodes: 2 });
  });

  it('whose reading failed is read again as it was saved', async () => {
    const { memory, model } = openTestMemory({ replies: [new MemoryError('MODEL_REJECTED', 'no'), reply(['Ilse grows saffron'])] });
    expect((await memory.store('I grow saffron', CALL)).episodes).toMatchObject([{ state: 'failed' }]);
    expect((await memory.store('I am growing saffron', CALL)).episodes).toMatchObject([{ state: 'extracted', created: false }]);
    expect(model.requests.flatMap(shownMessages).map(({ text }) => text)).toEqual(['I grow saffron', 'I grow saffron']);
    expect(await memory.episodes({ userId: 'u' })).toMatchObject([{ content: 'I grow saffron', state: 'extracted' }]);
  });
});
