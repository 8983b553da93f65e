import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A line to a server that a test can spoil. `pass`: as if it were not there. `refuse`: nobody listens. `hang`: connections are taken and
 * never answered. `cut`: a connection breaks when something is sent. `slow`: every piece arrives late. `half`: of what is sent a part arrives,
 * then the connection breaks. `mute`: what is sent arrives, and the answer never comes.
 */
export type LineState = 'pass' | 'refuse' | 'hang' | 'cut' | 'slow' | 'half' | 'mute';

const SLOW_MS = 25;
/** Of a connection in the state `half`: more than a greeting and a login, less than a commit. */
const HALF_BYTES = 1_500;

export class TcpProxy implements AsyncDisposable {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #state: LineState = 'pass';
  port = 0;

  constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
  }

  static async to(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new TcpProxy({ host: hostname, port: Number(port) });
    await proxy.#listen();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Connections that are open break, so that the next request meets the new state. */
  async become(state: LineState): Promise<void> {
    this.#state = state;
    this.#breakAll();
    if (state === 'refuse') await this.#close();
    else await this.#listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#breakAll();
    await this.#close();
  }

  #breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #listen(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer((client) => this.#connect(client));
    this.#server = server;
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address === 'object' && address !== null) this.port = address.port;
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    server.close();
    await once(server, 'close');
  }

  #connect(client: Socket): void {
    this.#track(client);
    if (this.#state === 'hang') return void client.resume();
    if (this.#state === 'cut') return void client.once('data', () => client.resetAndDestroy());
    const server = connect(this.#target);
    this.#track(server);
    const state = this.#state;
    if (state === 'mute') server.resume();
    else if (state === 'slow') deliverLate(server, client);
    else server.pipe(client);
    if (state === 'slow') deliverLate(client, server);
    else if (state === 'half') deliverPart(client, server);
    else client.pipe(server);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

function deliverLate(from: Socket, to: Socket): void {
  from.on('data', (piece: Buffer) => setTimeout(() => to.destroyed || to.write(piece), SLOW_MS));
}

function deliverPart(from: Socket, to: Socket): void {
  let left = HALF_BYTES;
  from.on('data', (piece: Buffer) => {
    if (piece.length < left) {
      left -= piece.length;
      to.write(piece);
    } else to.write(piece.subarray(0, left), () => from.resetAndDestroy());
  });
}
