const LINE_BREAK = 10;
const SPACE = 32;
const PADDING = 61;
/** Value of each base64 letter. */
const SEXTETS = new Uint8Array(128);
for (const [value, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  SEXTETS[letter.charCodeAt(0)] = value;

/**
 * Rank by a token's bytes; lower ranks merge first. A hash table with linear probing over one array of bytes: a `Map` of 200,000 strings takes
 * ten times as long to fill, which was a third of a command's start.
 */
export class RankTable {
  /** The tokens one after another; token i ends where i + 1 begins. */
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #ranks: Uint32Array;
  /** Number of a token plus 1; 0 for a free place. */
  readonly #places: Uint32Array;

  /** @param packed the table as js-tiktoken packs it: lines of a mark, the rank of the first token, then tokens in base64 with consecutive ranks */
  constructor(packed: string) {
    const text = Buffer.from(packed, 'latin1');
    const bytes = new Uint8Array(text.length);
    const starts: number[] = [0];
    const ranks: number[] = [];
    let at = 0;
    let end = 0;
    while (at < text.length) {
      at = text.indexOf(SPACE, at) + 1;
      const first = text.indexOf(SPACE, at);
      let rank = Number(text.toString('latin1', at, first));
      at = first + 1;
      while (at < text.length && text[at - 1] !== LINE_BREAK) {
        let bits = 0;
        let count = 0;
        let letter = text[at] ?? LINE_BREAK;
        for (; letter > SPACE; letter = text[++at] ?? LINE_BREAK) {
          if (letter === PADDING) continue;
          bits = (bits << 6) | (SEXTETS[letter] ?? 0);
          count += 6;
          if (count >= 8) {
            count -= 8;
            bytes[end++] = bits >> count;
            bits &= (1 << count) - 1;
          }
        }
        at++;
        starts.push(end);
        ranks.push(rank++);
      }
    }
    this.#bytes = bytes.slice(0, end);
    this.#starts = Uint32Array.from(starts);
    this.#ranks = Uint32Array.from(ranks);
    this.#places = new Uint32Array(2 ** Math.ceil(Math.log2(2 * ranks.length + 1)));
    for (let token = 0; token < ranks.length; token++) {
      const [from, to] = [this.#starts[token] ?? 0, this.#starts[token + 1] ?? 0];
      let place = hash(this.#bytes, from, to) & (this.#places.length - 1);
      while (this.#places[place] !== 0) place = (place + 1) & (this.#places.length - 1);
      this.#places[place] = token + 1;
    }
  }

  /** Of the bytes `from` to before `to`; undefined where they are no token. */
  rank(bytes: Uint8Array, from: number, to: number): number | undefined {
    const mask = this.#places.length - 1;
    for (let place = hash(bytes, from, to) & mask; this.#places[place] !== 0; place = (place + 1) & mask) {
      const token = (this.#places[place] ?? 0) - 1;
      if (this.#isToken(token, bytes, from, to)) return this.#ranks[token];
    }
    return undefined;
  }

  #isToken(token: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[token] ?? 0;
    if ((this.#starts[token + 1] ?? 0) - start !== to - from) return false;
    for (let i = from; i < to; i++) if (bytes[i] !== this.#bytes[start + i - from]) return false;
    return true;
  }
}

/** FNV-1a, with its upper bits mixed in. */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let i = from; i < to; i++) value = Math.imul(value ^ (bytes[i] ?? 0), 0x01000193);
  return value ^ (value >>> 15);
}
