/** Stands in texts that only fill a store: their vectors are random, since speed depends on the number of records and not on what they say. */
export const SYNTHETIC = 'synthetic note';
const DIMENSIONS = 384;
const WORDS =
  'harbour gate ticket ferry night boat printer server meeting lake garden paint music train market cheese bicycle river school report'.split(' ');

export function syntheticText(index: number): string {
  const word = (step: number) => WORDS[(index * step + (index >> step)) % WORDS.length] ?? '';
  return `${SYNTHETIC} ${index}: the ${word(1)} and the ${word(3)} near the ${word(7)} of ${word(11)}`;
}

export function syntheticVector(text: string): Float32Array {
  let state = 2166136261;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 16777619);
  const vector = new Float32Array(DIMENSIONS);
  let square = 0;
  for (let i = 0; i < DIMENSIONS; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const value = state / 2 ** 31;
    vector[i] = value;
    square += value * value;
  }
  return vector.map((value) => value / Math.sqrt(square));
}
