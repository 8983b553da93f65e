import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { missingForLocalServer, startLocalServer } from './local-server.ts';
import { type Neo4jService, type Neo4jServiceOptions, PASSWORD } from './neo4j-service.ts';

const run = promisify(execFile);

/** As in docker-compose.yml. */
const IMAGE = 'neo4j:5.26.12-community';
const DOCKER_TIMEOUT_MS = 10_000;

/**
 * Starts a server of the tests' own: in Docker where an engine answers, else from Maven Central where there are Java and Maven.
 * @returns the reason where neither can be
 */
export async function startNeo4j(options: Neo4jServiceOptions): Promise<Neo4jService | string> {
  if (await dockerAnswers()) return startContainer(options);
  const missing = await missingForLocalServer();
  return missing === undefined ? startLocalServer(options) : `neither NEO4J_URI nor a Docker engine is there, and ${missing}`;
}

async function dockerAnswers(): Promise<boolean> {
  return run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: DOCKER_TIMEOUT_MS }).then(
    ({ stdout }) => stdout.trim() !== '',
    () => false,
  );
}

async function startContainer({ authentication }: Neo4jServiceOptions): Promise<Neo4jService> {
  const { Neo4jContainer } = await import('@testcontainers/neo4j');
  const prepared = new Neo4jContainer(IMAGE).withPassword(PASSWORD);
  const container = await (authentication ? prepared : prepared.withEnvironment({ NEO4J_AUTH: 'none' })).start();
  return {
    url: container.getBoltUri(),
    httpUrl: container.getHttpUri(),
    ...(authentication ? { username: container.getUsername(), password: container.getPassword() } : {}),
    stop: async () => {
      await container.stop();
    },
  };
}
