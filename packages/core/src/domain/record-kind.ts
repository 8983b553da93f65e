/** What the indexes hold a record of. */
export type RecordKind = 'episode' | 'fact';
