/** `1 memory`, `2 memories`: a number with its word. */
export function counted(count: number, word: string, words = `${word}s`): string {
  return `${count} ${count === 1 ? word : words}`;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;

/** `12.3 MB`: a size for people, by powers of 1000. */
export function size(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return unit === 0 ? counted(bytes, 'byte') : `${value.toFixed(1)} ${UNITS[unit]}`;
}

/** `45 s`, `3 min 20 s`, `1 h 5 min`. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
