import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENTITY_TYPES } from '../domain/entity.ts';
import { compatibleTypes, entityType } from './entity-type.ts';

describe('entityType', () => {
  it.each([
    ['person', 'person'],
    ['PERSON', 'person'],
    ['Person-Name', 'person'],
    ['People', 'person'],
    ['City/State', 'place'],
    ['GPE', 'place'],
    ['Company', 'organization'],
    ['software_library', 'product'],
    ['programming language', 'product'],
    ['2nd type', 'other'],
    ['event', 'event'],
    ['Documents', 'document'],
    ['', 'other'],
    ['   ', 'other'],
    ['MATCH (n) DETACH DELETE n', 'other'],
    ['constructor', 'other'],
    ['__proto__', 'other'],
    [undefined, 'other'],
  ] as const)('%s is %s', (wording, type) => {
    expect(entityType(wording)).toBe(type);
  });

  it('is always of the closed set', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (wording) => void expect(ENTITY_TYPES).toContain(entityType(wording))));
    for (const type of ENTITY_TYPES) expect(entityType(type)).toBe(type);
  });

  it.each([
    ['Elm', 'place', 'Elm', 'place', true],
    ['Elm', 'place', 'Elm', 'other', true],
    ['Elm', 'other', 'Elm', 'place', true],
    ['Elm', 'place', 'Elm', 'person', false],
    ['Harbor Cafe', 'place', 'harbor cafe', 'organization', true],
    ['Solar_Panel', 'product', 'solar panel', 'object', true],
    ['Martin Luther', 'person', 'Martin Luther', 'document', false],
    ['kayak', 'product', 'kayak', 'object', true],
    ['kayak', 'product', 'kayak', 'place', false],
    ['Amazon', 'organization', 'Amazon', 'place', false],
    ['Python', 'product', 'python', 'object', false],
    ['Mercury', 'object', 'Mercury', 'concept', false],
  ] as const)('%s (%s) and %s (%s): %s', (first, firstType, second, secondType, expected) => {
    expect(compatibleTypes({ name: first, type: firstType }, { name: second, type: secondType })).toBe(expected);
    expect(compatibleTypes({ name: second, type: secondType }, { name: first, type: firstType })).toBe(expected);
  });
});
