import { setTimeout as sleep } from 'node:timers/promises';
import { type Compaction, MemoryError } from '@tandem-memory/core';
import type { Connection, Run } from './connection.ts';
import { STORE } from './migrations.ts';
import { toInteger, toNumber } from './record-mapper.ts';

/** Ids of deleted nodes by which it is told that their records are used anew. */
const MOST_SAMPLES = 256;
/** Property records: of a node, of one of its relationships. */
const RECORDS_OF_NODE = 16;
const RECORDS_OF_RELATIONSHIP = 4;
/** A letter is three bytes at most, four in pairs. The update log repeats texts. */
const BYTES_OF_LETTER = 3;
const COPIES = 2;
/** Latin-1, which Neo4j keeps in a property record of its own and fills it to the last byte. */
const SHORT_TEXT = '§'.repeat(27);
const SHORT_TEXTS = Array.from({ length: 64 }, (_, n) => `filler${n}`);
const SMALLEST_TEXT = 600;
const LARGEST_TEXT = 100_000;
const SMALLEST_BATCH = 10;
const BATCH_BYTES = 1_000_000;
const RELEASE_TIMEOUT_MS = 20_000;
const RELEASE_POLL_MS = 250;
/** Logs that turn over at more are not turned over by us: it would mean to write as much. */
const LARGEST_ROTATION_BYTES = 16 * 1024 * 1024;

const LABELS = ['Episode', 'Fact', 'Entity', 'ConversationEntry'] as const;

const WEIGH = (label: (typeof LABELS)[number]) => `
  UNWIND $ids AS id MATCH (n:${label} {userId: $userId, id: id})
  RETURN count(n) AS nodes, max(id(n)) AS highest, collect(id(n))[0..${MOST_SAMPLES}] AS samples, coalesce(sum(COUNT { (n)--() }), 0) AS relationships,
    coalesce(sum(reduce(letters = 0, key IN keys(n) | letters + size(coalesce(toStringOrNull(n[key]), ''))) +
      reduce(letters = 0, alias IN coalesce(n.aliases, []) | letters + size(alias))), 0) AS letters`;
/** Kept of all that was ever freed, and of what no filling has met yet. */
const COUNTS = ['Nodes', 'Relationships', 'Letters'] as const;
const addCount = (name: string) => ['freed', 'fresh'].map((kept) => `store.${kept}${name} = coalesce(store.${kept}${name}, 0) + $${name}`).join(', ');
const NOTE = `
  MATCH ${STORE}
  SET ${COUNTS.map(addCount).join(', ')},
    store.freedHighest = CASE WHEN coalesce(store.freedHighest, -1) < $highest THEN $highest ELSE store.freedHighest END,
    store.freedSamples = (coalesce(store.freedSamples, []) + $samples)[-${MOST_SAMPLES}..],
    store.freedInside = coalesce(store.freedInside, []) + [id IN $changed WHERE NOT id IN coalesce(store.freedInside, [])]`;
const CHANGED = `
  UNWIND $ids AS id
  CALL (id) {
    MATCH (n:Entity {userId: $userId, id: id}) RETURN n
    UNION
    MATCH (n:Fact {userId: $userId, id: id}) RETURN n
  }
  RETURN collect(DISTINCT id(n)) AS ids`;
const PENDING = `
  MATCH ${STORE}
  RETURN store.freedSamples AS samples, store.freedInside AS inside, store.freedHighest AS highest,
    ${COUNTS.map((name) => `store.freed${name} AS freed${name}, store.fresh${name} AS fresh${name}`).join(', ')}`;
const SETTLED = `
  MATCH ${STORE}
  SET ${COUNTS.map((name) => `store.fresh${name} = store.fresh${name} - $${name}`).join(', ')},
    store.freedSamples = [id IN store.freedSamples WHERE NOT id IN $samples], store.freedInside = [id IN store.freedInside WHERE NOT id IN $inside]`;
const HIGHEST = 'MATCH (n) RETURN max(id(n)) AS highest';
const FILL = `
  UNWIND range(1, $count) AS n CREATE (filler:TandemFiller {text: $text, list: $list}) SET filler += $short RETURN min(id(filler)) AS lowest`;
const REWRITE = 'MATCH (filler:TandemFiller) WITH filler LIMIT $count SET filler.text = $text RETURN count(*) AS count';
// The records of the filling are free ones too, the next time.
const NOTE_HIGHEST = `
  MATCH (filler:TandemFiller) WITH max(id(filler)) AS highest MATCH ${STORE}
  SET store.freedHighest = CASE WHEN coalesce(store.freedHighest, -1) < highest THEN highest ELSE store.freedHighest END`;
const CLEAR = 'MATCH (filler:TandemFiller) WITH filler LIMIT 1000 DELETE filler RETURN count(*) AS count';
const IN_USE = 'MATCH (n) WHERE id(n) IN $ids RETURN count(n) AS count';
const PAD = 'MATCH (n) WHERE id(n) IN $ids SET n += $short';
const SETTINGS =
  "SHOW SETTINGS YIELD name, value WHERE name STARTS WITH 'db.tx_log.rotation.' OR name = 'db.checkpoint.interval.time' RETURN name, value";

