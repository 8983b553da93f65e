import type { Memory } from 'tandem-memory';
import type { Passage } from './read-passages.ts';

const DAY_MS = 86_400_000;

export interface OtherTurns {
  /** So manieth triple is said otherwise. */
  readonly every: number;
  /** Which of them: below `every`, each is another choice. */
  readonly draw: number;
  /** False: the same turns, but of a predicate that has room for both, so that nothing ends. What they cost all the same is not for the ends. */
  readonly contradicting: boolean;
}

export interface Contradictions {
  readonly passages: number;
  readonly triples: number;
  /** Facts of the data set that they ended. */
  readonly ended: number;
}

/**
 * Says of every so manieth triple of the data set something else a day later: the same subject and predicate, and as object what another
 * triple has behind the same predicate. One passage for each that is contradicted, in the words of its triples.
 */
export async function contradict(
  memory: Memory,
  passages: readonly Passage[],
  userId: string,
  { every, draw, contradicting }: OtherTurns,
): Promise<Contradictions> {
  const triples = passages.flatMap(({ id, triples }) =>
    triples.flatMap(([subject = '', predicate = '', object = '', ...more]) =>
      more.length > 0 || [subject, predicate, object].some((part) => part.trim() === '') ? [] : [{ id, subject, predicate, object }],
    ),
  );
  const objects = Map.groupBy(triples, ({ predicate }) => predicate);
  const wrong = triples.flatMap(({ id, subject, predicate, object }, index) => {
    if (index % every !== draw) return [];
    const others = (objects.get(predicate) ?? []).map((each) => each.object).filter((each) => each !== object && each !== subject);
    const other = others[index % Math.max(1, others.length)] ?? triples[(index + 1) % triples.length]?.object ?? '';
    return other === '' || other === subject || other === object ? [] : [{ id, subject, predicate, object: other }];
  });
  const before = (await memory.stats(userId)).facts;
  const at = new Date(Date.now() + DAY_MS);
  const contradicted = Map.groupBy(wrong, ({ id }) => id);
  for (const own of contradicted.values()) {
    await memory.store(
      {
        role: 'user',
        content: own.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}.`).join(' '),
        at,
        triples: own.map(({ subject, predicate, object }) => [subject, contradicting ? predicate : `was also said to ${predicate}`, object] as const),
      },
      { userId, waitForIndex: false },
    );
  }
  await memory.flush();
  let [ended, seen] = [0, 0];
  for (let after: string | undefined; ; ) {
    const page = await memory.facts({ userId }, { limit: 1_000, ...(after === undefined ? {} : { after }) });
    ended += page.filter((fact) => fact.expiredAt !== undefined).length;
    seen += page.length;
    after = page.at(-1)?.id;
    if (after === undefined || page.length < 1_000) break;
  }
  return { passages: contradicted.size, triples: seen - before, ended };
}
