import neo4j from 'neo4j-driver';
import type { TestProject } from 'vitest/node';
import { startNeo4j } from './find-service.ts';
import type { Neo4jAddress, Neo4jService } from './neo4j-service.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this test run, or why there is none. */
    neo4j: Neo4jAddress | { readonly missing: string };
  }
}

/** One server for the whole run: the one that the environment names, or one that ends with the run. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const service = (await fromEnvironment()) ?? (await startNeo4j({ authentication: true }));
  if (typeof service === 'string') {
    if (process.env['CI'] === 'true') throw new Error(`The tests of Neo4j must run in CI, but ${service}.`);
    console.warn(`Tests of Neo4j are left out: ${service}. \`docker compose up -d --wait\` and NEO4J_URI, or Java 17 and Maven, bring them in.`);
    project.provide('neo4j', { missing: service });
    return undefined;
  }
  const { url, username, password, httpUrl } = service;
  project.provide('neo4j', {
    url,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(httpUrl === undefined ? {} : { httpUrl }),
  });
  return () => service.stop();
}

async function fromEnvironment(): Promise<Neo4jService | undefined> {
  const { NEO4J_URI: url, NEO4J_USER: username = 'neo4j', NEO4J_PASSWORD: password } = process.env;
  if (url === undefined || url === '') return undefined;
  const token = password === undefined ? undefined : neo4j.auth.basic(username, password);
  await mustBeEmpty(url, token);
  return { url, ...(password === undefined ? {} : { username, password }), stop: () => empty(url, token) };
}

type Token = ReturnType<typeof neo4j.auth.basic> | undefined;

/** The tests delete what they find, so what they find must be theirs. */
async function mustBeEmpty(url: string, token: Token): Promise<void> {
  await using driver = neo4j.driver(url, token);
  const { records } = await driver.executeQuery('MATCH (n) WHERE NOT n:MemoryStore RETURN n LIMIT 1');
  if (records.length > 0) throw new Error('The tests empty the database that NEO4J_URI names, and it is not empty. Give them one of their own.');
}

async function empty(url: string, token: Token): Promise<void> {
  await using driver = neo4j.driver(url, token);
  await driver.executeQuery('MATCH (n) WHERE NOT n:MemoryStore DETACH DELETE n');
}
