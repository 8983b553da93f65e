import { describe, expect, it } from 'vitest';
import { MemoryError } from '../errors.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import { FixedClock } from '../testing/fixed-clock.ts';
import { newEpisode } from '../testing/new-episode.ts';
import { ScriptedLanguageModel, type ScriptedReply } from '../testing/scripted-language-model.ts';
import { type ModelExtractorOptions, modelExtractor } from './model-extractor.ts';

const GOOD = '{"facts":["Omar keeps bees","Omar sells honey at the Tarn market"],"entities":[],"relations":[]}';
const CUT = { text: '{"facts":["Omar keeps bees","Omar sells hon', finishReason: 'length' as const, inputTokens: 100, outputTokens: 20 };

async function run(replies: readonly ScriptedReply[], options: Partial<ModelExtractorOptions> = {}, episodes = [newEpisode('I keep bees.')]) {
  const model = new ScriptedLanguageModel(replies);
  const clock = new FixedClock();
  const outcome = await modelExtractor(model, { clock, ...options })
    .extract({ episodes, preceding: [] })
    .then(
      (extraction) => ({ extraction, error: undefined }),
      (error: unknown) => ({ extraction: undefined, error }),
    );
  return { ...outcome, model, clock };
}

function unavailable(code: 'MODEL_RATE_LIMITED' | 'MODEL_UNAVAILABLE' | 'MODEL_REJECTED', retryAfterMs?: number): MemoryError {
  return new MemoryError(code, 'No.', retryAfterMs === undefined ? {} : { retryAfterMs });
}

describe('model extractor', () => {
  it.each<[string, ScriptedReply]>([
    ['cut', CUT],
    ['empty', ''],
    ['blank', ' \n\t'],
    ['prose', 'Nothing here.'],
    ['foreign', '{"answer":1}'],
  ])('asks again after a reply that is %s', async (_, bad) => {
    const { extraction, model } = await run([bad, GOOD]);
    expect(extraction?.facts.map((fact) => fact.text)).toEqual(['Omar keeps bees', 'Omar sells honey at the Tarn market']);
    expect(extraction?.usage.calls).toBe(2);
    expect(model.requests[1]?.messages[1]?.content).toMatch(/Your last answer was unusable: /);
    expect(model.requests[1]?.messages[1]?.content).not.toContain('sells hon');
  });

  it('gives "I" and "me" to whoever spoke', async () => {
    const said = (message: number, name: string) => ({
      facts: [{ message, text: 'There is a bee.', about: [name] }],
      entities: [{ message, name, type: 'person' }],
      relations: [{ message, subject: name, predicate: 'keeps', object: 'bees' }],
    });
    const episodes = [newEpisode('I keep bees.'), { ...newEpisode('I keep none.'), role: 'assistant' as const }];
    for (const [message, name, speaker] of [
      [1, 'I', 'User'],
      [1, 'me', 'User'],
      [1, 'User', 'User'],
      [2, 'I', 'Assistant'],
    ] as const) {
      const { extraction } = await run([JSON.stringify(said(message, name))], {}, episodes);
      expect(extraction).toMatchObject({
        facts: [{ about: [speaker] }],
        entities: [{ name: speaker, type: 'person' }, { name: 'bees' }],
        relations: [{ subject: speaker }],
      });
    }
  });

  it.each([
    ['the object itself', { text: { facts: ['Ana likes tea'] } }, 1],
    ['counts that are texts', { text: '{"facts":["Ana likes tea"]}', inputTokens: '12', outputTokens: null }, 1],
    ['no usage', { text: '{"facts":["Ana likes tea"]}' }, 1],
    ['nothing', undefined, 0],
    ['no text', {}, 0],
  ])('takes a model that answers with %s', async (title, answer, count) => {
    const model: LanguageModel = { modelId: 'odd', generate: async () => answer as never };
    const extraction = modelExtractor(model, { clock: new FixedClock() }).extract({ episodes: [newEpisode('I like tea.')], preceding: [] });
    if (count === 0) await expect(extraction).rejects.toMatchObject({ code: 'MODEL_OUTPUT_UNUSABLE' });
    else
      expect(await extraction).toMatchObject({
        facts: [{ text: 'Ana likes tea' }],
        usage: { calls: 1, inputTokens: title.includes('texts') ? 12 : 0, outputTokens: 0 },
      });
  });

  it('gives up after the bound, names attempts and reason, and never stores half a sentence', async () => {
    const { error, model } = await run([CUT]);
    expect(model.requests).toHaveLength(3);
    expect(error).toMatchObject({ code: 'MODEL_OUTPUT_UNUSABLE', details: { attempts: 3, calls: 3, inputTokens: 300, outputTokens: 60 } });
    expect((error as Error).message).toMatch(/3 attempts: the reply was cut off/);
    expect((error as Error).message).not.toContain('Omar');
  });

  it('raises the output limit after a cut reply, and only then', async () => {
    const { model } = await run(['', CUT, GOOD], { maxOutputTokens: 1000 });
    expect(model.requests.map((request) => request.maxOutputTokens)).toEqual([1000, 1000, 2000]);
  });

  it('nothing to remember is one call and no retry', async () => {
    const { extraction, model } = await run([{ text: '{"facts":[],"entities":[],"relations":[]}', inputTokens: 7, outputTokens: 3 }]);
    expect(model.requests).toHaveLength(1);
    expect(extraction).toEqual({
      origin: 'model',
      facts: [],
      entities: [],
      relations: [],
      skipped: [],
      usage: { calls: 1, inputTokens: 7, outputTokens: 3 },
    });
  });

  it('asks with a schema', async () => {
    const { model } = await run([GOOD]);
    expect(model.requests[0]?.schema).toMatchObject({ name: 'extraction', definition: { required: ['facts', 'entities', 'relations'] } });
  });

  it('never shows system and tool messages, keeps the numbering of the caller, and says so', async () => {
    const episodes = [
      newEpisode('likes jazz', { role: 'system' }),
      newEpisode('I am allergic to nuts.'),
      newEpisode('42', { role: 'tool' }),
      newEpisode('I grew up near Nice.', { role: 'assistant' }),
    ];
    const reply =
      '{"facts":[{"text":"User is allergic to nuts","message":1},{"text":"The assistant grew up near Nice","message":2}],"relations":[{"message":2,"subject":"assistant","predicate":"grew up near","object":"Nice"}]}';
    const { extraction, model } = await run([reply], {}, episodes);
    expect(model.requests[0]?.messages[1]?.content).not.toMatch(/jazz|42\n/);
    expect(extraction?.facts.map((fact) => fact.episode)).toEqual([1, 3]);
    expect(extraction?.relations[0]?.episode).toBe(3);
    expect(extraction?.entities.map((entity) => entity.episode)).toEqual([3, 3]);
    expect(extraction?.skipped).toEqual([
      { item: 'message', reason: 'system messages are not read' },
      { item: 'message', reason: 'tool messages are not read' },
    ]);
  });

  it('makes no call where nothing is to be read', async () => {
    const { extraction, model } = await run([GOOD], {}, [newEpisode('x', { role: 'system' })]);
    expect(model.requests).toHaveLength(0);
    expect(extraction?.skipped).toHaveLength(1);
  });
});

