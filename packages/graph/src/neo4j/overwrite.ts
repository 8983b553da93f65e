import { setTimeout as sleep } from 'node:timers/promises';
import { type Compaction, MemoryError } from '@tandem-memory/core';
import type { Connection, Run } from './connection.ts';
import { STORE } from './migrations.ts';
import { toInteger, toNumber } from './record-mapper.ts';

/** Deleted nodes by which it is told that their records are used anew. */
const MOST_SAMPLES = 256;
/** The place of a record in its store, which an element id ends with; null where a later Neo4j writes it in another way. */
const place = (node: string) => `toInteger(split(elementId(${node}), ':')[-1])`;
/** Property records: of a node, of one of its relationships. */
const RECORDS_OF_NODE = 16;
const RECORDS_OF_RELATIONSHIP = 4;
/** A letter is three bytes at most, four in pairs. The update log repeats texts. */
const BYTES_OF_LETTER = 3;
const COPIES = 2;
/** Latin-1, which Neo4j keeps in a property record of its own, fills to the last byte and changes where it stands. */
const SHORT_TEXT = '§'.repeat(27);
const OTHER_SHORT_TEXT = '¤'.repeat(27);
/** What the transaction log has of such a record, at the least. */
const LOGGED_BYTES = 64;
const SHORT_TEXTS = Array.from({ length: 64 }, (_, n) => `filler${n}`);
const SMALLEST_TEXT = 600;
const LARGEST_TEXT = 100_000;
/** For what was counted by nobody: values of nodes that stay, entries of logs and queues. */
const MORE_NODES = 10;
const BATCH_BYTES = 1_000_000;
const RELEASE_TIMEOUT_MS = 20_000;
/** Once a second the server lets freed records be used again. */
const RELEASE_POLL_MS = 100;
/** When they are not by then, others may come first, which somebody else freed and nobody noted; so many of them are taken in one pass. */
const RELEASE_MS = 3_000;
const MOST_OTHERS = 5_000;
/** Logs that turn over at more are not turned over by us: it would mean to write as much. */
const LARGEST_ROTATION_BYTES = 16 * 1024 * 1024;

const LABELS = ['Episode', 'Fact', 'Entity', 'ConversationEntry'] as const;

const WEIGH = (label: (typeof LABELS)[number]) => `
  UNWIND $ids AS id MATCH (n:${label} {userId: $userId, id: id})
  RETURN count(n) AS nodes, max(${place('n')}) AS highest, collect(elementId(n))[0..${MOST_SAMPLES}] AS samples, coalesce(sum(COUNT { (n)--() }), 0) AS relationships,
    coalesce(sum(reduce(letters = 0, key IN keys(n) | letters + size(coalesce(toStringOrNull(n[key]), ''))) +
      reduce(letters = 0, alias IN coalesce(n.aliases, []) | letters + size(alias))), 0) AS letters`;
/** Of what no filling has met yet. */
const COUNTS = ['Nodes', 'Relationships', 'Letters'] as const;
const NOTE = `
  MATCH ${STORE}
  SET ${COUNTS.map((name) => `store.fresh${name} = coalesce(store.fresh${name}, 0) + $${name}`).join(', ')},
    store.freedHighest = CASE WHEN coalesce(store.freedHighest, -1) < $highest THEN $highest ELSE store.freedHighest END,
    store.freedElements = (coalesce(store.freedElements, []) + $samples)[-${MOST_SAMPLES}..],
    store.freedInside = coalesce(store.freedInside, []) + [id IN $changed WHERE NOT id IN coalesce(store.freedInside, [])]`;
const CHANGED = `
  UNWIND $ids AS id
  CALL (id) {
    MATCH (n:Entity {userId: $userId, id: id}) RETURN n
    UNION
    MATCH (n:Fact {userId: $userId, id: id}) RETURN n
  }
  RETURN collect(DISTINCT elementId(n)) AS ids`;
