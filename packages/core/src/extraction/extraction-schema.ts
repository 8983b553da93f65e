import * as z from 'zod';
import { ENTITY_TYPES } from '../domain/entity.ts';

/**
 * What the model is asked for. Every property is required, and "nothing" is null or an empty list, since strict structured output (OpenAI)
 * knows no optional properties. Only the request is this strict: replies are read by `readReply`, which forgives much.
 */
const message = z.int().describe('number of the message the item comes from');
const since = z.string().nullable().describe('YYYY-MM-DD from which it holds, or on which it happened; null where not said');
const replaces = z.array(z.int()).describe('numbers of the KNOWN facts that this one ends');
const until = z.string().nullable().describe('YYYY-MM-DD until which it held; null where not said');

const extractionSchema = z.object({
  facts: z.array(
    z.object({
      message,
      text: z.string().describe('one sentence that stands alone'),
      about: z.array(z.string()).describe('names of the entities it is about'),
      since,
      until,
      importance: z.number().describe('0 to 1'),
      replaces,
    }),
  ),
  entities: z.array(z.object({ message, name: z.string(), type: z.enum(ENTITY_TYPES), aliases: z.array(z.string()) })),
  relations: z.array(
    z.object({
      message,
      subject: z.string(),
      predicate: z.string(),
      object: z.string(),
      since,
      until,
      replaces,
      properties: z.array(z.object({ name: z.string(), value: z.string() })).describe('circumstances such as cause, amount, place'),
    }),
  ),
});

/** The schema as plain JSON schema, free of what grammars of local servers handle badly (number bounds). */
export function extractionJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema: _, ...definition } = z.toJSONSchema(extractionSchema, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
    },
  });
  return definition;
}
