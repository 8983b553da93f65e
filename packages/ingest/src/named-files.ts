import { type LoadedFile, loadFile } from './load-file.ts';

type File = { readonly name: string; readonly path: string };

/** Characters of text kept between the look at all named files and their turn; beyond it a file is read again. */
const MAX_KEPT_LENGTH = 16 * 1024 * 1024;

/** The files that the user named are all read before anything is stored; small ones not a second time. */
export class NamedFiles {
  readonly #kept = new Map<string, LoadedFile>();
  #length = 0;

  async load(file: File, maxFileBytes: number): Promise<LoadedFile> {
    const loaded = await loadFile(file, maxFileBytes);
    const length = lengthOf(loaded);
    if (this.#length + length <= MAX_KEPT_LENGTH) {
      this.#length += length;
      this.#kept.set(file.name, loaded);
    }
    return loaded;
  }

  /** A file that was kept, once. */
  take(file: File): LoadedFile | undefined {
    const loaded = this.#kept.get(file.name);
    this.#kept.delete(file.name);
    return loaded;
  }
}

function lengthOf(loaded: LoadedFile): number {
  if (loaded.status !== 'loaded') return 0;
  const { documents, messages } = loaded.content;
  const texts = documents.flatMap(({ text }) => (typeof text === 'string' ? [text] : text.map((section) => section.text)));
  return [...texts, ...messages.map(({ message }) => message.content)].reduce((sum, text) => sum + text.length, 0);
}
