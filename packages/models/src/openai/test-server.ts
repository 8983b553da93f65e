import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent as it is. In place of an answer, `hang` never gives one and `cut` breaks off in the middle. */
  readonly body: unknown;
}

/** A real HTTP server on the loopback interface that answers from a script, in order; the last answer repeats. For tests only. */
export class TestServer implements AsyncDisposable {
  readonly requests: ReceivedRequest[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(answer: (request: ReceivedRequest, index: number) => Answer | 'hang' | 'cut'): Promise<TestServer> {
    const http = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const request = {
          path: incoming.url ?? '',
          headers: incoming.headers,
          body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
        };
        const reply = answer(request, server.requests.push(request) - 1);
        if (reply === 'hang') return;
        if (reply === 'cut') {
          outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
          outgoing.write('{"choices":[', () => outgoing.destroy());
          return;
        }
        const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
        outgoing.writeHead(reply.status ?? 200, {
          'content-type': typeof reply.body === 'string' ? 'text/html' : 'application/json',
          ...reply.headers,
        });
        outgoing.end(text);
      });
    });
    const server = new TestServer(http);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
