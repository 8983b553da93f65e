import type { QdrantClient } from '@qdrant/js-client-rest';
import { isConnectionLost, notQdrant, translateError } from './errors.ts';
import type { QdrantSettings } from './qdrant-options.ts';

export type QdrantApi = ReturnType<QdrantClient['api']>;
type Reply<Result> = Promise<{ readonly data: { readonly result?: Result } }>;

/** Writes wait until they are applied, and a large batch takes its time. */
const WRITE_TIMEOUT_FACTOR = 3;
const CONNECTIONS = 16;

/** Requests to one server, with time limit, one repeat where the connection broke, and our own errors. The client is loaded by the first. */
export class QdrantConnection {
  readonly #settings: QdrantSettings;
  #api: Promise<QdrantApi> | undefined;

  constructor(settings: QdrantSettings) {
    this.#settings = settings;
  }

  async read<Result>(collection: string, send: (api: QdrantApi, init: RequestInit) => Reply<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#request(collection, send, this.#settings.timeoutMs, signal);
  }

  /** Every write is idempotent, so that it may be sent twice. */
  async write<Result>(collection: string, send: (api: QdrantApi, init: RequestInit) => Reply<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#request(collection, send, this.#settings.timeoutMs * WRITE_TIMEOUT_FACTOR, signal);
  }

  async #request<Result>(
    collection: string,
    send: (api: QdrantApi, init: RequestInit) => Reply<Result>,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const { url } = this.#settings;
    const api = await this.#client();
    const attempt = async () => {
      const limit = AbortSignal.timeout(timeoutMs);
      const { data } = await send(api, { signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) });
      if (data.result === undefined) throw notQdrant(url);
      return data.result;
    };
    try {
      // A connection that the server closes just as it is used again looks like a failure, and is none.
      return await attempt().catch((error: unknown) => (isConnectionLost(error) && signal?.aborted !== true ? attempt() : Promise.reject(error)));
    } catch (error) {
      throw translateError(error, { url, collection, timeoutMs, signal });
    }
  }

  #client(): Promise<QdrantApi> {
    this.#api ??= import('@qdrant/js-client-rest').then(({ QdrantClient }) => {
      const { url, apiKey } = this.#settings;
      const { pathname } = new URL(url);
      const prefix = pathname.replace(/\/+$/, '');
      return new QdrantClient({
        url: new URL(url).origin,
        // `URL` drops a port that is the scheme's own; only then is it not 6333 that is meant.
        ...(/:(?:443|80)(?:\/|$)/.test(url) ? { port: null } : {}),
        ...(prefix === '' ? {} : { prefix }),
        // As a header: given as an option, the client writes a warning to the console where the server is reached by plain HTTP.
        ...(apiKey === undefined ? {} : { headers: { 'api-key': apiKey } }),
        // Its own time limit would replace our signal.
        timeout: Number.POSITIVE_INFINITY,
        maxConnections: CONNECTIONS,
        checkCompatibility: false,
      }).api();
    });
    return this.#api;
  }
}
