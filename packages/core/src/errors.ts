/** Who has to act on an error. Bad input and configuration end a command with status 2, all else with 1. */
export type ErrorKind = 'input' | 'config' | 'unavailable' | 'model' | 'storage' | 'state';

interface ErrorRule {
  readonly kind: ErrorKind;
  /** Whether the same call can succeed later without any change by the caller. */
  readonly retryable: boolean;
}

/** Every stable error code. `docs/errors.md` has a heading for each (a test compares the two). */
export const ERROR_RULES = {
  INPUT_INVALID: { kind: 'input', retryable: false },
  INPUT_EMPTY: { kind: 'input', retryable: false },
  SCOPE_REQUIRED: { kind: 'input', retryable: false },
  BUDGET_TOO_SMALL: { kind: 'input', retryable: false },
  FILE_NOT_FOUND: { kind: 'input', retryable: false },
  FILE_UNSUPPORTED: { kind: 'input', retryable: false },
  NOT_FOUND: { kind: 'input', retryable: false },
  CONSENT_REQUIRED: { kind: 'input', retryable: false },
  CONFIG_INVALID: { kind: 'config', retryable: false },
  DIMENSION_MISMATCH: { kind: 'config', retryable: false },
  EMBEDDING_MODEL_MISMATCH: { kind: 'config', retryable: false },
  DATABASE_TOO_NEW: { kind: 'config', retryable: false },
  NOT_A_DATABASE: { kind: 'config', retryable: false },
  MODEL_FILES_MISSING: { kind: 'config', retryable: false },
  GRAPH_UNAVAILABLE: { kind: 'unavailable', retryable: true },
  INDEX_UNAVAILABLE: { kind: 'unavailable', retryable: true },
  MODEL_UNAVAILABLE: { kind: 'unavailable', retryable: true },
  MODEL_RATE_LIMITED: { kind: 'unavailable', retryable: true },
  TIMEOUT: { kind: 'unavailable', retryable: true },
  MODEL_REJECTED: { kind: 'model', retryable: false },
  MODEL_OUTPUT_UNUSABLE: { kind: 'model', retryable: true },
  STORAGE_BUSY: { kind: 'storage', retryable: true },
  STORAGE_FAILED: { kind: 'storage', retryable: false },
  CORRUPT_RECORD: { kind: 'storage', retryable: false },
  FILE_UNREADABLE: { kind: 'storage', retryable: false },
  INDEX_DRIFT: { kind: 'storage', retryable: false },
  UNSUPPORTED: { kind: 'state', retryable: false },
  FORGOTTEN: { kind: 'state', retryable: false },
  CLOSED: { kind: 'state', retryable: false },
  ABORTED: { kind: 'state', retryable: false },
} as const satisfies Record<string, ErrorRule>;

export type ErrorCode = keyof typeof ERROR_RULES;

export interface MemoryErrorOptions {
  readonly cause?: unknown;
  /** Facts for a program (sizes, option names, ids). Never secrets, never memory text. */
  readonly details?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** For rate limits: how long the other side asked us to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

// Registered globally, so that two installed copies of the package still know each other's errors.
const MARKER = Symbol.for('tandem-memory.error');

/** The one error class of the engine. Tell errors apart by `code`; show `message` to people: it names the option and the remedy. */
export class MemoryError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: MemoryErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'MemoryError';
    this.code = code;
    this.kind = ERROR_RULES[code].kind;
    this.retryable = ERROR_RULES[code].retryable;
    this.details = options.details ?? {};
    this.retryAfterMs = options.retryAfterMs;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** True for errors of this engine, also those thrown by another installed copy of it. */
  static isInstance(error: unknown): error is MemoryError {
    return typeof error === 'object' && error !== null && MARKER in error;
  }
}

/** Whether one can go on without what failed: a server that may be back, or a model that refuses. Wrong input, wrong configuration and defects are neither. */
export function isBearable(error: unknown): error is MemoryError {
  return MemoryError.isInstance(error) && (error.retryable || error.kind === 'model');
}

/** A model that refuses, gives nothing usable or can't be reached: what was to be read stays, and is read another time. */
export function isModelFailure(error: unknown): error is MemoryError {
  return MemoryError.isInstance(error) && (error.kind === 'model' || error.kind === 'unavailable');
}

/** A number that is not to be had while a server is down; other errors are no reason to go without. */
export async function unlessDown(count: Promise<number>): Promise<number | undefined> {
  try {
    return await count;
  } catch (error) {
    if (MemoryError.isInstance(error) && error.retryable) return undefined;
    throw error;
  }
}
