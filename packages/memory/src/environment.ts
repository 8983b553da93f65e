import type { OpenMemoryConfig } from './config.ts';

/** Names of models may hold slashes (`BAAI/bge-m3`), so a folder has to begin as one. */
const FOLDER = /^(?:\.{0,2}[\\/]|[A-Za-z]:[\\/])/;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Configuration from environment variables; those that are unset or blank leave the default. See docs/configuration.md.
 * `TANDEM_DB`, `TANDEM_EMBEDDING` (`minilm`, `fast`, a folder, `./e5` or `/models/e5`, or a model name of the embedding server), `TANDEM_EMBEDDING_BASE_URL`,
 * `TANDEM_EMBEDDING_API_KEY`, `TANDEM_EMBEDDING_DIMENSIONS`, `TANDEM_MODEL`, `TANDEM_MODEL_BASE_URL`, `TANDEM_MODEL_API_KEY`, `TANDEM_TOKENS`,
 * `TANDEM_CACHE` (`on`, or the similarity from which a question gets the answer of an earlier one),
 * `TANDEM_RERANKER` (`model`, or the folder of a cross-encoder).
 * `QDRANT_URL` with `QDRANT_API_KEY` and `TANDEM_QDRANT_PREFIX` puts vectors and keywords on that server.
 * `NEO4J_URI` with `NEO4J_USER` (or `NEO4J_USERNAME`), `NEO4J_PASSWORD` and `NEO4J_DATABASE` puts the knowledge graph on that server.
 * Keys and base URLs fall back to `OPENAI_API_KEY` and `OPENAI_BASE_URL`; a key alone never sends anything anywhere.
 */
export function configFromEnvironment(environment: Environment): OpenMemoryConfig {
  const read = (name: string) => environment[name]?.trim() || undefined;
  const path = read('TANDEM_DB');
  const embedding = read('TANDEM_EMBEDDING');
  const model = read('TANDEM_MODEL');
  const reranker = read('TANDEM_RERANKER');
  const tokens = read('TANDEM_TOKENS');
  const qdrant = read('QDRANT_URL');
  const qdrantKey = read('QDRANT_API_KEY');
  const qdrantPrefix = read('TANDEM_QDRANT_PREFIX');
  const dimensions = read('TANDEM_EMBEDDING_DIMENSIONS');
  const cache = read('TANDEM_CACHE');
  return {
    ...(path === undefined ? {} : { path }),
    ...(embedding === undefined
      ? {}
      : {
          embedding:
            embedding === 'minilm' || embedding === 'fast'
              ? embedding
              : FOLDER.test(embedding)
                ? { folder: embedding }
                : {
                    provider: 'openai' as const,
                    model: embedding,
                    ...server(
                      read('TANDEM_EMBEDDING_BASE_URL') ?? read('OPENAI_BASE_URL'),
                      read('TANDEM_EMBEDDING_API_KEY') ?? read('OPENAI_API_KEY'),
                    ),
                    ...(dimensions === undefined ? {} : { dimensions: Number(dimensions) }),
                  },
        }),
    ...(model === undefined
      ? {}
      : {
          model: {
            model,
            ...server(read('TANDEM_MODEL_BASE_URL') ?? read('OPENAI_BASE_URL'), read('TANDEM_MODEL_API_KEY') ?? read('OPENAI_API_KEY')),
          },
        }),
    ...(reranker === undefined ? {} : { reranker: reranker === 'model' ? reranker : { folder: reranker } }),
    ...(qdrant === undefined
      ? {}
      : {
          vectors: {
            url: qdrant,
            ...(qdrantKey === undefined ? {} : { apiKey: qdrantKey }),
            ...(qdrantPrefix === undefined ? {} : { collectionPrefix: qdrantPrefix }),
          },
        }),
    ...neo4j(read),
    ...(cache === undefined || cache === 'off' ? {} : { options: { cache: cache === 'on' ? {} : { similarity: Number(cache) } } }),
    ...(tokens === undefined ? {} : { tokens: /^[\d.]+$/.test(tokens) ? { charactersPerToken: Number(tokens) } : (tokens as 'o200k_base') }),
  };
}

function server(baseUrl: string | undefined, apiKey: string | undefined) {
  return { ...(baseUrl === undefined ? {} : { baseUrl }), ...(apiKey === undefined ? {} : { apiKey }) };
}

/** A password without a name is the one of the user that every server has. */
function neo4j(read: (name: string) => string | undefined): Pick<OpenMemoryConfig, 'graph'> {
  const url = read('NEO4J_URI');
  if (url === undefined) return {};
  const password = read('NEO4J_PASSWORD');
  const username = read('NEO4J_USER') ?? read('NEO4J_USERNAME') ?? (password === undefined ? undefined : 'neo4j');
  const database = read('NEO4J_DATABASE');
  return {
    graph: {
      url,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(database === undefined ? {} : { database }),
    },
  };
}
