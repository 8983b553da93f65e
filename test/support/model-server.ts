import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ChatRequest {
  readonly stream?: boolean;
  readonly response_format?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** A chat model on the loopback interface that reads nothing out of texts, summarises as told, and answers by a function, streamed where asked. */
export class ModelServer implements AsyncDisposable {
  /** Requests for an answer, without those for extraction and summaries. */
  readonly questions: ChatRequest[] = [];
  readonly #http: Server;

  private constructor(http: Server) {
    this.#http = http;
  }

  static async start(answer: (request: ChatRequest) => string | number): Promise<ModelServer> {
    const http = createServer(async (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const request = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest;
      const send = (text: string) => {
        outgoing.writeHead(200, { 'content-type': 'application/json' });
        outgoing.end(JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }] }));
      };
      if (request.response_format !== undefined) return send('{"facts":[],"entities":[],"relations":[]}');
      if (request.messages[0]?.content.includes('shorten a conversation') === true) return send('A SUMMARY');
      server.questions.push(request);
      const text = answer(request);
      if (typeof text === 'number') {
        outgoing.writeHead(text, { 'content-type': 'application/json' });
        return outgoing.end('{"error":{"message":"no"}}');
      }
      if (request.stream !== true) return send(text);
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of text.split(/(?<= )/)) {
        outgoing.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] })}\n\n`);
      }
      outgoing.end(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
    });
    const server = new ModelServer(http);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** Variables that make the command use this server. */
  get environment(): Readonly<Record<string, string>> {
    return { TANDEM_MODEL: 'small', TANDEM_MODEL_BASE_URL: `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/v1` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}
