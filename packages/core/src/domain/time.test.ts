import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localMinute, parseTime } from './time.ts';

describe('parseTime', () => {
  it.each([
    ['2024-03-01', '2024-03-01T00:00:00.000Z', 0],
    ['2024-03', '2024-03-01T00:00:00.000Z', 0],
    ['2024-02-29T23:59:59.987Z', '2024-02-29T23:59:59.987Z', 0],
    ['2024-03-01T09:30:15.123456z', '2024-03-01T09:30:15.123Z', 0],
    ['  2024-03-01T09:30  ', '2024-03-01T09:30:00.000Z', 0],
    ['2024-03-01 09:30:00', '2024-03-01T09:30:00.000Z', 0],
    ['2025-01-01T01:30:00+09:00', '2024-12-31T16:30:00.000Z', 540],
    ['2024-12-31T23:30:00-05:00', '2025-01-01T04:30:00.000Z', -300],
    ['2024-03-01T09:30:00+0530', '2024-03-01T04:00:00.000Z', 330],
    ['2024-03-01 09:30 -03', '2024-03-01T12:30:00.000Z', -180],
    ['2024-03-01T09:30-00:00', '2024-03-01T09:30:00.000Z', 0],
    ['1850-01-01', '1850-01-01T00:00:00.000Z', 0],
    ['2262-04-12T00:00Z', '2262-04-12T00:00:00.000Z', 0],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', 0],
  ])('reads %s', (text, at, utcOffsetMinutes) => {
    expect(parseTime(text)).toEqual({ at, utcOffsetMinutes });
  });

  it.each([
    '',
    '   ',
    'yesterday',
    '1709285400',
    '2024',
    '2024-13-01',
    '2024-02-30',
    '2023-02-29',
    '2024-00-10',
    '2024-03-00',
    '2024-03-01 (x)',
    '2024-03-01T25:00',
    '2024-03-01T09:30+24:00',
    '2024-03-01T09:30 EST',
    '01/03/2024',
    'March 1, 2024',
    '2024-03-01\n2024-03-02',
    '+010000-01-01',
    '9999-12-31T23:59-12:00',
    '9999-12-31T23:59Z+01',
    '0000-01-01T00:00+14:00',
  ])('does not read %j', (text) => {
    expect(parseTime(text)).toBeUndefined();
  });

  it('takes a Date, and no Date that holds no time', () => {
    expect(parseTime(new Date('2024-03-01T09:30:00+09:00'))).toEqual({ at: '2024-03-01T00:30:00.000Z', utcOffsetMinutes: 0 });
    expect(parseTime(new Date('nonsense'))).toBeUndefined();
    expect(parseTime(new Date(8.64e15))).toBeUndefined();
    expect(parseTime(new Date(-8.64e15))).toBeUndefined();
  });

  it('never throws, and gives back what it wrote', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseTime(text)));
    fc.assert(
      fc.property(fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }), (date) => {
        expect(parseTime(date.toISOString())?.at).toBe(date.toISOString());
      }),
    );
  });

  it('means the same on machines of different zones', () => {
    const script = `
      import { localMinute, parseTime } from ${JSON.stringify(new URL('./time.ts', import.meta.url).href)};
      const texts = ['2024-03-10', '2024-03-10 02:30', '2024-03', '2024-03-10T02:30:00', '2024-03-10T02:30:00-05:00'];
      console.log(JSON.stringify(texts.map((text) => { const time = parseTime(text); return [time, time && localMinute(time)]; })));`;
    const inZone = (zone: string) =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
        env: { ...process.env, TZ: zone, NODE_NO_WARNINGS: '1' },
      });
    expect(inZone('America/New_York')).toBe(inZone('Asia/Seoul'));
    expect(JSON.parse(inZone('America/New_York'))[1]).toEqual([{ at: '2024-03-10T02:30:00.000Z', utcOffsetMinutes: 0 }, '2024-03-10 02:30']);
  });
});

describe('localMinute', () => {
  it.each([
    [{ at: '2024-12-31T16:30:00.000Z', utcOffsetMinutes: 540 }, '2025-01-01 01:30'],
    [{ at: '2025-01-01T04:30:00.000Z', utcOffsetMinutes: -300 }, '2024-12-31 23:30'],
    [{ at: '2024-02-29T00:00:59.999Z', utcOffsetMinutes: 0 }, '2024-02-29 00:00'],
  ])('shows %j as the author saw it', (time, shown) => {
    expect(localMinute(time)).toBe(shown);
  });

  it('shows the wall clock that was written', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        (date, offset) => {
          const wall = date.toISOString().slice(0, 16);
          const pad = (value: number) => String(value).padStart(2, '0');
          const zone = `${offset < 0 ? '-' : '+'}${pad(Math.trunc(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`;
          const parsed = parseTime(`${wall}${zone}`);
          expect(parsed?.utcOffsetMinutes).toBe(offset);
          expect(parsed === undefined ? '' : localMinute(parsed)).toBe(wall.replace('T', ' '));
        },
      ),
    );
  });
});
