const MAX_NOTES = 20;

/** Notes for a person: each once, the first of them in words and the rest as a number, since a broken file has as many as lines. */
export class NoteList {
  readonly #notes = new Set<string>();
  #more = 0;

  add(note: string): void {
    if (this.#notes.size < MAX_NOTES) this.#notes.add(note);
    else if (!this.#notes.has(note)) this.#more++;
  }

  list(): string[] {
    return this.#more === 0 ? [...this.#notes] : [...this.#notes, `and ${this.#more} more`];
  }
}
