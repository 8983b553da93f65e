import type { GenerateRequest } from '@tandem-memory/core';
import { HashEmbeddingModel } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { openTestMemory } from './open-test-memory.ts';

const USER = { userId: 'u' };

/** Facts that the last request showed as known. */
function shown(requests: readonly GenerateRequest[]): string[] {
  const prompt =
    requests
      .at(-1)
      ?.messages.map(({ content }) => content)
      .join('\n') ?? '';
  const block = /^<<(\w+) known>>\n([\s\S]*?)\n<<\1 end>>$/m.exec(prompt)?.[2];
  return (block?.split('\n') ?? []).map((line) => line.replace(/^\d+\.(?: \(since [\d-]+\))? /, ''));
}

/** Answers with one fact for each message, the text of the message itself: nothing that one says shares a word with what another says. */
function echo(request: GenerateRequest): string {
  const prompt = request.messages.map(({ content }) => content).join('\n');
  const messages = [...prompt.matchAll(/^<<(\w+) message=(\d+) .*>>\n([\s\S]*?)\n<<\1 end=\2>>$/gm)];
  return JSON.stringify({ facts: messages.map(([, , message, text]) => ({ message: Number(message), text: `It was said: ${text}` })) });
}

/** No text is near a question by its meaning. */
class FarEmbeddingModel extends HashEmbeddingModel {
  override async embed(texts: readonly string[], kind?: string): Promise<Float32Array[]> {
    const axis = kind === 'query' ? 0 : 1;
    return texts.map(() => Float32Array.from({ length: this.dimensions }, (_, i) => (i === axis ? 1 : 0)));
  }
}

describe('known facts that the model is shown', () => {
  it('are all of a small memory, whatever its words', async () => {
    const { memory, model } = openTestMemory({ replies: [echo], embedding: new FarEmbeddingModel() });
    await memory.store('Lindby is home.', USER);
    await memory.store({ sourceId: 'd', text: 'The ferry has two decks.' }, USER);
    await memory.store('I packed up and settled by the sea.', USER);
    expect(shown(model.requests).sort()).toEqual(['It was said: Lindby is home.', 'It was said: The ferry has two decks.']);
  });

  it('are filled up with the newest that the same person told, never beyond the limit', async () => {
    const { memory, model, clock } = openTestMemory({
      replies: [echo],
      embedding: new FarEmbeddingModel(),
      options: { extraction: { knownFacts: 3 } },
    });
    for (const content of ['First.', 'Second.', 'Third.', 'Fourth.']) {
      await memory.store([{ role: 'user', content }], USER);
      clock.advance(1000);
    }
    for (let i = 0; i < 60; i++) await memory.store({ sourceId: `d${i}`, text: `Passage ${i}.` }, USER);
    await memory.store([{ role: 'user', name: 'Omar', content: 'Mine is a boat.' }], USER);
    await memory.store([{ role: 'user', content: 'And now this.' }], USER);
    expect(shown(model.requests)).toEqual(['It was said: Fourth.', 'It was said: Third.', 'It was said: Second.']);
    await memory.store([{ role: 'user', name: 'Omar', content: 'It sank.' }], USER);
    expect(shown(model.requests)).toEqual(['It was said: Mine is a boat.']);
    await memory.store({ sourceId: 'last', text: 'One more passage.' }, USER);
    expect(shown(model.requests)).toEqual([]);
  });

  it('are none that ended', async () => {
    const { memory, model } = openTestMemory({
      replies: [JSON.stringify({ facts: [{ text: 'Lia lives in Lindby', until: '2024-02-01' }] }), echo],
      embedding: new FarEmbeddingModel(),
    });
    await memory.store('Lindby was home.', USER);
    await memory.store('The sea is near.', USER);
    expect(shown(model.requests)).toEqual([]);
  });
});
