import { type Clock, MemoryError } from '@tandem-memory/core';
import type { Config, Driver } from 'neo4j-driver';

/** Where the server is, and who we are there. */
export interface Neo4jServer {
  /** `neo4j://`, `bolt://`, or either with `+s` (verified TLS) or `+ssc` (TLS with a certificate that nobody vouches for). */
  readonly url: string;
  /** Both or neither; without them the server must run without authentication. */
  readonly username?: string;
  readonly password?: string;
  /** Options of neo4j-driver, over the defaults of this store. */
  readonly driverOptions?: Config;
}

export interface Neo4jGraphStoreOptions {
  /** A server to connect to, or a driver that is connected already; that one stays open when the store closes. */
  readonly server: Neo4jServer | Driver;
  /** Default: the user's home database. */
  readonly database?: string;
  /** How long one transaction may run on the server, in milliseconds. Default 60,000. */
  readonly transactionTimeoutMs?: number;
  /** What "ended" is measured against where `expand()` is given no `validAt`. Default: the system's clock. */
  readonly clock?: Pick<Clock, 'now'>;
}

const SCHEME = /^(?:neo4j|bolt)(?:\+s|\+ssc)?:$/;

/** How long the driver goes on trying a transaction that failed for a passing reason: a change of leader in a cluster takes less. */
const RETRY_TIME_MS = 10_000;

const DEFAULTS: Config = {
  maxTransactionRetryTime: RETRY_TIME_MS,
  connectionTimeout: 5_000,
  connectionAcquisitionTimeout: 10_000,
  // A connection that lay idle through a restart of the server is tried before it is used.
  connectionLivenessCheckTimeout: 5_000,
  userAgent: 'tandem-memory',
  telemetryDisabled: true,
  notificationFilter: { minimumSeverityLevel: 'OFF' },
};

export function isDriver(server: Neo4jServer | Driver): server is Driver {
  return 'session' in server;
}

/** @throws CONFIG_INVALID, which never repeats the URL: a password may stand in it */
export function checkServer(server: Neo4jServer): void {
  const url = URL.canParse(server.url) ? new URL(server.url) : undefined;
  if (url === undefined || !SCHEME.test(url.protocol) || url.hostname === '') {
    throw new MemoryError(
      'CONFIG_INVALID',
      'The Neo4j `url` must begin with neo4j://, neo4j+s://, bolt:// or bolt+s:// and name a host, e.g. neo4j://localhost:7687.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new MemoryError('CONFIG_INVALID', 'The Neo4j `url` holds a user name or password; give them as `username` and `password`.');
  }
  if ((server.username === undefined) !== (server.password === undefined)) {
    throw new MemoryError('CONFIG_INVALID', 'Neo4j needs `username` and `password` together, or neither where the server asks for none.');
  }
}

/** The SDK is loaded here, so that a program on the embedded store never reads it. */
export async function connect(server: Neo4jServer): Promise<Driver> {
  const { default: neo4j } = await import('neo4j-driver');
  const { username, password } = server;
  const token = username === undefined || password === undefined ? undefined : neo4j.auth.basic(username, password);
  return neo4j.driver(server.url, token, { ...DEFAULTS, ...server.driverOptions });
}
