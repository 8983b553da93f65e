// The allowed arrows of the architecture, each with the reason. docs/architecture.md tells the whole story; this is what is enforced.

/** Package folder -> the package folders it may import, by their npm names. */
export const PACKAGES = {
  core: { may: [], why: 'The engine knows no database, no SDK and no network, so that every backend and model can be exchanged under it.' },
  sqlite: { may: ['core'], why: 'It opens files for the embedded drivers and needs only the errors of the core.' },
  graph: {
    may: ['core', 'sqlite'],
    why: 'A driver knows its port and its database; drivers that know each other can no longer be chosen one by one.',
  },
  vector: {
    may: ['core', 'sqlite'],
    why: 'A driver knows its port and its database; drivers that know each other can no longer be chosen one by one.',
  },
  conversation: {
    may: ['core', 'sqlite'],
    why: 'A store of conversations knows its port and where it writes; what is shown of a conversation is decided in core.',
  },
  models: { may: ['core'], why: 'A model knows its port; where memories are stored is none of its business.' },
  ingest: { may: ['core'], why: 'Reading files ends in store(), which any memory has; where memories are stored is none of its business.' },
  memory: {
    may: ['core', 'sqlite', 'graph', 'vector', 'conversation', 'models'],
    why: 'The one place that picks drivers and wires them to the engine.',
  },
  cli: {
    may: ['memory', 'ingest'],
    why: 'The command is one user of the public packages; whatever it needs beyond them, other users would miss too.',
  },
};

const STAGE_WHY = 'Stages never import each other: each is a function of its input, and only the pipeline knows their order.';
const STAGES = ['documents', 'extraction', 'resolution', 'outbox', 'retrieval', 'packing', 'conversation', 'lifecycle'];

/** Room of packages/core/src (a folder, or a file at its root) -> the rooms it may import besides itself. */
export const CORE_ROOMS = {
  'errors.ts': { may: [], why: 'Errors are known to all and know nobody.' },
  domain: { may: ['errors.ts'], why: 'Domain values are plain data; behaviour depends on them and never the other way round.' },
  ports: { may: ['domain', 'errors.ts'], why: 'A port speaks in domain values only, so that a driver needs nothing else to implement it.' },
  'config.ts': { may: ['domain', 'ports', 'errors.ts'], why: 'Options are parsed once, before any stage exists; a stage is given its part of them.' },
  ...Object.fromEntries(STAGES.map((stage) => [stage, { may: ['domain', 'ports', 'errors.ts', 'config.ts'], why: STAGE_WHY }])),
  pipeline: {
    may: ['domain', 'ports', 'errors.ts', 'config.ts', ...STAGES],
    why: 'The pipeline orders the stages and is known to the facade alone.',
  },
  'memory.ts': {
    may: ['domain', 'ports', 'errors.ts', 'config.ts', ...STAGES, 'pipeline'],
    why: 'The facade wires; nothing inside reaches back to it.',
  },
  'index.ts': {
    may: ['domain', 'ports', 'errors.ts', 'config.ts', ...STAGES, 'pipeline', 'memory.ts'],
    why: 'The index lists what is public; inside, files name each other.',
  },
  conformance: { may: ['domain', 'ports', 'errors.ts'], why: 'The suites test any driver, so they know the contract and no implementation.' },
  testing: { may: ['domain', 'ports', 'errors.ts'], why: 'Scripted models implement ports and must not drag the engine into a test.' },
};

/** Node modules that core may use outside of its tests. */
export const CORE_NODE_MODULES = {
  may: ['node:crypto', 'node:assert', 'node:assert/strict'],
  why: 'Core does no input or output of its own: what it reads and writes goes through a port.',
};

/** npm packages that core may use outside of its tests. */
export const CORE_LIBRARIES = {
  may: ['zod', 'p-queue', 'stemmer', 'jsonrepair', 'any-ascii'],
  why: 'Core holds no SDK; a library there is pure computation and is added to this list on purpose.',
};

/** Packages in which each folder of src is one driver. */
export const DRIVER_PACKAGES = {
  names: ['graph', 'vector', 'conversation', 'models'],
  why: 'Sibling drivers never import each other: using one must not load the other. What they share lies beside the folders, or in core.',
};

export const ENVIRONMENT = {
  readers: ['packages/memory/src/environment.ts', 'packages/cli/src/main.ts'],
  why: 'The environment is read in one place and passed on as options, so that a program with two memories can configure both.',
};

export const PACKAGE_DOOR = 'Packages meet by their npm names: a path into another package goes around its public exports.';
