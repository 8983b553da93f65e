import { readFileContent } from '@tandem-memory/ingest';

/** A file's content as the readers give it. */
export async function read(content: string | Uint8Array, name?: string) {
  const found = await readFileContent(Buffer.from(content as Uint8Array), name);
  if ('refused' in found) throw new Error(found.refused);
  return found;
}

export async function sections(content: string | Uint8Array, name?: string) {
  const text = (await read(content, name)).documents[0]?.text;
  return typeof text === 'string' ? [{ text }] : (text ?? []);
}

export const refusal = async (content: string | Uint8Array, name?: string) => readFileContent(Buffer.from(content as Uint8Array), name);
