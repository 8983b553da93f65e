import { z } from 'zod';
import { type Chunk, type ChunkOptions, chunkText } from '../documents/chunk.ts';
import { cleanText, isVisible } from '../domain/clean-text.ts';
import { describeIssues } from '../domain/describe-issues.ts';
import type { NewEpisode } from '../domain/episode.ts';
import type { ExtractedRelation, SkippedItem } from '../domain/extraction.ts';
import { deriveId } from '../domain/id.ts';
import { type JsonValue, type Metadata, metadataSchema } from '../domain/json.ts';
import { ROLES } from '../domain/message.ts';
import type { Scope } from '../domain/scope.ts';
import type { DocumentInput, MessageInput, StoreInput, StoreOptions } from '../domain/store-input.ts';
import { parseTime, type Timestamp, type ZonedTime } from '../domain/time.ts';
import { MemoryError } from '../errors.ts';
import type { TokenCounter } from '../ports/token-counter.ts';

const MAX_ID_LENGTH = 4096;
const MAX_CONTENT_LENGTH = 8 * 1024 * 1024;
/** Levels of objects and lists in one another. */
const MAX_DEPTH = 100;

/** An id of the caller: any text that can be seen. */
export const scopeId = z
  .string()
  .refine((id) => isVisible(id) && id.length <= MAX_ID_LENGTH, `must be 1 to ${MAX_ID_LENGTH} characters, not only spaces`)
  .refine((id) => id.isWellFormed(), 'holds half of a surrogate pair');
const cleaned = z.string().transform(cleanText);
/** A moment as the caller may give it; `parseTime` reads it. */
export const timeInput = z.union([z.string(), z.date()], 'Give ISO 8601 or a Date; Unix seconds as new Date(seconds * 1000)');
export const signalInput = z.custom<AbortSignal>(
  (value) => value instanceof AbortSignal,
  'must be an AbortSignal, such as AbortSignal.timeout(5000)',
);
const day = z.string().refine((date) => parseTime(date) !== undefined, 'is not a date; give ISO 8601, for example 2024-03-01');
const fields = { agentId: scopeId.optional(), sessionId: scopeId.optional() };
/** NaN, which is neither before nor after, where there is none. */
const momentOf = (date: string | undefined) => Date.parse(parseTime(date ?? '')?.at ?? '');
const triple = z
  .strictObject({
    subject: cleaned,
    predicate: cleaned,
    object: cleaned,
    subjectType: cleaned.optional(),
    objectType: cleaned.optional(),
    validAt: day.optional(),
    invalidAt: day.optional(),
    confidence: z.number().min(0).max(1).optional(),
    properties: metadataSchema.optional(),
  })
  .refine(({ validAt, invalidAt }) => !(momentOf(invalidAt) < momentOf(validAt)), {
    path: ['invalidAt'],
    message: 'is before validAt; give the day on which it began, and a later one on which it ended',
  });
const messageSchema = z.strictObject({
  role: z.enum(ROLES),
  content: cleaned,
  name: z.string().max(MAX_ID_LENGTH).transform(cleanText).optional(),
  at: timeInput.optional(),
  id: scopeId.optional(),
  metadata: metadataSchema.optional(),
  triples: z
    .array(z.union([triple, z.tuple([cleaned, cleaned, cleaned])], 'Give [subject, predicate, object], or an object with these three'))
    .optional(),
});
const documentSchema = z.strictObject({
  text: z.union(
    [cleaned, z.array(z.strictObject({ text: cleaned, heading: cleaned.optional(), metadata: metadataSchema.optional() }))],
    'Give a text, or a list of { text, heading, metadata }',
  ),
  sourceId: scopeId,
  title: cleaned.optional(),
  at: timeInput.optional(),
  metadata: metadataSchema.optional(),
});
const storeOptionsSchema = z.strictObject({
  userId: z.string(),
  ...fields,
  key: scopeId.optional(),
  at: timeInput.optional(),
  metadata: metadataSchema.optional(),
  infer: z.boolean().optional(),
  sourceId: scopeId.optional(),
  expiresAt: timeInput.optional(),
  purpose: z.string().min(1).max(200).optional(),
  waitForIndex: z.boolean().optional(),
  signal: signalInput.optional(),
  onProgress: z.custom<NonNullable<StoreOptions['onProgress']>>((value) => typeof value === 'function', 'must be a function').optional(),
});

/** An episode on its way in, with the relations its caller supplied (then no extractor reads it). */
export interface IncomingEpisode {
  readonly episode: NewEpisode;
  readonly relations: readonly ExtractedRelation[] | undefined;
}

