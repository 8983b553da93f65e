/**
 * Scales a vector to int8 so that its largest component becomes 127.
 * @returns the scale: component = int8 x scale
 */
export function quantize(vector: Float32Array, into: Int8Array | Int16Array, offset: number): number {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i] ?? 0));
  const scale = largest / 127;
  for (let i = 0; i < vector.length; i++) into[offset + i] = Math.round((vector[i] ?? 0) / scale);
  return scale;
}
