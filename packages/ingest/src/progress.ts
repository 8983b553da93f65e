import { stat } from 'node:fs/promises';
import type { Input } from './find-files.ts';

export interface IngestProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  /** Of the files' sizes: the measure for rate and time left, since it is known from the beginning. Moves within a large file too. */
  readonly bytesDone: number;
  readonly bytesTotal: number;
  /** Messages and documents stored so far. */
  readonly itemsDone: number;
  /** Messages and documents of the files that were opened so far: it grows from file to file. */
  readonly itemsTotal: number;
  /** Undefined between two files and at the end. */
  readonly currentFile: string | undefined;
  readonly elapsedMs: number;
}

/** Counts what is done and tells it. Several files may be open at once. */
export class ProgressCounter {
  readonly #started = performance.now();
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #tell: ((progress: IngestProgress) => void) | undefined;
  readonly #bytesTotal: number;
  /** Share that is done, and items, by open file. */
  readonly #open = new Map<string, { readonly share: number; readonly items: number }>();
  #filesDone = 0;
  #bytesDone = 0;
  #itemsDone = 0;
  #itemsTotal = 0;

  private constructor(sizes: ReadonlyMap<string, number>, tell: ((progress: IngestProgress) => void) | undefined) {
    this.#sizes = sizes;
    this.#tell = tell;
    this.#bytesTotal = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  static async of(inputs: readonly Input[], tell: ((progress: IngestProgress) => void) | undefined): Promise<ProgressCounter> {
    const sizes = new Map<string, number>();
    for (const input of inputs) {
      if (input.kind === 'stdin') sizes.set(input.name, 0);
      else if (input.kind === 'file') sizes.set(input.name, await sizeOf(input.path));
    }
    return new ProgressCounter(sizes, tell);
  }

  /** Of the files that are done. */
  get bytes(): number {
    return this.#bytesDone;
  }

  fileOpened(name: string, items: number): void {
    this.#open.set(name, { share: 0, items: 0 });
    this.#itemsTotal += items;
    this.#report(name);
  }

  /** @param done items of the file that are stored so far; a document of which a part is, counts as that part */
  itemsStored(name: string, done: number, total: number): void {
    const items = Math.floor(done);
    this.#itemsDone += items - (this.#open.get(name)?.items ?? 0);
    this.#open.set(name, { share: done / total, items });
    this.#report(name);
  }

  fileDone(name: string): void {
    this.#open.delete(name);
    this.#filesDone++;
    this.#bytesDone += this.#sizes.get(name) ?? 0;
    this.#report(undefined);
  }

  #report(currentFile: string | undefined): void {
    const open = [...this.#open].reduce((sum, [name, { share }]) => sum + share * (this.#sizes.get(name) ?? 0), 0);
    this.#tell?.({
      filesDone: this.#filesDone,
      filesTotal: this.#sizes.size,
      bytesDone: Math.round(this.#bytesDone + open),
      bytesTotal: this.#bytesTotal,
      itemsDone: this.#itemsDone,
      itemsTotal: this.#itemsTotal,
      currentFile,
      elapsedMs: Math.round(performance.now() - this.#started),
    });
  }
}

/** What can't be asked for its size is reported when it is opened. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
