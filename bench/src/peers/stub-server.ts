import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type EmbeddingModel, MemoryError } from '@tandem-memory/core';
import { MinilmEmbeddingModel, TiktokenCounter } from '@tandem-memory/models';
import { z } from 'zod';
import { SYNTHETIC, syntheticVector } from './synthetic.ts';

const embeddingRequest = z.looseObject({ input: z.union([z.string(), z.array(z.string())]), encoding_format: z.string().optional() });
const chatRequest = z.looseObject({ messages: z.array(z.looseObject({ content: z.unknown() })) });

/**
 * An OpenAI-compatible server for both engines alike: embeddings by MiniLM, kept by text, and a model that answers at once, with the message
 * itself as the one thing to remember, in a reply that holds the form of each engine.
 */
export class StubServer implements AsyncDisposable {
  /** What the model finds worth remembering. */
  echo = '';
  promptTokens = 0;
  chatCalls = 0;
  readonly #server: Server;
  readonly #model: EmbeddingModel = new MinilmEmbeddingModel();
  readonly #vectors = new Map<string, Float32Array>();
  readonly #counter: TiktokenCounter;

  private constructor(counter: TiktokenCounter) {
    this.#counter = counter;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.#answer(request.url ?? '', Buffer.concat(chunks).toString()).then(
          (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
          (error: unknown) =>
            response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: String(error) } })),
        );
      });
    });
  }

  static async start(): Promise<StubServer> {
    const stub = new StubServer(await TiktokenCounter.load('o200k_base'));
    await new Promise<void>((resolve) => stub.#server.listen(0, '127.0.0.1', resolve));
    return stub;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Computes vectors ahead, so that no engine waits for them while it is measured. */
  async warm(texts: readonly string[]): Promise<void> {
    const missing = [...new Set(texts)].filter((text) => !this.#vectors.has(text) && !text.includes(SYNTHETIC));
    for (let start = 0; start < missing.length; start += 64) {
      const batch = missing.slice(start, start + 64);
      for (const [index, vector] of (await this.#model.embed(batch, 'document')).entries()) this.#vectors.set(batch[index] ?? '', vector);
    }
  }

  async #answer(path: string, body: string): Promise<object> {
    const json: unknown = JSON.parse(body);
    if (path.endsWith('/embeddings')) {
      const { input, encoding_format } = embeddingRequest.parse(json);
      const texts = typeof input === 'string' ? [input] : input;
      await this.warm(texts);
      const data = texts.map((text, index) => {
        const vector = text.includes(SYNTHETIC) ? syntheticVector(text) : this.#vectors.get(text);
        if (vector === undefined) throw new MemoryError('INPUT_INVALID', 'A text has no vector.');
        const embedding =
          encoding_format === 'base64' ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64') : [...vector];
        return { object: 'embedding', index, embedding };
      });
      return { object: 'list', model: 'minilm', data, usage: { prompt_tokens: 0, total_tokens: 0 } };
    }
    const { messages } = chatRequest.parse(json);
    this.chatCalls++;
    for (const { content } of messages) this.promptTokens += this.#counter.count(typeof content === 'string' ? content : JSON.stringify(content));
    const reply = {
      memory: [{ id: '0', text: this.echo, attributed_to: 'user' }],
      facts: [{ message: 1, text: this.echo, about: [], since: null, until: null, importance: 0.5 }],
      entities: [],
      relations: [],
    };
    const message = { role: 'assistant', content: JSON.stringify(reply) };
    return { id: 'stub', object: 'chat.completion', model: 'stub', choices: [{ index: 0, message, finish_reason: 'stop' }], usage: {} };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#model.close();
  }
}