const PENDING = `
  MATCH ${STORE}
  RETURN store.freedElements AS samples, store.freedInside AS inside, store.freedHighest AS highest, store.fillerLetters AS fillerLetters,
    store.fillerRecords AS fillerRecords, ${COUNTS.map((name) => `store.fresh${name} AS fresh${name}`).join(', ')}`;
const SETTLED = `
  MATCH ${STORE}
  SET ${COUNTS.map((name) => `store.fresh${name} = store.fresh${name} - $${name}`).join(', ')},
    store.freedElements = [id IN store.freedElements WHERE NOT id IN $samples], store.freedInside = [id IN store.freedInside WHERE NOT id IN $inside]`;
const HIGHEST = `MATCH (n) RETURN count(n) AS nodes, max(${place('n')}) AS highest`;
const FILL = `
  UNWIND range(1, $count) AS n CREATE (filler:TandemFiller {text: $text, list: $list}) SET filler += $short RETURN count(CASE WHEN ${place('filler')} <= $highest THEN 1 END) AS below`;
const REWRITE = 'MATCH (filler:TandemFiller) WITH filler LIMIT $count SET filler += $short RETURN count(*) AS count';
// The records of the filling are free ones too, the next time, and it takes as much to fill them.
const NOTE_FILLING = `
  MATCH (filler:TandemFiller) WITH max(${place('filler')}) AS highest MATCH ${STORE}
  SET store.fillerLetters = $letters, store.fillerRecords = $records,
    store.freedHighest = CASE WHEN coalesce(store.freedHighest, -1) < highest THEN highest ELSE store.freedHighest END`;
const CLEAR = 'MATCH (filler:TandemFiller) WITH filler LIMIT 1000 DELETE filler RETURN count(*) AS count';
const IN_USE = 'MATCH (n) WHERE elementId(n) IN $ids RETURN count(n) AS count';
const PAD = 'MATCH (n) WHERE elementId(n) IN $ids SET n += $short';
const SETTINGS =
  "SHOW SETTINGS YIELD name, value WHERE name STARTS WITH 'db.tx_log.rotation.' OR name = 'db.checkpoint.interval.time' RETURN name, value";

interface Freed {
  readonly nodes: number;
  readonly highest: number;
  readonly samples: readonly string[];
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
    samples: weighed.flatMap((freed) => freed.samples),
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
    // What fills a node has to be as much as a deleted one had, and as one of the last filling had, whose records lie among theirs.
    const perNode = (name: 'Relationships' | 'Letters') => number(`fresh${name}`) / Math.max(1, number('freshNodes'));
    const filler = fillerOf(
      Math.max(number('fillerLetters'), Math.ceil(COPIES * BYTES_OF_LETTER * perNode('Letters'))),
      Math.max(number('fillerRecords'), Math.ceil(RECORDS_OF_NODE + RECORDS_OF_RELATIONSHIP * perNode('Relationships'))),
    );
    try {
      await pad(connection, inside);
      if (
        !(await fill(connection, filler, samples, {
          highest: number('highest'),
          more: MORE_NODES + inside.length,
        }))
      )
        left.push(
          'Neo4j has not used the freed records again yet: a transaction that began before is still open, or much else was deleted too. Forget again later.',
        );
      await turnLogOver(connection, filler, settings);
    } finally {
      await clear(connection, filler);
    }
    const met = Object.fromEntries(COUNTS.map((name) => [name, toInteger(number(`fresh${name}`))]));
    if (left.length === 0) await connection.write((run) => run(SETTLED, { ...met, samples, inside }));
  }
  left.push(...leftInLog(settings));
  if (!(await checkpoint(connection)))
    left.push(
      `Neo4j writes its files at its next checkpoint, within ${settings['db.checkpoint.interval.time'] ?? 'db.checkpoint.interval.time'}; the Community Edition has no procedure to ask for one.`,
    );
  return { complete: left.length === 0, left };
}

