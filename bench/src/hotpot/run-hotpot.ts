import type { Memory } from 'tandem-memory';
import type { Passage } from '../passages/read-passages.ts';
import { type PassagesOptions, type PassagesResult, runPassages } from '../passages/run-passages.ts';

/** HotpotQA and sets of its shape: titled documents, the graph from the keyless extractor. */
export async function runHotpot(options: PassagesOptions): Promise<PassagesResult> {
  return runPassages(options, 'rules', storeDocuments);
}

/** Each passage as a document with its title, a call each. */
export async function storeDocuments(memory: Memory, passages: readonly Passage[], userId: string): Promise<string[][]> {
  const ids: string[][] = [];
  for (const { id, title, text } of passages) {
    const receipt = await memory.store({ text, title, sourceId: id }, { userId, waitForIndex: false });
    ids.push(receipt.episodes.map((episode) => episode.id));
  }
  await memory.flush();
  return ids;
}
