import { Random } from './random.ts';

const SYLLABLES =
  'ba be bi bo bu da de di do du fa fe fi ga go gu ka ke ki ko la le li lo lu ma me mi mo mu na ne ni no pa pe po ra re ri ro ru sa se si so ta te ti to va ve vi vo za zo'.split(
    ' ',
  );
const GENERAL_WORDS = 12_000;
const SHORT_WORDS = 1_000;
const TOPICS = 200;
const WORDS_PER_TOPIC = 40;

/** Made-up words: general ones that every text has, and for each topic its own. */
export interface Vocabulary {
  readonly general: readonly string[];
  readonly topics: readonly (readonly string[])[];
  readonly topicOf: ReadonlyMap<string, number>;
}

export function buildVocabulary(): Vocabulary {
  const random = new Random(1);
  const known = new Set<string>();
  const coin = (syllables: number): string => {
    for (;;) {
      let word = '';
      for (let length = syllables; length > 0; length--) word += random.pick(SYLLABLES);
      if (!known.has(word)) {
        known.add(word);
        return word;
      }
    }
  };
  // The frequent words are the short ones, as in any language.
  const general = Array.from({ length: GENERAL_WORDS }, (_, rank) => coin(rank < SHORT_WORDS ? 2 : 3));
  const topics = Array.from({ length: TOPICS }, () => Array.from({ length: WORDS_PER_TOPIC }, () => coin(3)));
  return { general, topics, topicOf: new Map(topics.flatMap((words, topic) => words.map((word): [string, number] => [word, topic]))) };
}
