import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalForm } from './normal-form.ts';

describe('normalForm', () => {
  it.each([
    ['Solar_Panel', 'solar panel'],
    ['solar panel', ' Solar   Panels '],
    ['solar-panel', 'Solar\tPanel'],
    ['Roof', 'the ROOF.'],
    ['Café', 'cafe\u0301'],
    ['Ｔａｎｄｅｍ', 'tandem'],
    ['Zürich', 'zurich'],
    ["Elm's Workshop", 'Elm Workshop'],
    ['“Blue Hall”', 'blue hall'],
    ['Anna-Lena', 'Anna Lena'],
    ['solar\u200bpanel', 'solarpanel'],
    ['berries', 'Berry'],
    ['branches', 'branch'],
    ['glasses', 'glass'],
    ['서울', '서울'.normalize('NFD')],
    ['が', 'が'.normalize('NFD')],
    ['ﾊﾟﾝ', 'パン'],
    ['小林', ' 小林 '],
    ['Łódź', 'Lodz'],
    ['Søren', 'soren'],
    ['مُحَمَّد', 'محمد'],
    ['أحمد', 'احمد'],
    ['שָׁלוֹם', 'שלום'],
    ['غرفة ٤٢', 'غرفة 42'],
    ['light\u00adhouse', 'Lighthouse'],
  ])('%j and %j are one name', (a, b) => {
    expect(normalForm(a)).toBe(normalForm(b));
  });

  it.each([
    ['Permit HB-2031-07', 'Permit HB-2031-08'],
    ['Java', 'JavaScript'],
    ['C', 'C++'],
    ['C', 'C#'],
    ['AC/DC', 'AC DC'],
    ['v1.0', 'v10'],
    ['K9-TARP', 'K9 TARP'],
    ['Room 1', 'Room 11'],
    ['3-4', '34'],
    ['!!!', '???'],
    ['+', '-'],
    ['…', '---'],
    ['か', 'が'],
    ['小林', '小森'],
    ['지민', '지인'],
    ['Jo', 'Joe'],
    ['-5', '5'],
    ['राम', 'रमा'],
    ['ป่า', 'ป้า'],
    ['محمد', 'محمود'],
  ])('%j and %j are two', (a, b) => {
    expect(normalForm(a)).not.toBe(normalForm(b));
  });

  it.each(['James', 'Paris', 'news', 'Texas', 'series', 'Venus', 'glass', 'gas', 'Chaos', 'Agnes Us', '2s', 'iOS'])('%s is no plural', (name) => {
    expect(normalForm(name)).toBe(name.toLowerCase());
  });

  it.each([
    ['Williams', 'William'],
    ['Adams', 'Adam'],
    ['Robin Roberts', 'Robin Robert'],
    ['Daniels', 'Daniel'],
    ['Evans', 'Evan'],
    ['Matthews', 'Matthew'],
  ])('%s and %s are two people', (a, b) => {
    expect(normalForm(a)).not.toBe(normalForm(b));
  });

  it('gives every visible name a form, the same however it is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const form = normalForm(name);
        if (/[^\s\p{Cf}]/u.test(name)) expect(form).not.toBe('');
        expect(normalForm(name.normalize('NFC'))).toBe(normalForm(name.normalize('NFD')));
        expect(normalForm(`  ${name}\n`)).toBe(form);
      }),
      { numRuns: 2000 },
    );
  });
});
