import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINILM_KEYWORD_WEIGHT, TiktokenCounter } from '@tandem-memory/models';
import { type Memory, openMemory } from 'tandem-memory';
import { readLocomo } from '../locomo/read-locomo.ts';
import { round } from '../recall.ts';
import { installPeer } from './peer-install.ts';
import { PeerProcess } from './peer-process.ts';
import { StubServer } from './stub-server.ts';
import { syntheticText } from './synthetic.ts';

export interface PeersOptions {
  /** LoCoMo; without it speed only. */
  readonly data?: string;
  readonly conversations: number;
  readonly every: number;
  readonly sizes: readonly number[];
  /** Where the peer is installed, and found again. */
  readonly folder?: string;
  readonly onProgress: (line: string) => void;
}

interface Pair {
  readonly tandem: Memory;
  readonly mem0: PeerProcess;
  readonly stub: StubServer;
}

const BUDGET = 1000;
const SEARCHES = 30;
const ADDS = 20;

/**
 * mem0ai/oss beside us, in one run and call by call in turns: the same turns, the same embeddings and the same instant model, through the
 * same local OpenAI-compatible server. Times are those of a whole call, the way to that server included.
 */
export async function runPeers(options: PeersOptions): Promise<Readonly<Record<string, unknown>>> {
  const folder = options.folder ?? join(tmpdir(), 'tandem-peers');
  const node = installPeer(folder, options.onProgress);
  const scratch = mkdtempSync(join(tmpdir(), 'tandem-peers-data-'));
  try {
    await using stub = await StubServer.start();
    const open = async <T>(name: string, work: (pair: Pair) => Promise<T>): Promise<T> => {
      const data = join(scratch, name);
      mkdirSync(data);
      await using mem0 = new PeerProcess({ node, folder, data, baseUrl: stub.baseUrl });
      await using tandem = await openMemory({
        path: join(data, 'tandem.db'),
        embedding: { provider: 'openai', model: 'minilm', baseUrl: stub.baseUrl, apiKey: 'none', keywordWeight: MINILM_KEYWORD_WEIGHT },
        model: { provider: 'openai', model: 'stub', baseUrl: stub.baseUrl, apiKey: 'none' },
      });
      return await work({ tandem, mem0, stub });
    };
    const { data } = options;
    const recall = data === undefined ? {} : await open('locomo', (pair) => measureRecall(pair, { ...options, data }));
    const speed: Record<string, Record<string, number>> = {};
    for (const size of options.sizes) {
      options.onProgress(`speed at ${size} memories`);
      Object.assign(speed, await open(`speed-${size}`, (pair) => measureSpeed(pair, size)));
    }
    return {
      recall,
      speed,
      settings: { mem0: '3.3.1', embedding: 'all-MiniLM-L6-v2, both', extraction: 'recall: none; add: echo of the message', budget: BUDGET },
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function measureRecall({ tandem, mem0, stub }: Pair, options: PeersOptions & { readonly data: string }) {
  const counter = await TiktokenCounter.load('o200k_base');
  const sums = { mem0: { '@10': 0, tokens1000: 0 }, tandem: { '@10': 0, tokens1000: 0 } };
  let questions = 0;
  for (const conversation of readLocomo(options.data).slice(0, options.conversations)) {
    const userId = conversation.id;
    const asked = conversation.questions
      .filter(({ category, evidence }) => category <= 4 && evidence.length > 0)
      .filter((_, index) => index % options.every === 0);
    options.onProgress(`recall on ${userId}: ${conversation.turns.length} turns, ${asked.length} questions`);
    const turns = conversation.turns.filter((turn) => turn.text !== '');
    await stub.warm(turns.flatMap((turn) => [turn.text, `${turn.speaker}: ${turn.text}`]));
    const turnOf = new Map<string, string>();
    for (const [session, own] of Map.groupBy(turns, (turn) => turn.session)) {
      const messages = own.map((turn) => ({ role: 'user' as const, name: turn.speaker, content: turn.text, at: turn.at, id: turn.id }));
      const { episodes } = await tandem.store(messages, { userId, sessionId: String(session), infer: false });
      for (const [index, episode] of episodes.entries()) turnOf.set(episode.id, own[index]?.id ?? '');
      for (const turn of own) await mem0.call({ call: 'add', text: `${turn.speaker}: ${turn.text}`, userId, turn: turn.id });
    }
    for (const { question, evidence } of asked) {
      const share = (found: readonly string[]) => evidence.filter((id) => found.includes(id)).length / evidence.length;
      const ranked = await tandem.retrieve(question, { userId, topK: 10, budget: Number.POSITIVE_INFINITY });
      const packed = await tandem.retrieve(question, { userId, topK: 1000, budget: BUDGET });
      const turnsOf = (items: typeof ranked.items) => items.flatMap((item) => item.evidence.map((id) => turnOf.get(id) ?? ''));
      sums.tandem['@10'] += share(turnsOf(ranked.items));
      sums.tandem.tokens1000 += share(turnsOf(packed.items));
      const { found } = await mem0.call({ call: 'search', text: question, userId, topK: 60 });
      sums.mem0['@10'] += share(found.slice(0, 10).map((item) => item.turn));
      sums.mem0.tokens1000 += share(fitting(found, counter).map((item) => item.turn));
      questions++;
    }
  }
  const mean = (row: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(row).map(([name, sum]) => [name, round((100 * sum) / questions)]));
  return { mem0: mean(sums.mem0), tandem: mean(sums.tandem), questions: { count: questions } };
}

/** The peer has no packing: its memories as lines, in its order, each that still fits. No wrapper and no date is counted against it. */
function fitting<T extends { readonly text: string }>(found: readonly T[], counter: TiktokenCounter): T[] {
  let used = 0;
  return found.filter(({ text }) => {
    const tokens = counter.count(`${text}\n`);
    if (used + tokens > BUDGET) return false;
    used += tokens;
    return true;
  });
}

async function measureSpeed({ tandem, mem0, stub }: Pair, size: number): Promise<Record<string, Record<string, number>>> {
  // 30 % of the memories are those of one user, who is asked; the others have equal parts.
  const userOf = (index: number) => (index % 10 < 3 ? 'u0' : `u${1 + (index % 99)}`);
  const texts = Array.from({ length: size }, (_, index) => syntheticText(index));
  for (const [userId, own] of Map.groupBy(texts.keys(), userOf)) {
    for (let start = 0; start < own.length; start += 500) {
      const messages = own.slice(start, start + 500).map((index) => ({ role: 'user' as const, content: texts[index] ?? '' }));
      await tandem.store(messages, { userId, infer: false });
    }
  }
  for (const [index, text] of texts.entries()) await mem0.call({ call: 'add', text, userId: userOf(index) });

  const times = { search: { mem0: [] as number[], tandem: [] as number[] }, add: { mem0: [] as number[], tandem: [] as number[] } };
  const tokens = { mem0: 0, tandem: 0 };
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  for (let turn = 0; turn < SEARCHES; turn++) {
    const text = syntheticText(size + 10 * turn);
    times.search.tandem.push(await timed(() => tandem.retrieve(text, { userId: 'u0', topK: 10 })));
    times.search.mem0.push((await mem0.call({ call: 'search', text, userId: 'u0', topK: 10 })).milliseconds);
  }
  for (let turn = 0; turn < ADDS; turn++) {
    const text = syntheticText(2 * size + turn);
    stub.echo = text;
    let before = stub.promptTokens;
    times.add.tandem.push(await timed(() => tandem.store([{ role: 'user', content: text }], { userId: 'u0' })));
    tokens.tandem += stub.promptTokens - before;
    before = stub.promptTokens;
    times.add.mem0.push((await mem0.call({ call: 'add', text, userId: 'u0', infer: true })).milliseconds);
    tokens.mem0 += stub.promptTokens - before;
  }
  const row = (name: 'mem0' | 'tandem') => ({
    'search p50 ms': round(median(times.search[name])),
    'add p50 ms': round(median(times.add[name])),
    'prompt tokens an add': Math.round(tokens[name] / ADDS),
  });
  return { [`${size}, mem0`]: row('mem0'), [`${size}, tandem`]: row('tandem') };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
