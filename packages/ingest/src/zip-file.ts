import { Buffer } from 'node:buffer';
import { type Entry, fromBufferPromise, type ZipFile as YauzlFile } from 'yauzl';

/** Unpacked size of all parts together. Word documents of a thousand pages have 10 MiB. */
const MAX_UNPACKED_BYTES = 96 * 1024 * 1024;
const MAX_ENTRIES = 10_000;

/** A file that unpacks to more than anyone needs. */
export class ZipLimitError extends Error {
  override readonly name = 'ZipLimitError';
}

/** A ZIP archive in memory. What is unpacked of it is bounded, whatever sizes it claims. */
export class ZipFile {
  readonly bytes: Buffer;
  readonly #zip: YauzlFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #unpacked = 0;

  private constructor(bytes: Buffer, zip: YauzlFile, entries: ReadonlyMap<string, Entry>) {
    this.bytes = bytes;
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws an error where it is no readable archive; ZipLimitError */
  static async open(bytes: Uint8Array): Promise<ZipFile> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const zip = await fromBufferPromise(buffer, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= MAX_ENTRIES) throw new ZipLimitError(`an archive of more than ${MAX_ENTRIES} parts`);
      entries.set(entry.fileName, entry);
    }
    return new ZipFile(buffer, zip, entries);
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** True where a part is encrypted. */
  get encrypted(): boolean {
    return [...this.#entries.values()].some((entry) => entry.isEncrypted());
  }

  /** @throws ZipLimitError, and an error where the part is damaged */
  async read(name: string): Promise<Buffer> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`no part ${name}`);
    const parts: Buffer[] = [];
    for await (const part of await this.#zip.openReadStreamPromise(entry)) {
      const chunk = part as Buffer;
      this.#unpacked += chunk.length;
      if (this.#unpacked > MAX_UNPACKED_BYTES) throw new ZipLimitError(`it unpacks to more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MiB`);
      parts.push(chunk);
    }
    return Buffer.concat(parts);
  }

  /** Reads every part once and keeps none. @throws ZipLimitError, and an error where a part is damaged */
  async unpackAll(): Promise<void> {
    for (const name of this.#entries.keys()) if (!name.endsWith('/')) await this.read(name);
    this.#unpacked = 0;
  }
}
