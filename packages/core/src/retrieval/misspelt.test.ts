import { describe, expect, it } from 'vitest';
import type { Entity } from '../domain/entity.ts';
import { normalForm } from '../domain/normal-form.ts';
import { respelt, slipsAmong, startsOf, writtenAsNames } from './misspelt.ts';

const entity = (name: string): Entity => ({ id: name, userId: 'u', name, key: normalForm(name), aliases: [], type: 'person', createdAt: '' });
const meant = (written: string, ...names: string[]) => slipsAmong([written], names.map(entity)).map((slip) => slip.meant.name);

describe('misspelt names', () => {
  it('are one letter off, behind their beginning', () => {
    for (const written of ['carolin', 'carolinne', 'carolime', 'carolnie']) expect(meant(written, 'Caroline')).toEqual(['Caroline']);
    expect(meant('yartv wexbarbar', 'Yartav Wexbarbar')).toEqual(['Yartav Wexbarbar']);
    for (const written of ['karoline', 'carolniee', 'caro', 'caroline', 'charline']) expect(meant(written, 'Caroline')).toEqual([]);
  });

  it('are left alone where they are short, a code, or could be two', () => {
    expect(meant('maria', 'Mario')).toEqual([]);
    expect(meant('report 12', 'Report 13')).toEqual([]);
    expect(meant('report 1', 'Report 12')).toEqual([]);
    expect(meant('christin', 'Christina', 'Christine')).toEqual([]);
  });

  it('have capitals, and not for being the first word', () => {
    const written = (question: string) => writtenAsNames([...new Set(question.split(' ').map(normalForm)), 'anna carolin'], question);
    expect(written('Painted Carolin the harbour')).toEqual(['carolin']);
    expect(written('Did Anna Carolin paint?')).toEqual(['anna', 'carolin', 'anna carolin']);
    expect(written('what did carolin paint')).toEqual([]);
  });

  it('are looked for by few beginnings', () => {
    expect(startsOf(['carolin', 'caro', 'carola', 'anna carolin', 'x1234', '民아민아민'])).toEqual(['caro', '民아민아']);
    expect(startsOf(['aaaaa', 'bbbbb', 'ccccc', 'ddddd', 'eeeee'])).toHaveLength(4);
  });

  it('are put right in the text, as whole words, however they are spaced', () => {
    const slips = (written: string, name: string) => [{ written, meant: entity(name) }];
    expect(respelt("Is CAROLIN Carolin's, or Carolinda?", slips('carolin', 'Caroline'))).toBe("Is Caroline Caroline's, or Carolinda?");
    expect(respelt('The Yartv-Wexbarbar of Yartv  Wexbarbar', slips('yartv wexbarbar', '$& Wex'))).toBe('The $& Wex of $& Wex');
    expect(respelt('C++ (x)', slips('c++ (x', 'y'))).toBe('y)');
    expect(respelt('nothing', [])).toBe('nothing');
  });
});
