import type { Voice } from '../domain/query.ts';
import { ENGLISH_QUESTION, FIRST_PERSON, HOW_TO, SECOND_PERSON, TOLD } from './voice-clauses.ts';

/**
 * Reads whose words a question asks for: what the user told the assistant ("Which trip did I tell you about?"), or the assistant the user ("What
 * did you recommend?"). Of several such clauses the last counts, for that is what is asked: "I asked you about presents: what did you
 * suggest?" A question about the asker ("What music do I like?") asks for the user's words too, less surely. What is quoted is nobody's
 * question. Pure.
 */
export function readVoice(text: string): Voice | undefined {
  const own = withoutQuotes(text);
  const asked = [...own.matchAll(ENGLISH_QUESTION)].at(-1);
  const found = (['assistant', 'user'] as const).flatMap((role) =>
    TOLD[role].flatMap((clause) => [...own.matchAll(clause)].map(({ index }) => ({ role, index }))),
  );
  const last = found.sort((a, b) => a.index - b.index).findLast(({ index }) => asked === undefined || index === asked.index);
  if (last !== undefined) return { role: last.role, said: true };
  const isAbout = asked === undefined ? FIRST_PERSON.test(own) && !SECOND_PERSON.test(own) : asked[1]?.toLowerCase() === 'i';
  return isAbout && !HOW_TO.test(own) ? { role: 'user', said: false } : undefined;
}

function withoutQuotes(text: string): string {
  const rest = text.replace(
    /"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»|「[^」]*」|『[^』]*』|《[^》]*》|〈[^〉]*〉|(?<![\p{L}\p{N}])['‘][^'’]*['’](?!\p{L})/gu,
    ' ',
  );
  return /\p{L}/u.test(rest) ? rest : text;
}