export interface ReadInput {
  readonly scope: Scope;
  readonly incoming: readonly IncomingEpisode[];
  readonly skipped: readonly SkippedItem[];
  /** Set where the input is a document, which replaces what was stored of it before. */
  readonly document?: { readonly sourceId: string };
  readonly expiresAt?: Timestamp;
}

/** A user id is the wall between memories: an empty one must never mean "everybody". @throws SCOPE_REQUIRED */
export function requireUser(userId: unknown): string {
  if (typeof userId === 'string' && !isBlank(userId) && userId.length <= MAX_ID_LENGTH && userId.isWellFormed()) return userId;
  throw new MemoryError(
    'SCOPE_REQUIRED',
    `userId is required: visible, well-formed text of at most ${MAX_ID_LENGTH} characters. Pass { userId } (CLI: --user).`,
  );
}

/** Undefined means all users, and nothing else does. @throws SCOPE_REQUIRED */
export function userOrAll(userId: unknown): string | undefined {
  if (userId === undefined || typeof userId === 'string') return userId === undefined ? undefined : requireUser(userId);
  throw new MemoryError('SCOPE_REQUIRED', 'The user is given by id alone here, as a text: stats("ana"). Leave it out for all users.');
}

/** @throws INPUT_INVALID for a text that is too long for one message */
export function requireLength(content: string, what: string): void {
  if (content.length <= MAX_CONTENT_LENGTH) return;
  throw new MemoryError(
    'INPUT_INVALID',
    `${what} has ${content.length} characters; at most ${MAX_CONTENT_LENGTH} are taken as one message. Store it as a document ({ text, sourceId }).`,
  );
}

/** @throws INPUT_INVALID naming each wrong field */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new MemoryError('INPUT_INVALID', `${describeIssues(parsed.error.issues, what).join('; ')}.`);
}

/**
 * What refers back to itself has no JSON, and no walk through it ends.
 * @throws INPUT_INVALID naming the field
 */
export function requireInputTree(input: StoreInput): void {
  if (Array.isArray(input)) for (const [index, message] of input.entries()) requireTree(message, `messages[${index}]`);
  else requireTree(input, isDocument(input) ? 'document' : 'message');
}

export function requireTree(value: unknown, what: string, path: readonly string[] = [], above: ReadonlySet<unknown> = new Set()): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  const refuse = (where: string, reason: string) => new MemoryError('INPUT_INVALID', `${where}: ${reason}. Give plain JSON.`);
  if (above.has(value)) throw refuse([what, ...path].join('.'), 'refers back to what it is in');
  if (path.length > MAX_DEPTH) throw refuse([what, ...path.slice(0, 5)].join('.'), `is nested more than ${MAX_DEPTH} levels deep`);
  const inside = new Set(above).add(value);
  for (const [name, item] of Object.entries(value)) requireTree(item, what, [...path, name], inside);
}

/**
 * Turns whatever was given into episodes with their final ids. Pure but for the clock's now.
 * An id rests on the scope, the speaker and the text, plus the time and id that the caller gave; equal turns of one call are told apart by
 * their count. So a repeat of the call meets the same records, and "ok" said twice stays two turns. Of a call with a key the turns are told
 * apart by their place, since a retry may have other words.
 * @param input one that `cleanInput` has been through
 * @throws SCOPE_REQUIRED, INPUT_INVALID, INPUT_EMPTY
 */
export function readInput(input: StoreInput, options: StoreOptions, now: Date, counter: TokenCounter, chunking: ChunkOptions = {}): ReadInput {
  const read = readEpisodes(input, options, now, counter, chunking);
  return options.expiresAt === undefined ? read : { ...read, expiresAt: requireTime(options.expiresAt, 'options.expiresAt').at };
}

