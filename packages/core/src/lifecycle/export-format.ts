import { z } from 'zod';
import type { Mention } from '../domain/change-set.ts';
import { ENTITY_TYPES, type Entity } from '../domain/entity.ts';
import { EPISODE_STATES, type Episode } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
import type { Metadata } from '../domain/json.ts';
import { ROLES } from '../domain/message.ts';
import { type LoggedUpdate, UPDATE_ACTIONS } from '../domain/update-log.ts';
import { MemoryError } from '../errors.ts';
import type { ConversationEntry } from '../ports/chat-memory-store.ts';
import type { ConsentRecord, LifeMark } from '../ports/lifecycle-store.ts';

/** See docs/export-format.md. */
const EXPORT_FORMAT = 'tandem-memory-export';
/** 2 added marks, consents and conversations. */
const EXPORT_VERSION = 2;

const id = z.string().min(1);
const time = z.iso.datetime({ precision: 3 });
const metadata = z.custom<Metadata>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'must be an object');
const share = z.number().min(0).max(1);

const episode = z.strictObject({
  type: z.literal('episode'),
  id,
  agentId: id.exactOptional(),
  sessionId: id.exactOptional(),
  kind: z.enum(['message', 'text', 'chunk']),
  role: z.enum(ROLES),
  speaker: z.string().exactOptional(),
  content: z.string(),
  at: time,
  utcOffsetMinutes: z.int(),
  createdAt: time,
  sourceId: id.exactOptional(),
  threadId: id.exactOptional(),
  position: z.int().min(0),
  metadata,
  state: z.enum(EPISODE_STATES),
  failure: z.string().exactOptional(),
  updatedAt: time.exactOptional(),
  outdated: z.strictObject({ since: time, by: id.exactOptional(), inPart: z.boolean(), about: z.string() }).exactOptional(),
});
const entity = z.strictObject({
  type: z.literal('entity'),
  id,
  name: z.string(),
  key: z.string(),
  aliases: z.array(z.string()),
  entityType: z.enum(ENTITY_TYPES),
  typeLabel: z.string().exactOptional(),
  createdAt: time,
});
const fact = z.strictObject({
  type: z.literal('fact'),
  id,
  text: z.string(),
  subjectId: id.exactOptional(),
  predicate: z.string().exactOptional(),
  objectId: id.exactOptional(),
  entityIds: z.array(id),
  evidence: z.array(id),
  validAt: time.exactOptional(),
  invalidAt: time.exactOptional(),
  createdAt: time,
  expiredAt: time.exactOptional(),
  confidence: share,
  importance: share,
  origin: z.enum(['model', 'rules', 'caller']),
  saidBy: z.enum(ROLES),
  properties: metadata,
  slot: z.string().exactOptional(),
});
const mention = z.strictObject({ type: z.literal('mention'), episodeId: id, entityId: id, spelling: z.string().exactOptional() });
const update = z.strictObject({
  type: z.literal('update'),
  id,
  action: z.enum(UPDATE_ACTIONS),
  kind: z.enum(['episode', 'fact', 'entity']),
  recordId: id,
  relatedId: id.exactOptional(),
  actor: z.enum(['model', 'rules', 'caller']),
  reason: z.string(),
  episodeId: id.exactOptional(),
  before: z.string().exactOptional(),
  after: z.string().exactOptional(),
  at: time,
});
const mark = z.strictObject({
  type: z.literal('mark'),
  id,
  accessedAt: time.exactOptional(),
  accesses: z.int().min(0),
  expiresAt: time.exactOptional(),
  archivedAt: time.exactOptional(),
});
const consent = z.strictObject({
  type: z.literal('consent'),
  purpose: z.string(),
  granted: z.boolean(),
  at: time,
  actor: z.string().exactOptional(),
  note: z.string().exactOptional(),
});
const conversation = z.strictObject({ type: z.literal('conversation'), sessionId: z.string(), entries: z.array(z.custom<ConversationEntry>()) });
const recordSchema = z.discriminatedUnion('type', [episode, entity, fact, mention, update, mark, consent, conversation]);
const headerSchema = z.looseObject({ format: z.literal(EXPORT_FORMAT), version: z.int().min(1), userId: id });
const footerSchema = z.strictObject({ type: z.literal('end'), records: z.int().min(0), sha256: z.string() });

export type ExportRecord = z.output<typeof recordSchema>;
export type ExportFooter = z.output<typeof footerSchema>;

/** Lines in a fixed order of fields, so that equal memories give equal files. */
export function headerLine(userId: string, version: number = EXPORT_VERSION): string {
  return `${JSON.stringify({ format: EXPORT_FORMAT, version, userId })}\n`;
}

export function episodeLine({ userId: _, ...record }: Episode): string {
  return line({ type: 'episode', ...record }, episode.shape);
}

export function entityLine({ userId: _, type, ...record }: Entity): string {
  return line({ type: 'entity', entityType: type, ...record }, entity.shape);
}

export function factLine({ userId: _, ...record }: Fact): string {
  return line({ type: 'fact', ...record }, fact.shape);
}

export function mentionLine(record: Mention): string {
  return line({ type: 'mention', ...record }, mention.shape);
}

export function updateLine({ userId: _, sequence: __, ...record }: LoggedUpdate): string {
  return line({ type: 'update', ...record }, update.shape);
}

export function markLine(record: LifeMark): string {
  return line({ type: 'mark', ...record }, mark.shape);
}

export function consentLine({ userId: _, ...record }: ConsentRecord): string {
  return line({ type: 'consent', ...record }, consent.shape);
}

export function conversationLine(sessionId: string, entries: readonly ConversationEntry[]): string {
  return line({ type: 'conversation', sessionId, entries }, conversation.shape);
}

export function footerLine(records: number, sha256: string): string {
  return `${JSON.stringify({ type: 'end', records, sha256 })}\n`;
}

/** @throws INPUT_INVALID naming the line */
export function readHeader(text: string): { readonly userId: string; readonly version: number } {
  const header = headerSchema.safeParse(parse(text, 1));
  if (!header.success) throw broken(1, 'it is not the first line of a Tandem Memory export');
  if (header.data.version > EXPORT_VERSION)
    throw broken(1, `the file has version ${header.data.version} of the format, and this program knows ${EXPORT_VERSION}. Upgrade tandem-memory`);
  return header.data;
}

/** @throws INPUT_INVALID naming the line and the fields, never their values */
export function readRecord(text: string, lineNumber: number): ExportRecord | ExportFooter {
  const value = parse(text, lineNumber);
  const footer = footerSchema.safeParse(value);
  if (footer.success) return footer.data;
  const record = recordSchema.safeParse(value);
  if (record.success) return record.data;
  throw broken(lineNumber, record.error.issues.map((issue) => `${issue.path.join('.') || 'type'}: ${issue.code}`).join('; '));
}

export function broken(lineNumber: number, why: string): MemoryError {
  return new MemoryError('INPUT_INVALID', `The export can't be read: line ${lineNumber}: ${why}. Nothing was imported.`, {
    details: { line: lineNumber },
  });
}

function parse(text: string, lineNumber: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Without the cause: its message quotes the text.
    throw broken(lineNumber, 'it is not JSON');
  }
}

function line(record: Readonly<Record<string, unknown>>, shape: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(
    Object.fromEntries(
      Object.keys(shape)
        .filter((name) => record[name] !== undefined)
        .map((name) => [name, record[name]]),
    ),
  )}\n`;
}
