import { open } from 'node:fs/promises';

/** All bytes of a file, or undefined where there are more than `maxBytes` of them; then little of it was read. @throws errors of the system */
export async function readFileBytes(path: string, maxBytes: number): Promise<{ readonly bytes: Uint8Array | undefined; readonly modifiedAt: Date }> {
  await using file = await open(path);
  const { size, mtime: modifiedAt } = await file.stat();
  // The size was only a first look: a log may grow under the reader, and some systems tell 0.
  const bytes = size > maxBytes ? undefined : await readStreamBytes(file.createReadStream({ autoClose: false }), maxBytes);
  return { bytes, modifiedAt };
}

/** All bytes of a stream, or undefined where there are more than `maxBytes` of them. */
export async function readStreamBytes(stream: AsyncIterable<Uint8Array | string>, maxBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    size += bytes.length;
    if (size > maxBytes) return undefined;
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}
