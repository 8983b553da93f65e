import type { MessageInput } from '@tandem-memory/core';
import { Random } from './random.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface BenchUser {
  readonly id: string;
  readonly number: number;
  readonly memories: number;
  readonly entities: number;
}

const BIGGEST_SHARE = 0.3;
const TURNS_PER_CONVERSATION = 20;
const MEMORIES_PER_ENTITY = 5;
const TOPIC_WORD_SHARE = 0.4;
const SPEAKERS_PER_USER = 6;
const START = Date.UTC(2025, 0, 1);
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const PREDICATES = [
  'works on',
  'lives in',
  'knows',
  'owns',
  'depends on',
  'reports to',
  'visited',
  'likes',
  'belongs to',
  'replaced',
  'wrote',
  'paid for',
];

/** The biggest user holds 30 %; the rest falls to the others as 1 / rank. The biggest comes first, the smallest last. */
export function planUsers(memories: number, count: number): BenchUser[] {
  const sizes = [count === 1 ? memories : Math.round(memories * BIGGEST_SHARE)];
  const shares = Array.from({ length: count - 1 }, (_, index) => 1 / (index + 1));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const rest = memories - (sizes[0] ?? 0);
  for (const share of shares) sizes.push(Math.max(1, Math.floor((rest * share) / total)));
  // What rounding left over goes to the second, so that the sum is what was asked for.
  const left = memories - sizes.reduce((sum, size) => sum + size, 0);
  if (count > 1) sizes[1] = Math.max(1, (sizes[1] ?? 0) + left);
  return sizes.map((size, number) => ({
    id: `user-${number}`,
    number,
    memories: size,
    entities: Math.max(2, Math.round(size / MEMORIES_PER_ENTITY)),
  }));
}

/** One user's talk, a conversation on one topic at a time; made anew on each call, always the same. */
export function* conversations(user: BenchUser, vocabulary: Vocabulary): Generator<readonly MessageInput[]> {
  const random = new Random(1000 + user.number);
  for (let start = 0, conversation = 0; start < user.memories; start += TURNS_PER_CONVERSATION, conversation++) {
    const turns = Math.min(TURNS_PER_CONVERSATION, user.memories - start);
    const topic = topicOf(user, conversation, vocabulary);
    const at = START + conversation * HOUR_MS;
    yield Array.from({ length: turns }, (_, turn) => message(user, topic, at + turn * MINUTE_MS, vocabulary, random, random.below(3)));
  }
}

/** A single turn, with one triple, to add to what is stored. */
export function laterMessage(user: BenchUser, number: number, vocabulary: Vocabulary): MessageInput {
  const random = new Random(2_000_000 + number);
  const at = START + 10_000 * HOUR_MS + number * MINUTE_MS;
  return message(user, random.zipf(vocabulary.topics.length), at, vocabulary, random, 1);
}

/** Words of a topic that the user talked of, in every third question with the name of an entity. */
export function question(user: BenchUser, number: number, vocabulary: Vocabulary): string {
  const random = new Random(3_000_000 + user.number * 10_000 + number);
  const conversation = random.below(Math.ceil(user.memories / TURNS_PER_CONVERSATION));
  const topic = vocabulary.topics[topicOf(user, conversation, vocabulary)] ?? [];
  const words = Array.from({ length: 3 + random.below(3) }, () => topic[random.zipf(topic.length)]);
  words.push(vocabulary.general[random.zipf(vocabulary.general.length)]);
  const named = number % 3 === 0 ? ` ${entityName(user, random.zipf(user.entities), vocabulary)}` : '';
  return `what about ${words.join(' ')}${named}?`;
}

function topicOf(user: BenchUser, conversation: number, vocabulary: Vocabulary): number {
  return new Random(6_000_000 + user.number * 100_003 + conversation).zipf(vocabulary.topics.length);
}

function message(user: BenchUser, topic: number, at: number, vocabulary: Vocabulary, random: Random, triples: number): MessageInput {
  const own = vocabulary.topics[topic] ?? [];
  const words = Array.from({ length: 12 + random.below(17) }, () =>
    random.next() < TOPIC_WORD_SHARE ? own[random.zipf(own.length)] : vocabulary.general[random.zipf(vocabulary.general.length)],
  );
  const relations = Array.from({ length: triples }, () => {
    const subject = random.zipf(user.entities);
    const object = (subject + 1 + random.below(user.entities - 1)) % user.entities;
    return { subject: entityName(user, subject, vocabulary), predicate: random.pick(PREDICATES), object: entityName(user, object, vocabulary) };
  });
  const named = relations.length === 0 ? '' : ` ${relations.map(({ subject, object }) => `${subject} ${object}`).join(' ')}`;
  return {
    role: 'user',
    name: `Speaker ${String.fromCharCode(65 + random.below(SPEAKERS_PER_USER))}`,
    content: `${words.join(' ')}${named}.`,
    at: new Date(at).toISOString(),
    triples: relations,
  };
}

/** Two words and a number that only this entity of this user has. */
function entityName(user: BenchUser, entity: number, vocabulary: Vocabulary): string {
  const random = new Random(4_000_000 + user.number * 100_003 + entity);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return `${capital(random.pick(vocabulary.general))} ${capital(random.pick(vocabulary.general))} ${entity}`;
}