interface Freed {
  readonly nodes: number;
  readonly highest: number;
  readonly samples: readonly number[];
  readonly relationships: number;
  readonly letters: number;
}

/** To be called before the records are deleted: how much room they take, and where. */
export async function weigh(
  run: Run,
  userId: string,
  erased: Readonly<Partial<Record<(typeof LABELS)[number], readonly string[]>>>,
): Promise<readonly Freed[]> {
  const weighed: Freed[] = [];
  for (const label of LABELS) {
    const ids = erased[label] ?? [];
    const [row] = ids.length === 0 ? [] : await run(WEIGH(label), { userId, ids });
    const number = (name: string) => toNumber(row?.[name]) ?? 0;
    if (number('nodes') === 0) continue;
    weighed.push({
      nodes: number('nodes'),
      highest: number('highest'),
      samples: toIds(row?.['samples']),
      relationships: number('relationships'),
      letters: number('letters'),
    });
  }
  return weighed;
}

/** To be called late in the transaction of the erasure. @param changed records that stay and lost a text */
export async function noteFreed(run: Run, userId: string, weighed: readonly Freed[], changed: readonly string[]): Promise<void> {
  const inside = changed.length === 0 ? [] : ((await run(CHANGED, { userId, ids: changed }))[0]?.['ids'] as readonly unknown[]);
  if (weighed.length === 0 && inside.length === 0) return;
  const sum = (size: (freed: Freed) => number) => toInteger(weighed.reduce((total, freed) => total + size(freed), 0));
  await run(NOTE, {
    Nodes: sum((freed) => freed.nodes),
    Relationships: sum((freed) => freed.relationships),
    Letters: sum((freed) => freed.letters),
    highest: toInteger(Math.max(-1, ...weighed.map((freed) => freed.highest))),
    samples: weighed.flatMap((freed) => freed.samples).map(toInteger),
    changed: inside,
  });
}

/**
 * Neo4j marks the records of what was deleted as free and leaves their bytes; only what takes their place overwrites them. So they are given
 * to filler nodes, until every deleted node that was noted is seen to be one of them, and these are deleted. Values of nodes that stay are
 * overwritten by values beside them. Then the transaction log, which repeats all that is written, is turned over and a checkpoint asked for.
 */
export async function overwriteFreed(connection: Connection): Promise<Compaction> {
  const left: string[] = [];
  const pending = (await connection.read((run) => run(PENDING, {})))[0] ?? {};
  const number = (name: string) => toNumber(pending[name]) ?? 0;
  const [samples, inside, settings] = [toIds(pending['samples']), toIds(pending['inside']), await readSettings(connection)];
  if (samples.length > 0 || inside.length > 0) {
    // What fills a node has to be as much as a deleted one had: of those that wait, and of those whose records lie among theirs.
    const perNode = (name: 'Relationships' | 'Letters') =>
      Math.max(number(`freed${name}`) / Math.max(1, number('freedNodes')), number(`fresh${name}`) / Math.max(1, number('freshNodes')));
    const filler = fillerOf(
      Math.ceil(COPIES * BYTES_OF_LETTER * perNode('Letters')),
      Math.ceil(RECORDS_OF_NODE + RECORDS_OF_RELATIONSHIP * perNode('Relationships')),
    );
    try {
      await pad(connection, inside);
      if (!(await fill(connection, filler, samples, number('highest'))))
        left.push('Neo4j has not released the records yet, since a transaction that began before is still open. Forget again when it has ended.');
      await turnLogOver(connection, filler, settings);
    } finally {
      await clear(connection);
    }
    const met = Object.fromEntries(COUNTS.map((name) => [name, toInteger(number(`fresh${name}`))]));
    if (left.length === 0) await connection.write((run) => run(SETTLED, { ...met, samples: samples.map(toInteger), inside: inside.map(toInteger) }));
  }
  left.push(...leftInLog(settings));
  if (!(await checkpoint(connection)))
    left.push(
      `Neo4j writes its files at its next checkpoint, within ${settings['db.checkpoint.interval.time'] ?? 'db.checkpoint.interval.time'}; the Community Edition has no procedure to ask for one.`,
    );
  return { complete: left.length === 0, left };
}

function toIds(value: unknown): number[] {
  return Array.isArray(value) ? value.map((id) => toNumber(id) ?? 0) : [];
}

interface Filler {
  readonly text: string;
  readonly list: readonly string[];
  readonly short: Readonly<Record<string, string>>;
  readonly count: number;
}

function fillerOf(letters: number, records: number): Filler {
  const length = Math.min(LARGEST_TEXT, Math.max(SMALLEST_TEXT, letters));
  const bytes = 2 * length + 41 * SHORT_TEXTS.length;
  return {
    text: 'x'.repeat(length),
    list: Array.from({ length: Math.ceil(length / 100) }, () => 'x'.repeat(100)),
    short: shortTexts(Math.min(SHORT_TEXTS.length, records)),
    count: Math.max(SMALLEST_BATCH, Math.min(500, Math.floor(BATCH_BYTES / bytes))),
  };
}

