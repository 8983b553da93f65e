import { describe, expect, it } from 'vitest';
import { printable, printableLine } from './terminal.ts';

const HOSTILE = 'a\u001b[31mb\u009b31mc\u0007d\u202ee\u2066f\tg\r\nh';

describe('text out of a memory', () => {
  it('keeps its lines and loses what a terminal would obey', () => {
    expect(printable(HOSTILE)).toBe('a\ufffd[31mb\ufffd31mc\ufffdd\ufffde\ufffdf  g\ufffd\nh');
  });

  it('within a line has no line breaks either', () => {
    expect(printableLine(HOSTILE)).toBe('a\\u001b[31mb\\u009b31mc\\u0007d\\u202ee\\u2066f\\tg\\r\\nh');
  });

  it('of any script is left as it is', () => {
    for (const text of ['김치 café', 'שלום עולם', 'می‌خواهم', '👩‍🚀']) expect([printable(text), printableLine(text)]).toEqual([text, text]);
  });
});
