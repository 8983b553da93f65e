import type { MessageInput } from '@tandem-memory/core';

export interface MarkedTurns {
  /** Words of the turns, of their names, relations and metadata, and of the scope, that may be found nowhere when they are forgotten. */
  readonly marks: readonly string[];
  /** Where they were said. */
  readonly scope: { readonly sessionId: string; readonly agentId: string; readonly sourceId: string };
  readonly said: readonly MessageInput[];
  /** Of somebody, or a session, that stays. */
  readonly other: readonly MessageInput[];
}

/**
 * Turns of many lengths that hold what is looked for in the files of a store.
 * @param joint stands inside the marks; "§" makes Neo4j keep short texts in whole bytes
 */
export function markedTurns(count: number, joint = '-'): MarkedTurns {
  const [person, company, room] = [`Zork${joint}blat`, `Frob${joint}nitz GmbH`, `secret${joint}place`];
  const scope = { sessionId: `sess${joint}quux`, agentId: `agent${joint}xyzzy`, sourceId: `src${joint}plugh.md` };
  const numbers = Array.from({ length: count }, (_, n) => n);
  return {
    marks: [person, person.toLowerCase(), company, room, '김도깨비', '마법 마법', `knows${joint}well`, ...Object.values(scope)],
    scope,
    said: numbers.map((n) => ({
      role: 'user',
      name: person,
      content: `${person} told 김도깨비 about ${company}, number ${n}. ${'마법 '.repeat(n % 40)}`,
      metadata: { room },
      triples: [
        { subject: person, predicate: `knows${joint}well`, object: `김도깨비 ${n % 50}`, properties: { at: room } },
        { subject: company, predicate: 'is', object: `마법 마법 ${n % 7}` },
      ],
    })),
    other: numbers.map((n) => ({
      role: 'user',
      content: `Plain talk ${n} of Marek. ${'word '.repeat(n % 60)}`,
      triples: [['Marek', 'counts', `sheep ${n}`]],
    })),
  };
}
