import type { Voice } from '../domain/query.ts';
import { FIRST_PERSON, SECOND_PERSON, TOLD } from './voice-clauses.ts';

/**
 * Reads whose words a question asks for: what the user told the assistant ("Which trip did I tell you about?"), or the assistant the user ("What
 * did you recommend?"). Of several such clauses the last counts, for that is what is asked: "I asked you about presents: what did you
 * suggest?" A question about the asker ("What music do I like?") asks for the user's words too, less surely. Pure.
 */
export function readVoice(text: string): Voice | undefined {
  const found = (['assistant', 'user'] as const).flatMap((role) =>
    TOLD[role].flatMap((clause) => [...text.matchAll(clause)].map(({ index }) => ({ role, index }))),
  );
  const last = found.sort((a, b) => a.index - b.index).at(-1);
  if (last !== undefined) return { role: last.role, said: true };
  return FIRST_PERSON.test(text) && !SECOND_PERSON.test(text) ? { role: 'user', said: false } : undefined;
}
