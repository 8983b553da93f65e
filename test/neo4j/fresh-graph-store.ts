import type { Clock } from '@tandem-memory/core';
import { Neo4jGraphStore } from '@tandem-memory/graph';
import { emptyDatabase, neo4jMissing, openDriver } from './open-neo4j-store.ts';

/** Files whose graph is on the server already: a memory that opens one of them again finds it there. */
const met = new Set<string>();
let shared: ReturnType<typeof openDriver> | undefined;

/**
 * For tests of the whole engine, which the vitest projects `neo4j` and `servers` run once more on a Neo4j graph.
 * @param path the file of the indexes; a new one, or none, comes with an empty graph
 * @returns undefined where the run is about the embedded store
 */
export function freshNeo4jStore(path: string | undefined, clock: Pick<Clock, 'now'>): Neo4jGraphStore | undefined {
  if (neo4jMissing) return undefined;
  shared ??= openDriver();
  return new FreshNeo4jStore(shared, path, clock);
}

class FreshNeo4jStore extends Neo4jGraphStore {
  readonly #driver: ReturnType<typeof openDriver>;
  readonly #path: string | undefined;
  #emptied = false;

  constructor(driver: ReturnType<typeof openDriver>, path: string | undefined, clock: Pick<Clock, 'now'>) {
    super({ server: driver, clock });
    this.#driver = driver;
    this.#path = path;
  }

  override async open(): Promise<void> {
    if (!this.#emptied && (this.#path === undefined || !met.has(this.#path))) await emptyDatabase(this.#driver);
    if (this.#path !== undefined) met.add(this.#path);
    this.#emptied = true;
    await super.open();
  }
}
