import { MemoryError } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { type RequestContext, refusedRecords, translateError } from './errors.ts';

const context: RequestContext = { url: 'https://qdrant.example:6333', collection: 'notes--minilm--0123456789ab--1', timeoutMs: 1500 };

/** As the client throws for a status. */
function answer(status: number, message?: string): Error {
  return Object.assign(new Error('Bad Request'), { status, data: message === undefined ? 'oops' : { status: { error: message }, time: 0 } });
}

/** As Node's fetch throws where no answer came. */
function network(code: string): Error {
  return Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) });
}

describe('translateError', () => {
  it.each([
    ['a wrong key', answer(401, 'Must provide an API key'), 'CONFIG_INVALID', /QDRANT_API_KEY/],
    ['a key without rights', answer(403, 'Forbidden'), 'CONFIG_INVALID', /QDRANT_API_KEY/],
    ['a collection that is gone', answer(404, 'Not found'), 'INDEX_UNAVAILABLE', /tandem reindex/],
    ['a slow server', answer(408, 'Timeout'), 'TIMEOUT', /Try again/],
    ['too many requests', answer(429, 'rate limit'), 'INDEX_UNAVAILABLE', /slow down/],
    ['a vector of another length', answer(400, 'Wrong input: Vector dimension error: expected dim: 384, got 768'), 'DIMENSION_MISMATCH', /384.*768/],
    ['a refused request', answer(400, 'Format error in JSON body'), 'STORAGE_FAILED', /Format error/],
    ['a refused request without a reason', answer(422), 'STORAGE_FAILED', /oops/],
    ['a full disk', answer(500, 'Service internal error: No space left on device'), 'STORAGE_FAILED', /disk space/],
    ['a failing server', answer(503, 'raft'), 'INDEX_UNAVAILABLE', /503/],
    ['a proxy in front', answer(502), 'INDEX_UNAVAILABLE', /502/],
    ['nobody listening', network('ECONNREFUSED'), 'INDEX_UNAVAILABLE', /QDRANT_URL/],
    ['an unknown name', network('ENOTFOUND'), 'INDEX_UNAVAILABLE', /ENOTFOUND/],
    ['a cut connection', network('ECONNRESET'), 'INDEX_UNAVAILABLE', /ECONNRESET/],
    ['a connection that is not made', network('UND_ERR_CONNECT_TIMEOUT'), 'TIMEOUT', /1500 ms/],
    ['our own time limit', new DOMException('The operation was aborted due to timeout', 'TimeoutError'), 'TIMEOUT', /1500 ms/],
    ['a page in place of an answer', new SyntaxError('Unexpected end of JSON input'), 'INDEX_UNAVAILABLE', /not as Qdrant does/],
    ['a certificate nobody vouches for', network('SELF_SIGNED_CERT_IN_CHAIN'), 'CONFIG_INVALID', /NODE_EXTRA_CA_CERTS/],
    ['a certificate for another name', network('ERR_TLS_CERT_ALTNAME_INVALID'), 'CONFIG_INVALID', /certificate/],
  ])('%s', (_, error, code, message) => {
    const translated = translateError(error, context);
    expect(MemoryError.isInstance(translated)).toBe(true);
    expect(translated).toMatchObject({ code, cause: error });
    expect((translated as MemoryError).message).toMatch(message);
  });

  it('takes over how long the server asks to wait', () => {
    const error = Object.assign(new Error('Too Many Requests'), { retry_after: 7 });
    expect(translateError(error, context)).toMatchObject({ code: 'INDEX_UNAVAILABLE', retryable: true, retryAfterMs: 7000 });
  });

  it('calls an abort by the caller one, whatever broke by it', () => {
    expect(translateError(network('ECONNRESET'), { ...context, signal: AbortSignal.abort() })).toMatchObject({ code: 'ABORTED' });
  });

  it('hides no defect: what is neither network nor server stays what it is', () => {
    const defect = new TypeError("Cannot read properties of undefined (reading 'id')");
    expect(translateError(defect, context)).toBe(defect);
    const ours = new MemoryError('CLOSED', 'closed');
    expect(translateError(ours, context)).toBe(ours);
  });
});

describe('refusedRecords', () => {
  it.each([
    ['malformed', answer(400, 'Format error in JSON body'), 'INPUT_INVALID'],
    ['too large', answer(413), 'INPUT_INVALID'],
    ['no fault of theirs', answer(500, 'No space left on device'), 'STORAGE_FAILED'],
    ['on their way to a server that is down', network('ECONNREFUSED'), 'INDEX_UNAVAILABLE'],
  ])('records that are %s', (_, error, code) => {
    expect(refusedRecords(translateError(error, context))).toMatchObject({ code });
  });
});
