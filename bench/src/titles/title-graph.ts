import type { PassageQuestion } from '../passages/passage-recall.ts';
import type { Passage } from '../passages/read-passages.ts';

const PARTS = [
  'bar',
  'cal',
  'dor',
  'fen',
  'gil',
  'hal',
  'ker',
  'lor',
  'mar',
  'nol',
  'pel',
  'quin',
  'ros',
  'sel',
  'tav',
  'ul',
  'vim',
  'wex',
  'yar',
  'zan',
];
const KINDS = ['film', 'novel', 'opera', 'bridge', 'orchard', 'ferry', 'song', 'museum'] as const;
const MADE = {
  film: 'directed',
  novel: 'written',
  opera: 'composed',
  bridge: 'designed',
  orchard: 'planted',
  ferry: 'built',
  song: 'recorded',
  museum: 'founded',
} as const;

/**
 * Documents that name each other by their titles, in the manner of 2WikiMultihopQA: works, their makers, the towns where those were born, and
 * questions that need two or four of them. Generated, and told in sentences that share their words, so that only a name leads to the second half.
 */
export function titleGraph(works: number, seed = 7): { readonly passages: Passage[]; readonly questions: PassageQuestion[] } {
  let state = seed;
  const below = (count: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const part = () => PARTS[below(PARTS.length)] ?? '';
  const used = new Set<string>();
  const name = (words: number): string => {
    const made = Array.from({ length: words }, () => capital(part() + part() + (below(3) === 0 ? part() : ''))).join(' ');
    if (used.has(made)) return name(words);
    used.add(made);
    return made;
  };
  const passages: Passage[] = [];
  const add = (title: string, text: string) => {
    passages.push({ id: title, title, text, triples: [] });
    return title;
  };
  const towns = Array.from({ length: Math.ceil(works / 2) }, () => name(1));
  for (const town of towns)
    add(town, `${town} is a town of ${1000 + below(90_000)} people. It lies on the river ${name(1)} and is known for its market.`);
  const made = Array.from({ length: works }, (_, index) => {
    const kind = KINDS[index % KINDS.length] ?? 'film';
    const [work, person, parent] = [name(2), name(2), name(2)];
    const town = towns[below(towns.length)] ?? '';
    const year = 1850 + below(150);
    add(work, `${work} is a ${kind} of ${year}. It was ${MADE[kind]} by ${person} and met with much praise.`);
    add(person, `${person} was born in ${town} in ${year - 30 - below(20)}, a child of ${parent}, and worked until ${year + below(20)}.`);
    add(parent, `${parent} kept a shop for many years and wrote letters, of which some are printed.`);
    return { kind, work, person, town, parent };
  });
  const questions = made.flatMap(({ kind, work, person, town, parent }, index): PassageQuestion[] => {
    const other = made[(index + KINDS.length) % made.length];
    const maker = `the one by whom the ${kind} ${work} was ${MADE[kind]}`;
    const bridge = { question: `Where was ${maker} born?`, gold: [work, person] };
    const family = { question: `Whose child was ${maker}, and what did that parent keep?`, gold: [work, person, parent] };
    const place = { question: `How many people live in the town where ${maker} was born?`, gold: [work, person, town] };
    const both =
      other === undefined || other.work === work
        ? []
        : [
            {
              question: `Were the makers of the ${kind} ${work} and the ${other.kind} ${other.work} born in one town?`,
              gold: [work, person, other.work, other.person],
            },
          ];
    return [[bridge], [family], [place], both][index % 4] ?? [];
  });
  return { passages, questions };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