function toIds(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

interface Filler {
  readonly text: string;
  readonly list: readonly string[];
  /** Of its short texts. */
  readonly names: readonly string[];
  /** Of a transaction. */
  readonly most: number;
}

function fillerOf(letters: number, records: number): Filler {
  const length = Math.min(LARGEST_TEXT, Math.max(SMALLEST_TEXT, letters));
  const bytes = 2 * length + 41 * SHORT_TEXTS.length;
  return {
    text: 'x'.repeat(length),
    list: Array.from({ length: Math.ceil(length / 100) }, () => 'x'.repeat(100)),
    names: SHORT_TEXTS.slice(0, records),
    most: Math.max(1, Math.min(500, Math.floor(BATCH_BYTES / bytes))),
  };
}

function withValue<T>(names: readonly string[], value: T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** @returns whether the records of every deleted node that was noted are in use again */
async function fill(
  connection: Connection,
  { text, list, names, most }: Filler,
  samples: readonly string[],
  freed: { readonly highest: number; readonly more: number },
): Promise<boolean> {
  const [stored] = await connection.read((run) => run(HIGHEST, {}));
  const highest = Math.max(freed.highest, toNumber(stored?.['highest']) ?? 0);
  let free = highest + 1 - (toNumber(stored?.['nodes']) ?? 0);
  const create = async (count: number) => {
    const parameters = { count: toInteger(count), highest: toInteger(highest), text, list, short: withValue(names, SHORT_TEXT) };
    return toNumber((await connection.write((run) => run(FILL, parameters)))[0]?.['below']) ?? 0;
  };
  const begun = performance.now();
  let others = 0;
  for (let size = 1; ; ) {
    const count = Math.min(most, size);
    const below = await create(count);
    free -= below;
    others += count - below;
    // Free records are taken before the store grows, if they were freed some moments ago.
    if (below > 0 && free > 0) {
      size = Math.min(free, below === count ? 2 * count : below);
      continue;
    }
    const [found] = await connection.read((run) => run(IN_USE, { ids: samples }));
    if ((toNumber(found?.['count']) ?? 0) >= new Set(samples).size) break;
    const waitedMs = performance.now() - begun;
    if (waitedMs > RELEASE_TIMEOUT_MS) return false;
    size = waitedMs < RELEASE_MS || others > MOST_OTHERS ? 1 : 2 * count;
    await sleep(RELEASE_POLL_MS);
  }
  for (let left = freed.more; left > 0; left -= most) await create(Math.min(left, most));
  return true;
}

/** A node's properties share records of four places; a value that went may still stand behind the last that is left. */
async function pad(connection: Connection, nodes: readonly string[]): Promise<void> {
  for (let from = 0; from < nodes.length; from += 500) {
    const ids = nodes.slice(from, from + 500);
    for (const value of [true, null]) await connection.write((run) => run(PAD, { ids, short: withValue(SHORT_TEXTS, value) }));
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
async function turnLogOver(connection: Connection, { names, most }: Filler, settings: Settings): Promise<void> {
  const rotation = rotationBytes(settings);
  if (rotation === undefined || rotation > LARGEST_ROTATION_BYTES) return;
  let text = SHORT_TEXT;
  for (let written = 0; written < 2 * rotation; ) {
    // The same value again would not be written.
    text = text === SHORT_TEXT ? OTHER_SHORT_TEXT : SHORT_TEXT;
    const [row] = await connection.write((run) => run(REWRITE, { count: toInteger(most), short: withValue(names, text) }));
    const rewritten = toNumber(row?.['count']) ?? 0;
    if (rewritten === 0) return;
    written += rewritten * names.length * LOGGED_BYTES;
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

async function clear(connection: Connection, { text, names }: Filler): Promise<void> {
  await connection.write((run) => run(NOTE_FILLING, { letters: toInteger(text.length), records: toInteger(names.length) }));
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
