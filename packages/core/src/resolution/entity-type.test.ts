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

  it('goes with itself and with what says nothing', () => {
    expect(compatibleTypes('place', 'place', 'Elm')).toBe(true);
    expect(compatibleTypes('place', 'other', 'Elm')).toBe(true);
    expect(compatibleTypes('other', 'place', 'Elm')).toBe(true);
    expect(compatibleTypes('place', 'person', 'Elm')).toBe(false);
  });
});
