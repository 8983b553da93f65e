import { expect, it } from 'vitest';
import { counted, duration, size } from './counted.ts';

it('a number stands with its word', () => {
  expect([0, 1, 2].map((count) => counted(count, 'memory', 'memories'))).toEqual(['0 memories', '1 memory', '2 memories']);
  expect(counted(1, 'file')).toBe('1 file');
});

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [12_345_678, '12.3 MB'],
  [5e12, '5000.0 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(size(bytes)).toBe(text);
});

it.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [200, '3 min 20 s'],
  [3900, '1 h 5 min'],
])('%d seconds are %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});
