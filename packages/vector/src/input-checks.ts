import { type IndexRecord, MemoryError } from '@tandem-memory/core';

export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw new MemoryError('ABORTED', 'The call was aborted before it began; nothing was changed.', { cause: signal.reason });
}

/** Neither SQLite nor JSON can hold half of a surrogate pair: it would become U+FFFD, and two users could become one. */
export function checkUser(userId: string): void {
  if (!userId.isWellFormed()) throw malformed('userId');
}

export function checkRecord(record: IndexRecord): void {
  for (const name of ['userId', 'id', 'agentId', 'sessionId', 'sourceId'] as const) {
    if (record[name]?.isWellFormed() === false) throw malformed(name);
  }
  if (Number.isNaN(Date.parse(record.at)))
    throw new MemoryError('INPUT_INVALID', `\`at\` of record ${record.id} is not a moment; write it as ISO 8601.`);
}

/** A limit as a whole number of hits; none for less than one. */
export function wholeLimit(limit: number): number {
  if (Number.isNaN(limit)) throw new MemoryError('INPUT_INVALID', '`limit` is not a number.');
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.floor(limit)));
}

export function cacheSize(bytes: number | undefined, defaultBytes: number): number {
  if (bytes === undefined) return defaultBytes;
  if (!(bytes >= 0)) throw new MemoryError('CONFIG_INVALID', '`cacheBytes` must be a number of bytes, 0 or more.');
  return bytes;
}

function malformed(name: string): MemoryError {
  return new MemoryError('INPUT_INVALID', `\`${name}\` holds half of a surrogate pair; pass well-formed Unicode.`);
}
