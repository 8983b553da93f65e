import type { StoreInput, StoreOptions } from '../domain/store-input.ts';
import { MemoryError } from '../errors.ts';
import { withoutRecalledText } from '../lifecycle/recalled-text.ts';
import { maskSecrets, type SecretKind } from '../lifecycle/secrets.ts';
import { requireInputTree, requireTree } from './read-input.ts';

export interface CleanInput {
  readonly input: StoreInput;
  /** That of all turns, as the options give it. */
  readonly metadata: StoreOptions['metadata'];
  /** Kind of each secret that was masked. */
  readonly masked: readonly SecretKind[];
  /** Messages and documents that held text recalled from memory, which is taken out. */
  readonly recalled: number;
}

/** What names something or is fixed: never changed. */
const NAMES = new Set(['id', 'sourceId', 'role', 'at', 'validAt', 'invalidAt']);

/**
 * Takes out of an input what must not be saved or shown to a model, before anything is derived from it: not even an id may rest on a secret.
 * Does not check the input's form but that a walk through it ends; `readInput` does.
 * @throws INPUT_INVALID where secrets are to be refused and there is one
 */
export function cleanInput(input: StoreInput, secrets: 'mask' | 'keep' | 'refuse', metadata?: StoreOptions['metadata']): CleanInput {
  requireInputTree(input);
  requireTree(metadata, 'options', ['metadata']);
  const masked: SecretKind[] = [];
  let recalled = 0;
  const clean = (text: string): string => {
    if (secrets === 'keep') return text;
    const result = maskSecrets(text);
    masked.push(...result.found);
    return result.text;
  };
  const spoken = (text: string): string => {
    const fresh = withoutRecalledText(text);
    if (fresh !== text) recalled++;
    return clean(fresh);
  };
  const walk = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return NAMES.has(name) ? value : name === 'content' || name === 'text' ? spoken(value) : clean(value);
    if (Array.isArray(value)) return value.map((item) => walk(item, ''));
    // Dates and the like pass as they are; whether they are allowed is decided later.
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, key)]));
  };
  const cleaned = (typeof input === 'string' ? spoken(input) : walk(input, '')) as StoreInput;
  const ofAll = walk(metadata, '') as StoreOptions['metadata'];
  if (secrets === 'refuse' && masked.length > 0) {
    throw new MemoryError(
      'INPUT_INVALID',
      `The input holds a secret (${[...new Set(masked)].join(', ')}), and options.hygiene.secrets is "refuse". Nothing was stored.`,
    );
  }
  return { input: cleaned, metadata: ofAll, masked, recalled };
}