describe('model extractor under failing calls', () => {
  it('waits as long as the server asks, doubles where it does not say, then goes on', async () => {
    const { extraction, clock } = await run([
      unavailable('MODEL_RATE_LIMITED', 2000),
      unavailable('MODEL_RATE_LIMITED'),
      unavailable('MODEL_UNAVAILABLE'),
      GOOD,
    ]);
    expect(clock.sleeps).toEqual([2000, 2000, 4000]);
    expect(extraction?.facts).toHaveLength(2);
  });

  it('bounds tries and waiting, and the error still says what it was', async () => {
    const { error, model, clock } = await run([unavailable('MODEL_RATE_LIMITED', 99_999_000)]);
    expect(model.requests).toHaveLength(5);
    expect(Math.max(...clock.sleeps)).toBe(30_000);
    expect(error).toMatchObject({ code: 'MODEL_RATE_LIMITED', retryAfterMs: 99_999_000, details: { tries: 5, waitedMs: 120_000 } });
  });

  it('bounds the waits of all attempts together', async () => {
    const { error, clock } = await run([unavailable('MODEL_RATE_LIMITED', 20_000), '', unavailable('MODEL_RATE_LIMITED', 20_000)], {
      maxTotalWaitMs: 50_000,
    });
    expect(error).toMatchObject({ code: 'MODEL_RATE_LIMITED' });
    expect(clock.sleeps).toEqual([20_000, 20_000]);
  });

  it('a rejected request is tried once', async () => {
    const { error, model, clock } = await run([unavailable('MODEL_REJECTED')]);
    expect(model.requests).toHaveLength(1);
    expect(clock.sleeps).toEqual([]);
    expect(error).toMatchObject({ code: 'MODEL_REJECTED', message: 'No.' });
  });

  it('a fault of the program passes through as it is', async () => {
    const fault = new TypeError('x is not a function');
    expect((await run([fault])).error).toBe(fault);
  });
});