function readEpisodes(input: StoreInput, options: StoreOptions, now: Date, counter: TokenCounter, chunking: ChunkOptions): ReadInput {
  const userId = requireUser((options as StoreOptions | undefined)?.userId);
  const checked = parseInput(storeOptionsSchema, options, 'options') as StoreOptions;
  const scope: Scope = {
    userId,
    ...(checked.agentId === undefined ? {} : { agentId: checked.agentId }),
    ...(checked.sessionId === undefined ? {} : { sessionId: checked.sessionId }),
  };
  const skipped: SkippedItem[] = [];
  if (isDocument(input)) {
    const chunks = (document: DocumentInput) => chunkText(document.text, counter, chunking);
    return { scope, incoming: readDocument(input, scope, checked, now, chunks), skipped, document: { sourceId: input.sourceId } };
  }

  const text = typeof input === 'string';
  const messages: MessageInput[] = text ? [{ role: 'user', content: input }] : Array.isArray(input) ? [...input] : [input as MessageInput];
  const seen = new Map<string, number>();
  const incoming: IncomingEpisode[] = [];
  const callThread =
    checked.key ??
    (messages.length > 1 ? deriveId('call', userId, ...messages.map((message) => `${message?.role}\n${message?.content}`)) : undefined);
  const threadId = checked.sessionId ?? checked.sourceId ?? callThread;
  for (const [index, candidate] of messages.entries()) {
    const what = Array.isArray(input) ? `messages[${index}]` : 'message';
    const message = parseInput(messageSchema, candidate, what) as MessageInput;
    const { content } = message;
    requireLength(content, `${what}.content`);
    if (isBlank(content)) {
      skipped.push({ item: 'message', reason: 'empty text' });
      continue;
    }
    if (message.role === 'system' || message.role === 'tool') {
      skipped.push({ item: 'message', reason: `a ${message.role} message is not a memory of the user` });
      continue;
    }
    const given = message.at ?? checked.at;
    const when = given === undefined ? { at: now.toISOString(), utcOffsetMinutes: 0 } : requireTime(given, `${what}.at`);
    const told =
      message.id !== undefined
        ? [message.role, message.name, message.id, undefined, 'id']
        : checked.key !== undefined
          ? [String(index), 'place']
          : [message.role, message.name, content, given === undefined ? undefined : when.at, 'content'];
    const identity = deriveId(userId, scope.agentId, scope.sessionId, checked.sourceId, checked.key, ...told);
    const repeat = seen.get(identity) ?? 0;
    seen.set(identity, repeat + 1);
    if (repeat > 0 && message.id !== undefined) {
      skipped.push({ item: 'message', reason: 'an earlier message of this call has the same id' });
      continue;
    }
    incoming.push({
      episode: {
        ...scope,
        id: deriveId(identity, repeat),
        kind: text ? 'text' : 'message',
        role: message.role,
        ...(message.name === undefined || isBlank(message.name) ? {} : { speaker: message.name.trim() }),
        content,
        ...when,
        createdAt: now.toISOString(),
        ...(checked.sourceId === undefined ? {} : { sourceId: checked.sourceId }),
        ...(threadId === undefined ? {} : { threadId }),
        metadata: { ...(checked.metadata as Metadata | undefined), ...(message.metadata as Metadata | undefined) },
        state: checked.infer === false ? 'verbatim' : 'pending',
      },
      relations: message.triples?.map((item) => readTriple(item)),
    });
  }
  return { scope, incoming, skipped };
}

function readDocument(
  input: DocumentInput,
  scope: Scope,
  options: StoreOptions,
  now: Date,
  chunks: (document: DocumentInput) => readonly Chunk[],
): IncomingEpisode[] {
  const document = parseInput(documentSchema, input, 'document') as DocumentInput;
  const given = document.at ?? options.at;
  const when = given === undefined ? { at: now.toISOString(), utcOffsetMinutes: 0 } : requireTime(given, 'document.at');
  const seen = new Map<string, number>();
  return chunks(document).map((chunk) => {
    const identity = deriveId(scope.userId, scope.agentId, scope.sessionId, 'chunk', document.sourceId, chunk.text);
    const repeat = seen.get(identity) ?? 0;
    seen.set(identity, repeat + 1);
    const place: Record<string, JsonValue> = {
      ...(chunk.metadata as Metadata | undefined),
      ...(document.title === undefined ? {} : { title: document.title }),
      ...(chunk.heading === undefined ? {} : { section: chunk.heading }),
    };
    return {
      episode: {
        ...scope,
        id: deriveId(identity, repeat),
        kind: 'chunk' as const,
        role: 'user' as const,
        content: chunk.text,
        ...when,
        createdAt: now.toISOString(),
        sourceId: document.sourceId,
        threadId: document.sourceId,
        metadata: { ...(options.metadata as Metadata | undefined), ...(document.metadata as Metadata | undefined), ...place },
        state: options.infer === false ? ('verbatim' as const) : ('pending' as const),
      },
      relations: undefined,
    };
  });
}

function readTriple(item: NonNullable<MessageInput['triples']>[number]): ExtractedRelation {
  return { confidence: 1, ...('subject' in item ? item : { subject: item[0], predicate: item[1], object: item[2] }) };
}

export function isDocument(input: StoreInput): input is DocumentInput {
  return typeof input === 'object' && input !== null && 'text' in input && 'sourceId' in input;
}

function requireTime(value: string | Date, what: string): ZonedTime {
  const parsed = parseTime(value);
  if (parsed !== undefined) return parsed;
  throw new MemoryError('INPUT_INVALID', `${what} is not a date. Give ISO 8601, for example 2024-03-01 or 2024-03-01T09:30:00+01:00 (CLI: --at).`);
}

/** True also for zero-width characters, controls and blank letters: a text nobody can see is empty. */
export function isBlank(text: string): boolean {
  return !isVisible(text);
}
