/**
 * Neo4j and Qdrant as the tests use them, kept running until Ctrl-C, for trying things and for benchmarks on a machine without Docker. Prints
 * the variables by which `tandem` finds them: node --conditions=@tandem-memory/source test/services/serve.ts
 */
import { startNeo4j } from './neo4j/find-service.ts';
import { startQdrant } from './qdrant/qdrant-service.ts';

const [neo4j, qdrant] = await Promise.all([startNeo4j({ authentication: true }), startQdrant()]);
if (typeof neo4j === 'string') throw new Error(neo4j);
if ('missing' in qdrant) throw new Error(qdrant.missing);
const variables = { NEO4J_URI: neo4j.url, NEO4J_USER: neo4j.username, NEO4J_PASSWORD: neo4j.password, QDRANT_URL: qdrant.url };
for (const [name, value] of Object.entries(variables)) console.log(`export ${name}=${value}`);
if (neo4j.httpUrl !== undefined) console.log(`# Neo4j Browser: ${neo4j.httpUrl}/browser/`);
await new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
});
await Promise.all([neo4j.stop(), qdrant.stop()]);
