import type { Candidate } from './candidate.ts';
import type { Episode } from './episode.ts';
import type { Fact } from './fact.ts';

/** A candidate together with the record it stands for. */
export type Recollection =
  | (Candidate & { readonly kind: 'episode'; readonly episode: Episode })
  | (Candidate & { readonly kind: 'fact'; readonly fact: Fact });
