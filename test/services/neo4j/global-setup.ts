import neo4j from 'neo4j-driver';
import type { TestProject } from 'vitest/node';
import { startNeo4j } from './find-service.ts';
import { KEEP_PLANS, type Neo4jAddress, type Neo4jService, type Neo4jServiceOptions } from './neo4j-service.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server for each worker of this test run, or why there is none. */
    neo4j: readonly Neo4jAddress[] | { readonly missing: string };
  }
}

const OPTIONS: Neo4jServiceOptions = { authentication: true, settings: KEEP_PLANS, inMemory: true };

/** A server for each worker, which ends with the run; or the one that the environment names, and then vitest.config.ts allows one worker. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const named = await fromEnvironment();
  const services = named === undefined ? await startServers(project.config.maxWorkers) : [named];
  if (typeof services === 'string') {
    if (process.env['CI'] === 'true') throw new Error(`The tests of Neo4j must run in CI, but ${services}.`);
    console.warn(`Tests of Neo4j are left out: ${services}. \`docker compose up -d --wait\` and NEO4J_URI, or Java 17 and Maven, bring them in.`);
    project.provide('neo4j', { missing: services });
    return undefined;
  }
  const addresses = services.map(({ url, username, password, httpUrl }) => ({
    url,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(httpUrl === undefined ? {} : { httpUrl }),
  }));
  project.provide('neo4j', addresses);
  return async () => void (await Promise.all(services.map((service) => service.stop())));
}

async function startServers(count: number): Promise<Neo4jService[] | string> {
  const started = await Promise.all(Array.from({ length: count }, () => startNeo4j(OPTIONS)));
  return started.find((service) => typeof service === 'string') ?? started.filter((service) => typeof service !== 'string');
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
