import assert from 'node:assert/strict';
import type { KeywordIndex } from '../ports/keyword-index.ts';
import { assertRejects, type IndexDriverFactory, recordIndexConformance, sampleRecord, withDriver } from './record-index.ts';
import type { TestRunner } from './runner.ts';

/** The contract of `KeywordIndex`. */
export function keywordIndexConformance(runner: TestRunner, factory: IndexDriverFactory<KeywordIndex>): void {
  const query = (words: string, limit = 10, userId = 'ada') => ({ userId, terms: terms(words), filter: {}, limit });
  const { describe, it } = runner;
  const test = (name: string, work: (index: KeywordIndex) => Promise<void>) => it(name, () => withDriver(factory, work));
  const found = async (index: KeywordIndex, words: string, limit = 10, userId = 'ada') =>
    (await index.search(query(words, limit, userId))).hits.map((hit) => hit.id);

  describe('keyword index contract', () => {
    recordIndexConformance(
      runner,
      factory,
      async (index, userId, filter = {}, limit = 10) => (await index.search({ ...query('common', limit, userId), filter })).hits,
    );

    test('only records with a term of the query are hits', async (index) => {
      await index.upsert([text('a', 'red fox'), text('b', 'blue whale'), text('none', '')]);
      assert.deepEqual(await found(index, 'fox'), ['a']);
      assert.deepEqual(await found(index, 'fox whale').then((ids) => ids.sort()), ['a', 'b']);
      assert.deepEqual(await found(index, 'unicorn'), []);
      assert.deepEqual(await found(index, ''), []);
      assert.equal(await index.count('ada'), 3);
      assert.deepEqual(await index.ids('ada', 10), ['a', 'b', 'none']);
    });

    test('a rare term weighs more, a repeated one more, a long text less', async (index) => {
      await index.upsert([text('rare', 'gem one'), text('often', 'stone one'), text('other', 'stone two'), text('third', 'stone six')]);
      assert.equal((await found(index, 'gem stone'))[0], 'rare');
      await index.upsert([
        text('short', 'lake'),
        text('long', 'lake with many more words around it'),
        text('twice', 'pond pond'),
        text('once', 'pond hill'),
      ]);
      assert.deepEqual(await found(index, 'lake'), ['short', 'long']);
      assert.deepEqual(await found(index, 'pond'), ['twice', 'once']);
    });

    test("weights count as frequencies, fractions included, and so do the query's", async (index) => {
      await index.upsert([
        sampleRecord({
          id: 'half',
          terms: [
            { term: 'x', weight: 0.5 },
            { term: 'y', weight: 1.5 },
          ],
        }),
        sampleRecord({
          id: 'whole',
          terms: [
            { term: 'x', weight: 1 },
            { term: 'y', weight: 1 },
          ],
        }),
      ]);
      assert.deepEqual(await found(index, 'x'), ['whole', 'half']);
      assert.deepEqual(await found(index, 'y'), ['half', 'whole']);
      const ask = (x: number) =>
        index.search({
          userId: 'ada',
          terms: [
            { term: 'x', weight: x },
            { term: 'y', weight: 1 },
          ],
          filter: {},
          limit: 10,
        });
      assert.equal((await ask(5)).hits[0]?.id, 'whole');
      assert.equal((await ask(0.1)).hits[0]?.id, 'half');
    });

    test('no score exceeds the ceiling, which an unknown term raises', async (index) => {
      await index.upsert([text('a', 'red fox'), text('b', 'red whale'), text('c', 'fox fox fox fox fox fox fox fox')]);
      for (const words of ['fox', 'red', 'red fox', 'red fox whale unicorn']) {
        const { hits, ceiling } = await index.search(query(words));
        for (const hit of hits) assert.ok(hit.score > 0 && hit.score <= ceiling, `${words}: ${hit.score} of ${ceiling}`);
      }
      const known = await index.search(query('fox'));
      const halfKnown = await index.search(query('fox unicorn'));
      assert.deepEqual(halfKnown.hits, known.hits);
      assert.ok(halfKnown.ceiling > known.ceiling);
      assert.equal((await index.search(query('fox', 0))).ceiling, known.ceiling);
    });

    test("another user's records never move a score", async (index) => {
      await index.upsert([text('a', 'red fox'), text('b', 'red whale')]);
      const before = await index.search(query('red fox'));
      await index.upsert(Array.from({ length: 50 }, (_, i) => ({ ...text(`r${i}`, 'fox fox fox den'), userId: 'bob' })));
      assert.deepEqual(await index.search(query('red fox')), before);
    });

    test('a replaced or deleted record leaves no terms behind', async (index) => {
      await index.upsert([text('a', 'red fox'), text('b', 'red whale')]);
      const before = await index.search(query('red whale fox'));
      await index.upsert([text('a', 'green newt'), text('c', 'fox newt')]);
      assert.deepEqual(await found(index, 'fox'), ['c']);
      assert.deepEqual((await found(index, 'newt')).sort(), ['a', 'c']);
      await index.delete('ada', ['c']);
      await index.upsert([text('a', 'red fox')]);
      assert.deepEqual(await index.search(query('red whale fox')), before);
    });

    test('terms of any script, and odd ones', async (index) => {
      const odd = ['한국', '中文', '🦊', '<|endoftext|>', "o'; --", '__proto__', 'a\u0000b', 'x'.repeat(200)];
      await index.upsert(odd.map((term, i) => sampleRecord({ id: `r${i}`, terms: [{ term, weight: 1 }] })));
      for (const [i, term] of odd.entries()) {
        const { hits } = await index.search({ userId: 'ada', terms: [{ term, weight: 1 }], filter: {}, limit: 10 });
        assert.deepEqual(
          hits.map((hit) => hit.id),
          [`r${i}`],
          term,
        );
      }
    });

    test('an aborted search says so', async (index) => {
      await assertRejects(() => index.search(query('fox'), AbortSignal.abort()), 'ABORTED');
    });
  });
}

function terms(words: string): { readonly term: string; readonly weight: number }[] {
  const weights = new Map<string, number>();
  for (const word of words.split(' ')) if (word !== '') weights.set(word, (weights.get(word) ?? 0) + 1);
  return [...weights].map(([term, weight]) => ({ term, weight }));
}

function text(id: string, words: string) {
  return sampleRecord({ id, terms: terms(words) });
}
