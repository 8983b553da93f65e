import { storeDocuments } from '../hotpot/run-hotpot.ts';
import { measureCorpus, type PassagesResult, type RunOptions } from '../passages/run-passages.ts';
import { titleGraph } from './title-graph.ts';

/** A generated graph of titles: what following them is worth where the second half shares no word with the question. */
export async function runTitles({ works, ...options }: RunOptions & { readonly works: number }): Promise<PassagesResult> {
  const { passages, questions } = titleGraph(works);
  return measureCorpus(passages, questions, options, 'rules', storeDocuments);
}
