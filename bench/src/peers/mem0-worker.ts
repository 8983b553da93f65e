import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The part of the peer's interface that is used. */
interface Peer {
  add(messages: readonly object[], options: object): Promise<unknown>;
  search(
    query: string,
    options: object,
  ): Promise<{ readonly results: readonly { readonly memory: string; readonly metadata?: { readonly turn?: string } }[] }>;
}

export interface PeerRequest {
  readonly id: number;
  readonly call: 'add' | 'search';
  readonly text: string;
  readonly userId: string;
  readonly turn?: string;
  readonly infer?: boolean;
  readonly topK?: number;
}

export interface PeerReply {
  readonly id: number;
  readonly milliseconds: number;
  readonly found: readonly { readonly text: string; readonly turn: string }[];
  readonly error?: string;
}

// Runs in a process of its own, on the Node of the peer's folder: node mem0-worker <folder> <data folder> <base url>
const [folder = '', data = '', baseURL = ''] = process.argv.slice(2);
const { Memory } = createRequire(join(folder, 'package.json'))('mem0ai/oss') as { Memory: new (config: object) => Peer };
const peer = new Memory({
  embedder: { provider: 'openai', config: { apiKey: 'none', baseURL, model: 'minilm', embeddingDims: 384 } },
  llm: { provider: 'openai', config: { apiKey: 'none', baseURL, model: 'stub' } },
  vectorStore: { provider: 'memory', config: { collectionName: 'memories', dimension: 384, dbPath: join(data, 'vectors.db') } },
  historyDbPath: join(data, 'history.db'),
});

process.on('message', (request: PeerRequest) => {
  const started = performance.now();
  answer(request).then(
    (found) => send({ id: request.id, milliseconds: performance.now() - started, found }),
    (error: unknown) => send({ id: request.id, milliseconds: performance.now() - started, found: [], error: String(error) }),
  );
});

async function answer(request: PeerRequest): Promise<PeerReply['found']> {
  const { text, userId } = request;
  if (request.call === 'add') {
    const options = { userId, infer: request.infer === true, metadata: { turn: request.turn ?? '' } };
    await peer.add([{ role: 'user', content: text }], options);
    return [];
  }
  const { results } = await peer.search(text, { filters: { user_id: userId }, topK: request.topK ?? 10 });
  return results.map((result) => ({ text: result.memory, turn: result.metadata?.turn ?? '' }));
}

function send(reply: PeerReply): void {
  process.send?.(reply);
}
