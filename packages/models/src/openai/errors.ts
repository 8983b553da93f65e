import { type Clock, type ErrorCode, MemoryError } from '@tandem-memory/core';
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai/error';
import type { OpenAiConnection } from './config.ts';

interface StatusRule {
  readonly code: ErrorCode;
  readonly remedy: string;
}

const UNAVAILABLE: StatusRule = { code: 'MODEL_UNAVAILABLE', remedy: 'Try again later.' };
const REJECTED: StatusRule = { code: 'MODEL_REJECTED', remedy: 'Check the options `model` and `baseUrl`, and the length of the input.' };
const RULES: Readonly<Record<number, StatusRule>> = {
  401: { code: 'MODEL_REJECTED', remedy: 'Check the option `apiKey`.' },
  402: { code: 'MODEL_REJECTED', remedy: 'The account behind `apiKey` has no credit left.' },
  403: { code: 'MODEL_REJECTED', remedy: 'The key in `apiKey` may not use this model.' },
  404: { code: 'MODEL_REJECTED', remedy: 'Check that `model` is a name the server knows and that `baseUrl` ends in the version, like /v1.' },
  408: UNAVAILABLE,
  409: UNAVAILABLE,
  413: { code: 'MODEL_REJECTED', remedy: 'The input is too long for this model; store it in smaller pieces.' },
  425: UNAVAILABLE,
  429: { code: 'MODEL_RATE_LIMITED', remedy: 'Wait, or lower the option `concurrency`.' },
};
const QUOTA_USED_UP: StatusRule = { code: 'MODEL_REJECTED', remedy: 'The quota of the account behind `apiKey` is used up; waiting does not help.' };
const IDENTIFIER = /^[\w.[\]-]{1,80}$/;
const MAX_CAUSE_LENGTH = 300;

/**
 * The one place where errors of the client become ours. What the server wrote may repeat memory text or part of a key: it never enters the
 * message, and the cause only cut and with the key struck out.
 */
export function translateError(error: unknown, connection: OpenAiConnection, clock: Clock): unknown {
  if (MemoryError.isInstance(error)) return error;
  const where = `The model ${connection.model} at ${host(connection)}`;
  if (error instanceof APIUserAbortError || (error instanceof Error && error.name === 'AbortError'))
    return new MemoryError('ABORTED', 'The call was aborted.');
  if (error instanceof APIConnectionTimeoutError) {
    return new MemoryError('MODEL_UNAVAILABLE', `${where} did not answer in time. Try again, or raise the option \`timeoutMs\`.`);
  }
  if (error instanceof APIConnectionError) {
    return new MemoryError('MODEL_UNAVAILABLE', `${where} can't be reached. Check the option \`baseUrl\`, and that the server runs.`, {
      cause: error.cause,
    });
  }
  if (isBrokenOff(error))
    return new MemoryError('MODEL_UNAVAILABLE', `The reply of the model ${connection.model} broke off. Try again.`, { cause: error });
  // A proxy or a login page answers 200 with HTML.
  if (error instanceof SyntaxError)
    return new MemoryError('MODEL_OUTPUT_UNUSABLE', `${where} answered with something that is not JSON. Check the option \`baseUrl\`.`);
  if (!(error instanceof APIError) || typeof error.status !== 'number') return error;
  const status: number = error.status;
  const rule = isQuota(error) ? QUOTA_USED_UP : (RULES[status] ?? (status >= 500 ? UNAVAILABLE : REJECTED));
  const retryAfterMs = readRetryAfter(error.headers, clock.now());
  const details = {
    status,
    ...label('type', error.type),
    ...label('code', error.code),
    ...label('parameter', error.param),
    ...label('requestId', error.requestID),
  };
  return new MemoryError(rule.code, `${where} answered with status ${status}. ${rule.remedy}`, {
    cause: new Error(redact(error.message, connection)),
    details,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** `Retry-After` in seconds or as an HTTP date, or its finer relative `retry-after-ms`; in milliseconds, never negative. */
export function readRetryAfter(headers: Headers | undefined, now: Date): number | undefined {
  const milliseconds = headers?.get('retry-after-ms')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(milliseconds)) return Math.round(Number(milliseconds));
  const value = headers?.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Math.round(Number(value) * 1000);
  // Date.parse takes almost anything for a date; a real one names its month.
  const at = /[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** The connection ended in the middle of an answer: the client hands on what Node's fetch throws, whose cause is the error of the socket. */
function isBrokenOff(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && /^(?:UND_ERR_|E[A-Z]+$)/.test(String(cause.code));
}

/** Whether the server refused the request for `subject`, a parameter or a feature: by the parameter it names, else by its words. */
export function complainsAbout(error: unknown, subject: RegExp): boolean {
  return error instanceof APIError && [400, 404, 415, 422, 500, 501].includes(Number(error.status)) && subject.test(error.param || error.message);
}

function isQuota(error: APIError): boolean {
  return error.status === 429 && (error.code === 'insufficient_quota' || error.type === 'insufficient_quota');
}

/** Short identifiers of the server's answer help to find the fault; free text stays out. */
function label(name: string, value: unknown): Record<string, string> {
  return typeof value === 'string' && IDENTIFIER.test(value) ? { [name]: value } : {};
}

function redact(message: string, connection: OpenAiConnection): string {
  const secrets = [connection.apiKey, ...Object.values(connection.headers ?? {})].filter(
    (secret) => secret !== undefined && secret.length > 3,
  ) as string[];
  let text = message.replace(/\b(?:sk|pk|key)-[\w*.-]+|\bBearer\s+\S+/gi, '[key]');
  for (const secret of secrets) text = text.replaceAll(secret, '[key]');
  return text.slice(0, MAX_CAUSE_LENGTH);
}

/** Host only: an address may carry a key in its path or query. */
function host(connection: OpenAiConnection): string {
  return connection.baseUrl === undefined ? 'api.openai.com' : (URL.parse(connection.baseUrl)?.host ?? 'the address in `baseUrl`');
}
