import type { Memory } from 'tandem-memory';
import type { Passage } from '../passages/read-passages.ts';
import { type PassagesOptions, type PassagesResult, runPassages } from '../passages/run-passages.ts';

/** MuSiQue with given triples: what a knowledge graph adds where reading is not the question. */
export async function runMusique(options: PassagesOptions): Promise<PassagesResult> {
  return runPassages(options, 'triples of the data set, given by the caller', storeWithTriples);
}

async function storeWithTriples(memory: Memory, passages: readonly Passage[], userId: string): Promise<string[][]> {
  const ids: string[][] = [];
  // A call each: passages are no talk, and what stands before one in the file is no context of it.
  for (const { id, title, text, triples } of passages) {
    const receipt = await memory.store(
      {
        role: 'user',
        id,
        content: text,
        metadata: { title },
        triples: triples.flatMap(([subject = '', predicate = '', object = '', ...more]) =>
          more.length > 0 || subject.trim() === '' || predicate.trim() === '' || object.trim() === '' ? [] : [[subject, predicate, object] as const],
        ),
      },
      { userId, waitForIndex: false },
    );
    ids.push(receipt.episodes.map((episode) => episode.id));
  }
  await memory.flush();
  return ids;
}
