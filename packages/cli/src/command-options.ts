import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { configFromEnvironment, MemoryError, type MetadataFilter, type OpenMemoryConfig } from 'tandem-memory';
import type { Terminal } from './terminal.ts';

/** That of `openMemory`. */
export const DEFAULT_PATH = 'tandem.db';

/** Options that every command has. */
export interface CommonOptions {
  readonly db?: string;
  readonly user?: string;
  readonly session?: string;
  readonly agent?: string;
  readonly embedding?: string;
  readonly reranker?: string;
  readonly vector?: string;
  readonly graph?: string;
  readonly json?: boolean;
}

export interface StoreCommandOptions extends CommonOptions {
  readonly at?: string;
  readonly metadata?: MetadataFilter;
  readonly infer: boolean;
}

export interface IngestCommandOptions extends StoreCommandOptions {
  readonly concurrency?: number;
  readonly maxFileBytes?: number;
  readonly keepVanished?: boolean;
}

export interface QueryCommandOptions extends CommonOptions {
  readonly metadata?: MetadataFilter;
  readonly budget?: number;
  readonly topK?: number;
  readonly order?: 'relevance' | 'time';
  readonly asOf?: string;
  readonly recordedAsOf?: string;
  readonly hops?: 0 | 1 | 2;
  readonly decompose?: boolean;
  readonly explain?: boolean;
}

export interface ChatCommandOptions extends CommonOptions {
  readonly window?: number;
  readonly system?: string;
}

export interface DoctorCommandOptions extends CommonOptions {
  readonly repair?: boolean;
}

export interface ForgetCommandOptions extends CommonOptions {
  readonly source?: string;
  readonly entity?: string;
  readonly before?: string;
  readonly id?: readonly string[];
  readonly keepEvidence?: boolean;
  readonly yes?: boolean;
}

export interface ExportCommandOptions extends CommonOptions {
  readonly out?: string;
}

export interface ConsentCommandOptions extends CommonOptions {
  readonly purpose?: string;
  readonly actor?: string;
  readonly note?: string;
}

export interface DecayCommandOptions extends CommonOptions {
  readonly halfLifeDays?: number;
  readonly threshold?: number;
  readonly deleteAfterDays?: number;
  readonly dryRun?: boolean;
}

/** Command line over environment over defaults. */
export function memoryConfig(options: CommonOptions, terminal: Terminal): OpenMemoryConfig {
  const environment = {
    ...terminal.environment,
    ...(options.embedding === undefined ? {} : { TANDEM_EMBEDDING: options.embedding }),
    ...(options.reranker === undefined ? {} : { TANDEM_RERANKER: options.reranker }),
    ...(options.vector === undefined ? {} : { QDRANT_URL: options.vector }),
    ...(options.graph === undefined ? {} : { NEO4J_URI: options.graph }),
  };
  return { ...configFromEnvironment(environment), ...(options.db === undefined ? {} : { path: options.db }) };
}

/**
 * The same for a command that has nothing to do where nothing was stored: it must not take a slip in a path for an empty memory, and make one.
 * @throws FILE_NOT_FOUND
 */
export function knownMemoryConfig(options: CommonOptions, terminal: Terminal): OpenMemoryConfig {
  const config = memoryConfig(options, terminal);
  const path = config.path ?? DEFAULT_PATH;
  // With the graph on a server the file holds at most indexes, which can be made anew.
  if (config.graph !== undefined || path === ':memory:' || existsSync(path)) return config;
  throw new MemoryError(
    'FILE_NOT_FOUND',
    `There is no memory at ${resolve(path)}. Check --db (or TANDEM_DB); \`tandem store\`, \`ingest\`, \`chat\` and \`import\` make a new one.`,
  );
}

/** @throws SCOPE_REQUIRED */
export function requireUserOption(options: CommonOptions, terminal: Terminal): string {
  const user = options.user ?? terminal.environment['TANDEM_USER'];
  if (user !== undefined && user.trim() !== '') return user;
  throw new MemoryError('SCOPE_REQUIRED', 'Whose memory is it? Give --user <id>, or set TANDEM_USER.');
}

export function scopeOptions(options: CommonOptions, terminal: Terminal): { userId: string; agentId?: string; sessionId?: string } {
  return {
    userId: requireUserOption(options, terminal),
    ...(options.agent === undefined ? {} : { agentId: options.agent }),
    ...(options.session === undefined ? {} : { sessionId: options.session }),
  };
}
