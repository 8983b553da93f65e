/** A Neo4j server for tests, and how to reach it. */
export interface Neo4jService {
  readonly url: string;
  /** Absent where the server runs without authentication. */
  readonly username?: string;
  readonly password?: string;
  /** Where the server serves Neo4j Browser. */
  readonly httpUrl?: string;
  /** Where its files are, if they are on this machine. */
  readonly dataFolder?: string;
  /** Only on a server that the tests started themselves. */
  restart?(): Promise<void>;
  stop(): Promise<void>;
}

export interface Neo4jServiceOptions {
  readonly authentication: boolean;
  /** Lines of neo4j.conf; only a server without a container heeds them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Keeps its files in memory where there is room: each commit waits for the disk. Not for a server in a container. */
  readonly inMemory?: boolean;
}

/**
 * Tests empty the database and fill it again, which changes its statistics so much that Neo4j would plan most statements anew every ten
 * seconds; and it would plan each once more for every size of its parameters. A plan takes it ten times as long as the statement itself.
 */
export const KEEP_PLANS: Readonly<Record<string, string>> = {
  'dbms.cypher.min_replan_interval': '24h',
  'internal.cypher.use_parameter_size': 'false',
};

/** What a test is given of the server: plain data, since the server lives in another process. */
export type Neo4jAddress = Pick<Neo4jService, 'url' | 'username' | 'password' | 'httpUrl'>;

export const FIRST_PASSWORD = 'neo4j';
export const PASSWORD = 'tandem-test';
