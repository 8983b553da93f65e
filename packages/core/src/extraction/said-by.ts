import type { NewEpisode } from '../domain/episode.ts';
import { normalForm } from '../domain/normal-form.ts';
import { analyseText } from '../domain/text-analysis.ts';

export type ShownMessage = Pick<NewEpisode, 'role' | 'speaker' | 'content'> & Partial<Pick<NewEpisode, 'kind'>>;

/** Tells which of the shown messages an item comes from that does not give its number. */
export class MessageFinder {
  readonly #messages: readonly ShownMessage[];
  #terms: readonly ReadonlySet<string>[] | undefined;

  constructor(messages: readonly ShownMessage[]) {
    this.#messages = messages;
  }

  get count(): number {
    return this.#messages.length;
  }

  /**
   * The one message that holds every word of the item that any of them holds: a question and its answer hold a part each, and then it is neither.
   * @param author role or name that the item gives; of several messages of that author the one that holds most
   */
  find(text: string, author?: string): number | undefined {
    const wanted = author === undefined ? undefined : normalForm(author);
    const isAuthor = ({ role, speaker }: ShownMessage) => role === wanted || (speaker !== undefined && normalForm(speaker) === wanted);
    const own = this.#messages.flatMap((message, index) => (isAuthor(message) ? [index] : []));
    if (own.length === 1) return own[0];
    this.#terms ??= this.#messages.map(({ content }) => new Set(analyseText(content)));
    const terms = [...new Set(analyseText(text))];
    const held = this.#terms.map((message) => terms.filter((term) => message.has(term)));
    const most = (indexes: readonly number[]) => indexes.toSorted((a, b) => (held[b]?.length ?? 0) - (held[a]?.length ?? 0) || a - b)[0];
    if (own.length > 0) return most(own);
    const best = most([...this.#messages.keys()]);
    const holdsAll = (index: number) => held.every((others) => others.every((term) => held[index]?.includes(term)));
    const fitting = best === undefined || held[best]?.length === 0 ? [] : [...this.#messages.keys()].filter(holdsAll);
    return fitting.length === 1 ? fitting[0] : undefined;
  }
}