function shortTexts(count: number): Record<string, string> {
  return Object.fromEntries(SHORT_TEXTS.slice(0, count).map((name) => [name, SHORT_TEXT]));
}

/** @returns whether the records of every deleted node that was noted are in use again */
async function fill(connection: Connection, filler: Filler, samples: readonly number[], freedHighest: number): Promise<boolean> {
  const { text, list, short, count } = filler;
  const highest = Math.max(freedHighest, toNumber((await connection.read((run) => run(HIGHEST, {})))[0]?.['highest']) ?? 0);
  const deadline = performance.now() + RELEASE_TIMEOUT_MS;
  for (let size = SMALLEST_BATCH; ; size = Math.min(count, 2 * size)) {
    const [row] = await connection.write((run) => run(FILL, { count: toInteger(size), text, list, short }));
    // Free records are taken before the store grows. Those of a transaction are free some moments after its end.
    if ((toNumber(row?.['lowest']) ?? 0) <= highest) continue;
    const [found] = await connection.read((run) => run(IN_USE, { ids: samples.map(toInteger) }));
    if ((toNumber(found?.['count']) ?? 0) >= new Set(samples).size) return true;
    if (performance.now() > deadline) return false;
    await sleep(RELEASE_POLL_MS);
  }
}

/** A node's properties share records of four places; a value that went may still stand behind the last that is left. */
async function pad(connection: Connection, nodes: readonly number[]): Promise<void> {
  const short = Object.fromEntries(SHORT_TEXTS.map((name) => [name, true]));
  const none = Object.fromEntries(SHORT_TEXTS.map((name) => [name, null]));
  for (let from = 0; from < nodes.length; from += 500) {
    const ids = nodes.slice(from, from + 500).map(toInteger);
    for (const values of [short, none]) await connection.write((run) => run(PAD, { ids, short: values }));
  }
}

type Settings = Readonly<Record<string, string | undefined>>;

/** Empty where the account may not read them. */
async function readSettings(connection: Connection): Promise<Settings> {
  const rows = await connection
    .read((run) => run(SETTINGS, {}))
    .catch((error: unknown) => (MemoryError.isInstance(error) ? [] : Promise.reject(error)));
  return Object.fromEntries(rows.map((row) => [String(row['name']), String(row['value'])]));
}

function rotationBytes(settings: Settings): number | undefined {
  const [, amount, unit] = /^([\d.]+) ?([KMG]?)i?B?$/i.exec(settings['db.tx_log.rotation.size'] ?? '') ?? [];
  if (amount === undefined) return undefined;
  return Number(amount) * 1024 ** ['', 'K', 'M', 'G'].indexOf((unit ?? '').toUpperCase());
}

/** The log is pruned by whole files: enough is written that no file from before the filling is the one in use. */
async function turnLogOver(connection: Connection, { text, count }: Filler, settings: Settings): Promise<void> {
  const rotation = rotationBytes(settings);
  if (rotation === undefined || rotation > LARGEST_ROTATION_BYTES) return;
  let letter = 'x';
  for (let written = 0; written < 2 * rotation; ) {
    // The same value again would not be written.
    letter = letter === 'x' ? 'y' : 'x';
    const [row] = await connection.write((run) => run(REWRITE, { count: toInteger(count), text: letter.repeat(text.length) }));
    const rewritten = toNumber(row?.['count']) ?? 0;
    if (rewritten === 0) return;
    written += rewritten * text.length;
  }
}

function leftInLog(settings: Settings): string[] {
  const policy = settings['db.tx_log.rotation.retention_policy'];
  const rotation = rotationBytes(settings);
  if (policy === 'keep_none' && rotation !== undefined && rotation <= LARGEST_ROTATION_BYTES) return [];
  return [
    `Neo4j's transaction log repeats what was written: db.tx_log.rotation.retention_policy is ${policy ?? 'not known'}, db.tx_log.rotation.size ${
      settings['db.tx_log.rotation.size'] ?? 'not known'
    }. With keep_none and 1M it is gone after the next checkpoint (docs/neo4j.md).`,
  ];
}

async function clear(connection: Connection): Promise<void> {
  await connection.write((run) => run(NOTE_HIGHEST, {}));
  for (let count = 1; count > 0; ) count = toNumber((await connection.write((run) => run(CLEAR, {})))[0]?.['count']) ?? 0;
}

/** @returns false where the server has no such procedure */
async function checkpoint(connection: Connection): Promise<boolean> {
  try {
    await connection.write((run) => run('CALL db.checkpoint()', {}));
    return true;
  } catch (error) {
    if (MemoryError.isInstance(error) && String(error.details['neo4jCode']).endsWith('.ProcedureNotFound')) return false;
    throw error;
  }
}
