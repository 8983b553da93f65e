import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import neo4j from 'neo4j-driver';
import { quickFolder } from '../../support/quick-folder.ts';
import { FIRST_PASSWORD, type Neo4jService, type Neo4jServiceOptions, PASSWORD } from './neo4j-service.ts';

const run = promisify(execFile);

const NEO4J_VERSION = '5.26.0';
const BROWSER_VERSION = '5.24.0';
const OLDEST_JAVA = 17;
const DOWNLOAD_TIMEOUT_MS = 600_000;
const START_TIMEOUT_MS = 180_000;
const POLL_MS = 250;
/** A server that lives for minutes: the first compiler alone, and the collector with the fewest threads. */
const JVM_OPTIONS = ['-Xms128m', '-Xmx640m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
const OPENED_PACKAGES = ['java.nio', 'java.io', 'sun.nio.ch', 'java.util.concurrent'];

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tandem-memory</groupId><artifactId>neo4j-for-tests</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.neo4j.app</groupId><artifactId>neo4j-server</artifactId><version>${NEO4J_VERSION}</version></dependency>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j-bootcheck</artifactId><version>${NEO4J_VERSION}</version></dependency>
    <dependency><groupId>org.neo4j.client</groupId><artifactId>neo4j-browser</artifactId><version>${BROWSER_VERSION}</version></dependency>
  </dependencies>
</project>
`;

/** Why Neo4j can't run here without Docker, or undefined where it can. */
export async function missingForLocalServer(): Promise<string | undefined> {
  const java = await run('java', ['-version']).then(
    ({ stderr }) => Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0),
    () => 0,
  );
  if (java < OLDEST_JAVA) return `Java ${OLDEST_JAVA} or newer is not there`;
  return run('mvn', ['-version']).then(
    () => undefined,
    () => 'Maven is not there',
  );
}

/** One download for servers that start at the same time. */
let classPath: Promise<string> | undefined;

/**
 * Neo4j Community as Maven Central has it, in a process of its own on free loopback ports, with an empty data folder that goes when it stops.
 * The first run downloads about 125 MB into Maven's cache; a later start takes about 15 seconds.
 */
export async function startLocalServer({ authentication, settings = {}, inMemory = false }: Neo4jServiceOptions): Promise<Neo4jService> {
  classPath ??= resolveClassPath();
  const known = await classPath;
  const home = mkdtempSync(join(inMemory ? quickFolder() : tmpdir(), 'tandem-neo4j-'));
  const [bolt, http] = await freePorts();
  writeConfiguration(home, bolt, http, { 'dbms.security.auth_enabled': String(authentication), ...settings });
  const url = `bolt://127.0.0.1:${bolt}`;
  const launch = async () => {
    const server = launchServer(home, known);
    await untilReady(server, url, authentication ? FIRST_PASSWORD : undefined);
    return server;
  };
  let server: ChildProcess | undefined;
  const stop = async () => {
    if (server !== undefined) await stopProcess(server);
    rmSync(home, { recursive: true, force: true });
  };
  try {
    server = await launch();
    if (authentication) await changePassword(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    httpUrl: `http://127.0.0.1:${http}`,
    dataFolder: join(home, 'data'),
    ...(authentication ? { username: 'neo4j', password: PASSWORD } : {}),
    restart: async () => {
      if (server !== undefined) await stopProcess(server);
      server = await launch();
    },
    stop,
  };
}

async function resolveClassPath(): Promise<string> {
  const folder = join(homedir(), '.cache', 'tandem-memory', `neo4j-${NEO4J_VERSION}`);
  const file = join(folder, 'classpath.txt');
  const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (known !== '' && known.split(delimiter).every((path) => existsSync(path))) return known;
  mkdirSync(folder, { recursive: true });
  // Files of this process's own: several test runs may begin at once.
  const pom = join(folder, `pom-${process.pid}.xml`);
  const output = join(folder, `classpath-${process.pid}.txt`);
  writeFileSync(pom, POM);
  try {
    await run('mvn', ['-B', '-q', '-f', pom, 'dependency:build-classpath', `-Dmdep.outputFile=${output}`], { timeout: DOWNLOAD_TIMEOUT_MS });
    const jars = readFileSync(output, 'utf8').trim().split(delimiter);
    const classPath = jars.filter((path) => !path.endsWith('.pom')).join(delimiter);
    writeFileSync(output, classPath);
    renameSync(output, file);
    return classPath;
  } finally {
    rmSync(pom, { force: true });
    rmSync(output, { force: true });
  }
}

function writeConfiguration(home: string, bolt: number, http: number, own: Readonly<Record<string, string>>): void {
  mkdirSync(join(home, 'conf'));
  const settings = {
    'server.default_listen_address': '127.0.0.1',
    'server.bolt.listen_address': `127.0.0.1:${bolt}`,
    'server.bolt.advertised_address': `127.0.0.1:${bolt}`,
    'server.http.listen_address': `127.0.0.1:${http}`,
    'server.http.advertised_address': `127.0.0.1:${http}`,
    'server.https.enabled': 'false',
    'server.directories.data': join(home, 'data'),
    'server.directories.logs': join(home, 'logs'),
    'dbms.usage_report.enabled': 'false',
    'server.memory.pagecache.size': '64m',
    // A quarter of a gigabyte for each of two logs.
    'db.tx_log.preallocate': 'false',
    ...own,
  };
  writeFileSync(
    join(home, 'conf', 'neo4j.conf'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
}

function launchServer(home: string, classPath: string): ChildProcess {
  const opens = OPENED_PACKAGES.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`);
  const folders = [`--home-dir=${home}`, `--config-dir=${join(home, 'conf')}`, '--console-mode'];
  const server = spawn('java', [...JVM_OPTIONS, ...opens, '-cp', classPath, 'org.neo4j.server.CommunityEntryPoint', ...folders], {
    env: { ...process.env, NEO4J_HOME: home },
    stdio: 'ignore',
  });
  // Whatever ends the tests ends the server, and what it has in memory.
  const kill = () => {
    server.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', kill);
  server.once('exit', () => process.off('exit', kill));
  return server;
}

/** A server that answers, if only to say that the password has to change. */
async function untilReady(server: ChildProcess, url: string, password: string | undefined): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  const driver = neo4j.driver(url, password === undefined ? undefined : neo4j.auth.basic('neo4j', password), { connectionTimeout: 2_000 });
  try {
    for (;;) {
      const failure = await driver.verifyConnectivity().then(
        () => undefined,
        (error: { readonly code?: unknown }) => String(error.code),
      );
      if (failure === undefined || failure.includes('.Security.')) return;
      if (server.exitCode !== null) throw new Error(`Neo4j ended with status ${server.exitCode} before it was ready.`);
      if (Date.now() > deadline) throw new Error(`Neo4j was not ready within ${START_TIMEOUT_MS / 1000} s.`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    await driver.close();
  }
}

async function changePassword(url: string): Promise<void> {
  const driver = neo4j.driver(url, neo4j.auth.basic('neo4j', FIRST_PASSWORD));
  try {
    const statement = 'ALTER CURRENT USER SET PASSWORD FROM $old TO $new';
    await driver.executeQuery(statement, { old: FIRST_PASSWORD, new: PASSWORD }, { database: 'system' });
  } finally {
    await driver.close();
  }
}

async function stopProcess(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}

async function freePorts(): Promise<[number, number]> {
  const listeners = await Promise.all([listen(), listen()]);
  const ports = listeners.map((listener) => {
    const address = listener.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  await Promise.all(listeners.map((listener) => new Promise((resolve) => listener.close(resolve))));
  return [ports[0] ?? 0, ports[1] ?? 0];
}

function listen(): Promise<ReturnType<typeof createServer>> {
  return new Promise((resolve, reject) => {
    const listener = createServer();
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', () => resolve(listener));
  });
}
