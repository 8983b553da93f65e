import type { GraphStore, KeywordIndex, MemoryOptions, VectorIndex } from '@tandem-memory/core';

/** What a benchmark can take away, to show what it is worth. */
export const ABLATIONS = {
  dense: 'vector search',
  keyword: 'keyword search',
  context: 'the turns before as keys of a turn',
  entities: 'names of entities in the question',
  speaker: 'who speaks: names stay in the question and lift nobody',
  time: 'dates in the question, and words of time in a turn',
  rerank: 'everything but the text match',
  graph: 'the walk through the graph',
} as const;
export type Ablation = keyof typeof ABLATIONS;

/** @throws where a name is none of them */
export function readAblations(names: string | undefined): readonly Ablation[] {
  const wanted = (names ?? '').split(',').filter(Boolean);
  const unknown = wanted.find((name) => !Object.hasOwn(ABLATIONS, name));
  if (unknown !== undefined) throw new Error(`--without knows ${Object.keys(ABLATIONS).join(', ')}; not ${unknown}.`);
  return wanted as Ablation[];
}

interface Drivers {
  readonly graph: GraphStore;
  readonly vectors: VectorIndex;
  readonly keywords: KeywordIndex;
  readonly options: MemoryOptions;
}

/** The drivers, of which some answer nothing. */
export function without(drivers: Drivers, ablations: readonly Ablation[]): Drivers {
  const lacks = (name: Ablation) => ablations.includes(name);
  const { graph, vectors, keywords, options } = drivers;
  return {
    graph: answering(graph, {
      ...(lacks('entities') ? { findEntities: async () => [] } : {}),
      ...(lacks('speaker') ? { speakers: async () => [] } : {}),
    }),
    vectors: answering(vectors, lacks('dense') ? { search: async () => [] } : {}),
    keywords: answering(keywords, lacks('keyword') ? { search: async () => ({ hits: [], ceiling: 0 }) } : {}),
    options: {
      ...options,
      ...(lacks('context') ? { indexing: { ...options.indexing, contextWeights: [] } } : {}),
      reranking: { ...options.reranking, without: (['time', 'rerank'] as const).filter(lacks) },
      ...(lacks('graph') ? { expansion: { ...options.expansion, hops: 0 } } : {}),
    },
  };
}

function answering<Driver extends object>(driver: Driver, instead: Partial<Driver>): Driver {
  if (Object.keys(instead).length === 0) return driver;
  return new Proxy(driver, {
    get(target, name) {
      const value: unknown = Reflect.get(instead, name) ?? Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
