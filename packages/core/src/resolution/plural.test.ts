import { describe, expect, it } from 'vitest';
import type { EntityType } from '../domain/entity.ts';
import { normalForm } from '../domain/normal-form.ts';
import { matchNames } from './match-name.ts';
import { numberForms } from './plural.ts';

const match = (a: string, b: string, type: EntityType = 'object', other: EntityType = type) =>
  matchNames({ name: a, type }, { name: b, type: other });

describe('the plural of a thing', () => {
  it.each(
    `photo photos;piano pianos;video videos;logo logos;zero zeros;menu menus;sofa sofas;taxi taxis;key keys;bee bees;tie ties;API APIs;PC PCs;CD CDs;
    movie movies;bus buses;lens lenses;virus viruses;tomato tomatoes;shelf shelves;knife knives;child children;mouse mice;tooth teeth;
    kitchen_knife kitchen_knives;cookie cookies;house houses;gas gases;quiz quizzes;analysis analyses;car cars;Piano pianos`
      .split(';')
      .map(
        (pair) =>
          pair
            .trim()
            .split(' ')
            .map((name) => name.replaceAll('_', ' ')) as [string, string],
      ),
  )('%s, %s', (one, several) => {
    expect(match(one, several)).toMatch(/^(?:normal form|spelling)$/);
    expect(match(several, one, 'other', 'object')).toBe(/^\p{Lu}\p{Ll}/u.test(one) ? undefined : match(one, several));
    // Where one is known, the other is looked for under its key.
    if (normalForm(one) !== normalForm(several)) {
      expect(numberForms({ name: several, type: 'object' })).toContain(normalForm(one));
      expect(numberForms({ name: one, type: 'object' })).toContain(normalForm(several));
    }
  });

  it.each<readonly [string, string, EntityType]>([
    ['Jona', 'Jonas', 'person'],
    ['jona', 'jonas', 'person'],
    ['James', 'Jame', 'other'],
    ['Mar', 'Mars', 'place'],
    ['Mars', 'Mar', 'other'],
    ['Adida', 'Adidas', 'organization'],
    ['Texa', 'Texas', 'other'],
    ['new', 'news', 'concept'],
    ['len', 'lens', 'object'],
    ['glass', 'glasse', 'object'],
    ['photo', 'photon', 'object'],
    ['red keys', 'blue key', 'object'],
    ['key 1', 'keys 2', 'object'],
    ['marital', 'martial', 'concept'],
  ])('is not what %s and %s are (%s)', (a, b, type) => {
    expect(match(a, b, type)).toBeUndefined();
    expect(match(b, a, type)).toBeUndefined();
  });
});
