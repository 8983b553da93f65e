import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MemoryError } from '@tandem-memory/core';
import neo4j from 'neo4j-driver';
import { describe, expect, it } from 'vitest';
import { translateError } from './errors.ts';

function nativeError(code: string): Error {
  return Object.assign(new Error(`Node(7) already exists with property \`name\` = 'rose secret' (${code})`), { name: 'Neo4jError', code });
}

describe('translateError', () => {
  it.each([
    ['ServiceUnavailable', 'GRAPH_UNAVAILABLE', 'NEO4J_URI'],
    ['SessionExpired', 'GRAPH_UNAVAILABLE', 'NEO4J_URI'],
    ['Neo.TransientError.General.DatabaseUnavailable', 'GRAPH_UNAVAILABLE', 'NEO4J_URI'],
    ['Neo.ClientError.Cluster.NotALeader', 'GRAPH_UNAVAILABLE', 'NEO4J_URI'],
    ['Neo.ClientError.Security.AuthorizationExpired', 'GRAPH_UNAVAILABLE', 'NEO4J_URI'],
    ['Neo.ClientError.Security.Unauthorized', 'CONFIG_INVALID', 'NEO4J_PASSWORD'],
    ['Neo.ClientError.Security.AuthenticationRateLimit', 'CONFIG_INVALID', 'NEO4J_PASSWORD'],
    ['Neo.ClientError.Security.CredentialsExpired', 'CONFIG_INVALID', 'SET PASSWORD'],
    ['Neo.ClientError.Security.Forbidden', 'CONFIG_INVALID', 'NEO4J_DATABASE'],
    ['Neo.ClientError.Database.DatabaseNotFound', 'CONFIG_INVALID', 'NEO4J_DATABASE'],
    ['Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration', 'TIMEOUT', 'transactionTimeoutMs'],
    ['Neo.TransientError.Transaction.DeadlockDetected', 'STORAGE_BUSY', 'try again'],
    ['Neo.TransientError.General.MemoryPoolOutOfMemoryError', 'STORAGE_BUSY', 'try again'],
    ['Neo.ClientError.Statement.SyntaxError', 'UNSUPPORTED', '5.26'],
    ['Neo.ClientError.Schema.ConstraintValidationFailed', 'STORAGE_FAILED', 'neo4j.log'],
    ['Neo.DatabaseError.General.UnknownError', 'STORAGE_FAILED', 'neo4j.log'],
  ])('%s is %s and names the remedy', (native, code, remedy) => {
    const error = translateError(nativeError(native));
    expect(error).toMatchObject({ code, details: { neo4jCode: native } });
    if (!(error instanceof MemoryError)) throw error;
    expect(error.message).toContain(remedy);
    expect(`${error.message} ${String(error.cause)} ${JSON.stringify(error.details)}`).not.toContain('rose');
  });

  it('knows a web server by its answer, as at the port of Neo4j Browser', async () => {
    const http = createServer((_, response) => response.end());
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const driver = neo4j.driver(`bolt://127.0.0.1:${(http.address() as AddressInfo).port}`);
    const error = await driver.verifyConnectivity().catch((thrown: unknown) => translateError(thrown));
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('7687') });
    await driver.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });

  it('passes on what is ours, and what is no error of Neo4j', () => {
    for (const error of [
      new MemoryError('CLOSED', 'closed'),
      new TypeError('a mistake'),
      Object.assign(new Error('file'), { code: 'ENOENT' }),
      'text',
    ]) {
      expect(translateError(error)).toBe(error);
    }
  });
});
