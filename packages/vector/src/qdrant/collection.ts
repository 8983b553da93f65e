import type { Schemas } from '@qdrant/js-client-rest';
import { MemoryError, type VectorSpace } from '@tandem-memory/core';
import { collectionName, modelHash, readName } from './collection-name.ts';
import type { QdrantConnection } from './connection.ts';
import { DENSE, TERMS } from './point.ts';
import type { QdrantSettings } from './qdrant-options.ts';

const KEYWORD_FIELDS = ['agentId', 'sessionId', 'sourceId', 'kind'] as const;

/** The collection behind the alias, which is the prefix itself. @returns undefined where there is none yet */
export async function aliasTarget(connection: QdrantConnection, settings: QdrantSettings, signal?: AbortSignal): Promise<string | undefined> {
  const { collectionPrefix } = settings;
  const { aliases } = await connection.read(collectionPrefix, (api, init) => api.getCollectionsAliases({}, init), signal);
  return aliases.find((alias) => alias.alias_name === collectionPrefix)?.collection_name;
}

/**
 * Finds the collection of a vector space, or makes it where the server has none, after `confirm`.
 * @throws DIMENSION_MISMATCH, EMBEDDING_MODEL_MISMATCH where the memory is in another space; CONFIG_INVALID where the name is taken by a
 * collection that is not ours. Nothing is changed by then.
 */
export async function openCollection(
  connection: QdrantConnection,
  settings: QdrantSettings,
  space: VectorSpace,
  confirm?: () => Promise<void>,
): Promise<string> {
  const { collectionPrefix } = settings;
  if ((await aliasTarget(connection, settings)) === undefined) {
    const taken = await readCollection(connection, collectionPrefix);
    if (taken !== undefined) throw foreign(collectionPrefix, taken, space);
    await confirm?.();
    const name = collectionName(collectionPrefix, space, 1);
    await createCollection(connection, settings, name, space);
    // Another process may have been first, with another model even; the alias that is there stays.
    if ((await aliasTarget(connection, settings)) === undefined) await pointAlias(connection, settings, name);
  }
  const name = await aliasTarget(connection, settings);
  const info = name === undefined ? undefined : await readCollection(connection, name);
  if (name === undefined || info === undefined)
    throw new MemoryError('INDEX_UNAVAILABLE', `The alias ${collectionPrefix} was just removed by somebody. Try again.`);
  compareSpace(settings, name, info, space);
  return name;
}

/** An empty collection, with its payload indexes, which Qdrant wants to know before the points. One that is there is left as it is. */
export async function createCollection(connection: QdrantConnection, settings: QdrantSettings, name: string, space: VectorSpace): Promise<void> {
  const definition: Schemas['CreateCollection'] = {
    vectors: { [DENSE]: { size: space.dimensions, distance: 'Cosine' } },
    // No `modifier: idf`: its statistics are those of all users (docs/qdrant.md). The query carries the user's own.
    sparse_vectors: { [TERMS]: {} },
    // Every search is for one user: a graph for each user large enough, and none over all of them.
    hnsw_config: { m: 0, payload_m: 16 },
    ...(settings.quantization === 'int8' ? { quantization_config: { scalar: { type: 'int8', always_ram: true } } } : {}),
  };
  try {
    await connection.write(name, (api, init) => api.createCollection({ collection_name: name, ...definition }, init));
  } catch (error) {
    if ((await readCollection(connection, name)) === undefined) throw error;
  }
  const index = (field_name: string, field_schema: Schemas['PayloadSchemaParams']) =>
    connection.write(name, (api, init) => api.createFieldIndex({ collection_name: name, wait: true, field_name, field_schema }, init));
  await index('userId', { type: 'keyword', is_tenant: true });
  for (const field of KEYWORD_FIELDS) await index(field, { type: 'keyword' });
  await index('at', { type: 'integer', lookup: false, range: true });
  await index('terms', { type: 'integer', lookup: true, range: false });
}

/** Moves the alias in one step: no moment at which it leads nowhere. */
export async function pointAlias(connection: QdrantConnection, settings: QdrantSettings, name: string): Promise<void> {
  const alias_name = settings.collectionPrefix;
  const before = await aliasTarget(connection, settings);
  const actions: Schemas['AliasOperations'][] = [
    ...(before === undefined ? [] : [{ delete_alias: { alias_name } }]),
    { create_alias: { collection_name: name, alias_name } },
  ];
  await connection.write(name, (api, init) => api.updateAliases({ actions }, init));
}

export async function dropCollection(connection: QdrantConnection, name: string): Promise<void> {
  await connection.write(name, (api, init) => api.deleteCollection({ collection_name: name }, init));
}

type CollectionInfo = Schemas['CollectionInfo'];

async function readCollection(connection: QdrantConnection, name: string): Promise<CollectionInfo | undefined> {
  try {
    return await connection.read(name, (api, init) => api.getCollection({ collection_name: name }, init));
  } catch (error) {
    if (MemoryError.isInstance(error) && error.details['status'] === 404) return undefined;
    throw error;
  }
}

function compareSpace(settings: QdrantSettings, name: string, info: CollectionInfo, space: VectorSpace): void {
  const stored = denseSize(info);
  const identity = readName(settings.collectionPrefix, name);
  if (stored === undefined || identity === undefined) throw foreign(name, info, space);
  if (stored !== space.dimensions) throw dimensionMismatch(name, stored, space, `model ${identity.model}`);
  if (identity.hash !== modelHash(space.modelId)) {
    throw new MemoryError(
      'EMBEDDING_MODEL_MISMATCH',
      `The vectors in the collection ${name} were made by the embedding model ${identity.model}, not by ${space.modelId}; their vectors can't be compared. Run \`tandem reindex\` to embed everything again, or use ${identity.model}.`,
      { details: { collection: name, stored: identity.model, configured: space.modelId } },
    );
  }
}

/** A collection that was there before us. It is never changed. */
function foreign(name: string, info: CollectionInfo, space: VectorSpace): MemoryError {
  const { vectors } = info.config.params;
  const size = typeof vectors?.size === 'number' ? vectors.size : denseSize(info);
  if (size !== undefined && size !== space.dimensions) return dimensionMismatch(name, size, space, 'not made by Tandem Memory');
  return new MemoryError(
    'CONFIG_INVALID',
    `The collection ${name} was not made by Tandem Memory. It was not touched; choose another \`collectionPrefix\`.`,
    { details: { collection: name } },
  );
}

function denseSize(info: CollectionInfo): number | undefined {
  const vectors: unknown = info.config.params.vectors;
  const dense: unknown = typeof vectors === 'object' && vectors !== null ? Reflect.get(vectors, DENSE) : undefined;
  const size: unknown = typeof dense === 'object' && dense !== null ? Reflect.get(dense, 'size') : undefined;
  return typeof size === 'number' ? size : undefined;
}

function dimensionMismatch(name: string, stored: number, space: VectorSpace, origin: string): MemoryError {
  return new MemoryError(
    'DIMENSION_MISMATCH',
    `The collection ${name} takes ${stored} dimensions (${origin}), the embedding model ${space.modelId} gives ${space.dimensions}. Run \`tandem reindex\` to embed everything again, use the model that it was made with, or choose another \`collectionPrefix\`.`,
    { details: { collection: name, stored, configured: space.dimensions } },
  );
}
