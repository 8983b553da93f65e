import { MemoryError } from '../errors.ts';
import type { ConsentRecord, LifecycleStore } from '../ports/lifecycle-store.ts';

/** What is stored is stored for this purpose where the call names none. */
export const DEFAULT_PURPOSE = 'memory';

/**
 * Asks before anything is saved. A withdrawal always counts; whether silence does is the option's business.
 * @throws CONSENT_REQUIRED
 */
export async function requireConsent(userId: string, purpose: string, required: boolean, lifecycle: LifecycleStore | undefined): Promise<void> {
  const newest = (await lifecycle?.consents(userId))?.findLast((record) => record.purpose === purpose);
  if (newest === undefined ? !required : newest.granted) return;
  throw new MemoryError(
    'CONSENT_REQUIRED',
    newest === undefined
      ? 'This user has not consented to this purpose, and options.consent is "required". Nothing was stored; record the consent with memory.consent() (CLI: tandem consent).'
      : 'This user has withdrawn the consent to this purpose. Nothing was stored.',
  );
}

/** The decision that counts now, by purpose. */
export function consentNow(records: readonly ConsentRecord[]): ConsentRecord[] {
  return [...new Map(records.map((record) => [record.purpose, record])).values()];
}
