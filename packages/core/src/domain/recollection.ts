import type { Candidate } from './candidate.ts';
import type { Episode } from './episode.ts';
import type { Fact } from './fact.ts';
import type { ZonedTime } from './time.ts';

/** A candidate together with the record it stands for. */
export type Recollection =
  | (Candidate & { readonly kind: 'episode'; readonly episode: Episode })
  | (Candidate & {
      readonly kind: 'fact';
      readonly fact: Fact;
      /** When the turn that told it first was said, in its sender's zone; absent where the turn is out of reach. */
      readonly told?: ZonedTime;
    });
