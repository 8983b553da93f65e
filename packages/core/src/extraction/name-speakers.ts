import type { ExtractedEntity, Extraction } from '../domain/extraction.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { ShownMessage } from './said-by.ts';

/** What a model calls whoever speaks, though the message says who it is. */
const USER = /^(?:user|i|me|myself)$/;
/** No name at all, where nobody says who it is. */
const PRONOUN = /^(?:i|me|myself)$/;

type Items = Pick<Extraction, 'entities' | 'relations' | 'facts'>;

/**
 * Where several people share a memory, each "User" of a reply becomes the speaker of the message: else all of them would be one. "I" becomes a
 * name in any case, but that of a document, whose author is not known.
 */
export function nameSpeakers(items: Items, messages: readonly ShownMessage[]): Items {
  const own = messages.filter(({ role }) => role === 'user');
  const speakers = new Set(own.map(({ speaker }) => speaker));
  const named = (name: string, episode: number | undefined): string => {
    if (!USER.test(normalForm(name))) return name;
    const message = episode === undefined ? (speakers.size === 1 ? own[0] : undefined) : messages[episode];
    if (message?.role === 'user' && message.speaker !== undefined) return message.speaker;
    if (!PRONOUN.test(normalForm(name)) || message?.kind === 'chunk') return name;
    return message?.role === 'assistant' ? 'Assistant' : 'User';
  };
  const entities = items.entities.map((entity): ExtractedEntity => {
    const name = named(entity.name, entity.episode);
    return name === entity.name ? entity : { ...entity, name, type: 'person' };
  });
  const relations = items.relations.map((relation) => {
    const [subject, object] = [named(relation.subject, relation.episode), named(relation.object, relation.episode)];
    return { ...relation, subject, object };
  });
  const facts = items.facts.map((fact) =>
    fact.about === undefined ? fact : { ...fact, about: fact.about.map((name) => named(name, fact.episode)) },
  );
  // No edge may point at an entity that does not exist.
  const known = new Set(entities.map(({ name }) => normalForm(name)));
  for (const { subject, object, episode } of relations)
    for (const name of [subject, object])
      if (!known.has(normalForm(name))) {
        known.add(normalForm(name));
        entities.push({ name, type: 'person', ...(episode === undefined ? {} : { episode }) });
      }
  return { entities, relations, facts };
}
