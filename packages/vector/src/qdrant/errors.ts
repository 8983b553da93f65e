import { MemoryError } from '@tandem-memory/core';

/** What a request was about, for messages. Never holds the key. */
export interface RequestContext {
  readonly url: string;
  readonly collection: string;
  readonly timeoutMs: number;
  /** The caller's own signal, apart from the request's time limit. */
  readonly signal?: AbortSignal | undefined;
}

const DIMENSIONS = /expected dim: (\d+), got (\d+)/;
const DISK_FULL = /no space left|disk (?:is )?full|not enough (?:disk )?space|low disk space/i;
const TLS = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_)/;
const MAX_DETAIL = 200;

/** The one place where errors of the client, of the network and of the server become ours. Errors that are ours already pass through. */
export function translateError(error: unknown, context: RequestContext): unknown {
  if (MemoryError.isInstance(error) || !(error instanceof Error)) return error;
  const options = { cause: error, details: { url: context.url, collection: context.collection } };
  if (context.signal?.aborted === true) return new MemoryError('ABORTED', 'The call to Qdrant was aborted.', options);
  if (isTimeout(error)) {
    return new MemoryError(
      'TIMEOUT',
      `Qdrant at ${context.url} did not answer within ${context.timeoutMs} ms. Check the server, or raise \`timeoutMs\`.`,
      options,
    );
  }
  const status = statusOf(error);
  if (status !== undefined) return translateStatus(status, error, context, options);
  const retryAfter = 'retry_after' in error ? Number(error.retry_after) : undefined;
  if (retryAfter !== undefined) return busy(context, { ...options, ...(Number.isFinite(retryAfter) ? { retryAfterMs: retryAfter * 1000 } : {}) });
  // A proxy or a login page in front of it.
  if (error instanceof SyntaxError) return notQdrant(context.url, error);
  const code = networkCode(error);
  if (code !== undefined && TLS.test(code)) {
    return new MemoryError(
      'CONFIG_INVALID',
      `The certificate of Qdrant at ${context.url} is not trusted (${code}). Check \`url\`, or give Node the authority with NODE_EXTRA_CA_CERTS.`,
      options,
    );
  }
  if (code !== undefined || error.message === 'fetch failed') {
    return new MemoryError(
      'INDEX_UNAVAILABLE',
      `Qdrant at ${context.url} can't be reached${code === undefined ? '' : ` (${code})`}. Start it, or check \`url\` (QDRANT_URL).`,
      options,
    );
  }
  return error;
}

export function notQdrant(url: string, cause?: unknown): MemoryError {
  return new MemoryError('INDEX_UNAVAILABLE', `${url} answered, but not as Qdrant does. Check \`url\` (QDRANT_URL).`, { cause, details: { url } });
}

/** Statuses by which the server says of records that it can't keep them: malformed, or too large for one request. */
const REFUSALS: ReadonlySet<unknown> = new Set([400, 413, 422]);

/** What a write of records was answered with: the records' own fault, so that one of them holds up no other, or the server's. */
export function refusedRecords(error: unknown): unknown {
  if (!MemoryError.isInstance(error) || error.code !== 'STORAGE_FAILED' || !REFUSALS.has(error.details['status'])) return error;
  return new MemoryError('INPUT_INVALID', error.message, { cause: error, details: error.details });
}

/** The connection broke before an answer came. All of our requests may be sent twice. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(networkCode(error) ?? '');
}

function translateStatus(
  status: number,
  error: Error,
  context: RequestContext,
  shared: { readonly cause: Error; readonly details: Readonly<Record<string, string>> },
): MemoryError {
  const options = { ...shared, details: { ...shared.details, status } };
  const said = serverMessage(error);
  if (status === 401 || status === 403) {
    return new MemoryError(
      'CONFIG_INVALID',
      `Qdrant at ${context.url} refuses the key (status ${status}). Set \`apiKey\` (QDRANT_API_KEY) to one that may write ${context.collection}.`,
      options,
    );
  }
  if (status === 404) {
    return new MemoryError(
      'INDEX_UNAVAILABLE',
      `The collection ${context.collection} is gone from Qdrant at ${context.url}. \`tandem reindex\` makes it again from the graph.`,
      options,
    );
  }
  if (status === 429) return busy(context, options);
  if (status === 408) return new MemoryError('TIMEOUT', `Qdrant at ${context.url} gave up on the request. Try again.`, options);
  if (DISK_FULL.test(said))
    return new MemoryError('STORAGE_FAILED', `Qdrant at ${context.url} has no disk space left. Nothing of this write was kept.`, options);
  const dimensions = DIMENSIONS.exec(said);
  if (dimensions !== null) {
    return new MemoryError(
      'DIMENSION_MISMATCH',
      `The collection ${context.collection} takes ${dimensions[1]} dimensions, not ${dimensions[2]}. Run \`tandem reindex\`, or use the model it was made with.`,
      options,
    );
  }
  if (status >= 500) return new MemoryError('INDEX_UNAVAILABLE', `Qdrant at ${context.url} failed (status ${status}): ${said}`, options);
  return new MemoryError(
    'STORAGE_FAILED',
    `Qdrant at ${context.url} refused a request on ${context.collection} (status ${status}): ${said}`,
    options,
  );
}

function busy(context: RequestContext, options: ConstructorParameters<typeof MemoryError>[2]): MemoryError {
  return new MemoryError('INDEX_UNAVAILABLE', `Qdrant at ${context.url} asks to slow down (status 429). Try again later.`, options);
}

function isTimeout(error: Error): boolean {
  return (
    error.name === 'TimeoutError' ||
    error.name === 'QdrantClientTimeoutError' ||
    ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT'].includes(networkCode(error) ?? '')
  );
}

/** By shape and not by class: the client's error for a status is not among its exports. */
function statusOf(error: Error): number | undefined {
  return 'status' in error && typeof error.status === 'number' ? error.status : undefined;
}

/** Node's fetch wraps the error of the socket once or twice. */
function networkCode(error: Error): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 4 && current instanceof Error; depth++) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return undefined;
}

function serverMessage(error: Error): string {
  const data: unknown = 'data' in error ? error.data : undefined;
  const status: unknown = typeof data === 'object' && data !== null && 'status' in data ? data.status : undefined;
  const said: unknown = typeof status === 'object' && status !== null && 'error' in status ? status.error : data;
  return typeof said === 'string' && said !== '' ? said.slice(0, MAX_DETAIL) : 'no reason given';
}
