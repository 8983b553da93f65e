import { type ErrorCode, MemoryError } from '@tandem-memory/core';

interface Translation {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly message: string;
}

/** The first pattern that fits the native code decides. Native messages are never repeated: Neo4j quotes property values in them. */
const TRANSLATIONS: readonly Translation[] = [
  {
    pattern:
      /^(ServiceUnavailable|SessionExpired)$|\.General\.DatabaseUnavailable$|\.Cluster\.|\.Database\.DatabaseUnavailable$|\.Security\.AuthorizationExpired$/,
    code: 'GRAPH_UNAVAILABLE',
    message: 'Neo4j does not answer. Check that the server runs and that `url` (NEO4J_URI) names it; with +s its certificate must be valid.',
  },
  {
    pattern: /\.Security\.(CredentialsExpired)$/,
    code: 'CONFIG_INVALID',
    message: 'Neo4j wants the first password changed: ALTER CURRENT USER SET PASSWORD, then give the new one as `password` (NEO4J_PASSWORD).',
  },
  {
    pattern: /\.Security\.(Forbidden|AuthorizationFailed)$/,
    code: 'CONFIG_INVALID',
    message: 'The Neo4j user may not do this; it needs to read, write and change the schema of `database` (NEO4J_DATABASE).',
  },
  {
    pattern: /\.Security\./,
    code: 'CONFIG_INVALID',
    message: 'Neo4j refused the login. Check `username` and `password` (NEO4J_USER, NEO4J_PASSWORD).',
  },
  {
    pattern: /\.Database\.DatabaseNotFound$/,
    code: 'CONFIG_INVALID',
    message: 'The server has no database of that name. Check `database` (NEO4J_DATABASE), or leave it out for the home database.',
  },
  {
    pattern: /\.Transaction\.(TransactionTimedOut|TransactionTimedOutClientConfiguration)$|\.Transaction\.LockClientStopped$/,
    code: 'TIMEOUT',
    message: 'A Neo4j transaction ran longer than it may and was undone. Try again, or raise `transactionTimeoutMs`.',
  },
  {
    pattern: /^Neo\.TransientError\./,
    code: 'STORAGE_BUSY',
    message: 'Neo4j was busy for longer than the driver retries (locks, memory or a change of leader). Nothing was written; try again.',
  },
  {
    pattern: /\.Statement\.SyntaxError$|\.Procedure\.ProcedureNotFound$/,
    code: 'UNSUPPORTED',
    message: 'The server does not know Cypher that this version uses. Neo4j 5.26 or newer is needed.',
  },
];

const WEB_SERVER = {
  code: 'CONFIG_INVALID',
  message: 'At `url` (NEO4J_URI) is a web server, not the port that speaks Bolt: mostly 7687, while 7474 is that of Neo4j Browser.',
} as const;
const ELSE = 'Neo4j refused a statement and undid the transaction; its log (neo4j.log) says more.';

/** The one place where native Neo4j errors become ours. Errors that are ours already pass through, and so do mistakes of our own code. */
export function translateError(error: unknown): unknown {
  if (MemoryError.isInstance(error)) return error;
  const neo4jCode = nativeCode(error);
  if (neo4jCode === undefined) return error;
  const found = isWebServer(error) ? WEB_SERVER : TRANSLATIONS.find(({ pattern }) => pattern.test(neo4jCode));
  return new MemoryError(found?.code ?? 'STORAGE_FAILED', found?.message ?? ELSE, { details: { neo4jCode } });
}

/** The driver has no code for it. */
function isWebServer(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Server responded HTTP');
}

/** The code of an error of the driver or the server, which are told by their shape: the driver may come from another copy of the package. */
export function nativeCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  if (error.name === 'Neo4jError' || error.code.startsWith('Neo.') || 'gqlStatus' in error) return error.code;
  return undefined;
}
