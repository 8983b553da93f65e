import { MemoryError } from '@tandem-memory/core';
import { FixedClock } from '@tandem-memory/core/testing';
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai/error';
import { describe, expect, it } from 'vitest';
import { complainsAbout, readRetryAfter, translateError } from './errors.ts';

const clock = new FixedClock('2026-01-01T00:00:00.000Z');
const connection = {
  model: 'm',
  baseUrl: 'https://user:pw@host.test/secret-path/v1?key=hidden',
  apiKey: 'very-secret',
  headers: { 'api-key': 'other-secret' },
};

function failure(status: number, body: object = {}, headers: Record<string, string> = {}): APIError {
  return APIError.generate(status, { error: body }, undefined, new Headers(headers)) as APIError;
}

function translated(error: unknown): MemoryError {
  const result = translateError(error, connection, clock);
  if (!MemoryError.isInstance(result)) throw new Error('not translated');
  return result;
}

describe('translation of errors', () => {
  it.each<[number, string]>([
    [400, 'MODEL_REJECTED'],
    [401, 'MODEL_REJECTED'],
    [402, 'MODEL_REJECTED'],
    [403, 'MODEL_REJECTED'],
    [404, 'MODEL_REJECTED'],
    [408, 'MODEL_UNAVAILABLE'],
    [409, 'MODEL_UNAVAILABLE'],
    [413, 'MODEL_REJECTED'],
    [422, 'MODEL_REJECTED'],
    [429, 'MODEL_RATE_LIMITED'],
    [500, 'MODEL_UNAVAILABLE'],
    [502, 'MODEL_UNAVAILABLE'],
    [503, 'MODEL_UNAVAILABLE'],
    [504, 'MODEL_UNAVAILABLE'],
    [529, 'MODEL_UNAVAILABLE'],
  ])('status %i -> %s', (status, code) => {
    const error = translated(failure(status, { message: 'x' }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(`host.test answered with status ${status}`);
    expect(error.details['status']).toBe(status);
  });

  it('knows failures without a status', () => {
    expect(translated(new APIConnectionError({ message: 'x', cause: new Error('ECONNREFUSED') }))).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(translated(new APIConnectionTimeoutError())).toMatchObject({ code: 'MODEL_UNAVAILABLE', message: expect.stringContaining('timeoutMs') });
    expect(translated(new APIUserAbortError())).toMatchObject({ code: 'ABORTED' });
  });

  it('a used-up quota is not a rate limit: waiting would not help', () => {
    expect(translated(failure(429, { code: 'insufficient_quota' })).code).toBe('MODEL_REJECTED');
  });

  it('leaves errors of this engine and faults of the program alone', () => {
    const own = new MemoryError('TIMEOUT', 'x');
    const fault = new TypeError('x');
    expect(translateError(own, connection, clock)).toBe(own);
    expect(translateError(fault, connection, clock)).toBe(fault);
  });

  it('shows neither secrets nor what the server repeats of the input', () => {
    const error = translated(
      failure(401, {
        message: 'Incorrect API key very-secret (sk-abc123, Bearer xyz, other-secret): I am allergic to nuts',
        code: 'invalid api key!',
        type: 'auth_error',
      }),
    );
    const shown = `${error.message} ${JSON.stringify(error.details)}`;
    expect(shown).not.toMatch(/very-secret|other-secret|sk-abc|xyz|nuts|hidden|secret-path|pw/);
    expect(String((error.cause as Error).message)).not.toMatch(/very-secret|other-secret|sk-abc|xyz/);
    expect(error.details).toEqual({ status: 401, type: 'auth_error' });
  });
});

describe('Retry-After', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '99999' }, 99_999_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }, 3000],
    [{ 'retry-after': 'Thu, 01 Jan 2015 00:00:03 GMT' }, 0],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '9', 'retry-after-ms': '250' }, 250],
    [{}, undefined],
  ])('%j -> %s', (headers, milliseconds) => {
    expect(readRetryAfter(new Headers(headers), clock.now())).toBe(milliseconds);
    expect(translated(failure(429, {}, headers)).retryAfterMs).toBe(milliseconds);
  });
});

describe('complaints', () => {
  it('trusts the parameter that the server names before its words', () => {
    expect(complainsAbout(failure(400, { message: 'unknown temperature' }), /temperature/)).toBe(true);
    expect(complainsAbout(failure(400, { message: 'the temperature', param: 'messages' }), /temperature/)).toBe(false);
    expect(complainsAbout(failure(429, { message: 'temperature' }), /temperature/)).toBe(false);
  });
});
