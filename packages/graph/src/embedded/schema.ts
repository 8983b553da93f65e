/**
 * Tables of the embedded graph store; `MIGRATIONS[n]` leads from version n to n + 1, and a published step is never edited.
 *
 * Rows are joined by integer keys (`key`), which never leave this folder; the ids of the domain are columns. A user, and each label that
 * repeats (agent, session, source, thread), is written once. Times are milliseconds since 1970.
 *
 * `graph_adjacency` is derived from facts: one row for each entity of a fact, in the order in which expansion follows facts (open before
 * expired, confidence, newest, id). It holds all that the time filters need, so that one entity's strongest facts are one short index scan.
 * It is also the way from an entity to its facts, so `graph_fact_entity` is kept in one direction only.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE graph_user(key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
  CREATE TABLE graph_label(key INTEGER PRIMARY KEY, user INTEGER NOT NULL REFERENCES graph_user, text TEXT NOT NULL, UNIQUE(user, text));

  CREATE TABLE graph_episode(
    key INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES graph_user,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    role TEXT NOT NULL,
    state TEXT NOT NULL,
    at INTEGER NOT NULL,
    utc_offset_minutes INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    agent INTEGER,
    session INTEGER,
    source INTEGER,
    thread INTEGER,
    position INTEGER NOT NULL,
    speaker TEXT,
    failure TEXT,
    metadata TEXT,
    content TEXT NOT NULL,
    UNIQUE(user, id)
  );
  CREATE INDEX graph_episode_thread ON graph_episode(thread, position) WHERE thread IS NOT NULL;
  CREATE INDEX graph_episode_session ON graph_episode(session) WHERE session IS NOT NULL;
  CREATE INDEX graph_episode_source ON graph_episode(source) WHERE source IS NOT NULL;
  CREATE INDEX graph_episode_speaker ON graph_episode(user, speaker) WHERE speaker IS NOT NULL;
  CREATE INDEX graph_episode_unread ON graph_episode(user, id) WHERE state IN ('pending', 'failed');

  CREATE TABLE graph_entity(
    key INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES graph_user,
    id TEXT NOT NULL,
    degree INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    type TEXT NOT NULL,
    type_label TEXT,
    normal_form TEXT NOT NULL,
    name TEXT NOT NULL,
    aliases TEXT,
    UNIQUE(user, id)
  );
  CREATE TABLE graph_entity_key(
    user INTEGER NOT NULL,
    normal_form TEXT NOT NULL,
    entity INTEGER NOT NULL REFERENCES graph_entity,
    PRIMARY KEY(user, normal_form, entity)
  ) WITHOUT ROWID;
  CREATE INDEX graph_entity_key_entity ON graph_entity_key(entity);

  CREATE TABLE graph_fact(
    key INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES graph_user,
    id TEXT NOT NULL,
    subject INTEGER,
    object INTEGER,
    predicate TEXT,
    created_at INTEGER NOT NULL,
    expired_at INTEGER,
    valid_at INTEGER,
    invalid_at INTEGER,
    confidence REAL NOT NULL,
    importance REAL NOT NULL,
    origin TEXT NOT NULL,
    said_by TEXT NOT NULL,
    closed_because TEXT,
    properties TEXT,
    text TEXT NOT NULL,
    UNIQUE(user, id)
  );
  CREATE TABLE graph_fact_entity(
    fact INTEGER NOT NULL REFERENCES graph_fact,
    ordinal INTEGER NOT NULL,
    entity INTEGER NOT NULL,
    PRIMARY KEY(fact, ordinal)
  ) WITHOUT ROWID;
  CREATE TABLE graph_fact_evidence(
    fact INTEGER NOT NULL REFERENCES graph_fact,
    ordinal INTEGER NOT NULL,
    episode INTEGER NOT NULL REFERENCES graph_episode,
    PRIMARY KEY(fact, ordinal)
  ) WITHOUT ROWID;
  CREATE INDEX graph_fact_evidence_episode ON graph_fact_evidence(episode);
  CREATE TABLE graph_adjacency(
    entity INTEGER NOT NULL REFERENCES graph_entity,
    expired INTEGER NOT NULL,
    confidence REAL NOT NULL,
    created_at INTEGER NOT NULL,
    fact_id TEXT NOT NULL,
    fact INTEGER NOT NULL,
    valid_at INTEGER,
    invalid_at INTEGER,
    expired_at INTEGER,
    PRIMARY KEY(entity, expired, confidence DESC, created_at DESC, fact_id)
  ) WITHOUT ROWID;

  CREATE TABLE graph_mention(
    entity INTEGER NOT NULL REFERENCES graph_entity,
    at INTEGER NOT NULL,
    episode INTEGER NOT NULL REFERENCES graph_episode,
    PRIMARY KEY(entity, at DESC, episode DESC)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX graph_mention_episode ON graph_mention(episode, entity);

  CREATE TABLE graph_outbox(
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL REFERENCES graph_user,
    operation TEXT NOT NULL,
    kind TEXT NOT NULL,
    record_id TEXT NOT NULL
  );
  CREATE INDEX graph_outbox_user ON graph_outbox(user);
  `,
  `
  ALTER TABLE graph_episode ADD COLUMN updated_at INTEGER;
  ALTER TABLE graph_episode ADD COLUMN outdated TEXT;
  ALTER TABLE graph_fact ADD COLUMN slot TEXT;
  CREATE INDEX graph_fact_slot ON graph_fact(subject, slot, id) WHERE slot IS NOT NULL;
  ALTER TABLE graph_mention ADD COLUMN spelling TEXT;
  CREATE TABLE graph_update(
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL REFERENCES graph_user,
    id TEXT NOT NULL,
    action TEXT NOT NULL,
    kind TEXT NOT NULL,
    record_id TEXT NOT NULL,
    related_id TEXT,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    episode_id TEXT,
    before TEXT,
    after TEXT,
    at INTEGER NOT NULL,
    UNIQUE(user, id)
  );
  CREATE INDEX graph_update_record ON graph_update(user, record_id);
  CREATE INDEX graph_update_related ON graph_update(user, related_id) WHERE related_id IS NOT NULL;
`,
  // A trace of each erasure, in hashes, for stores that were under way. A trace that was given up has the empty user: it concerns all.
  `
  CREATE TABLE graph_erasure(
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,
    at INTEGER NOT NULL,
    trace TEXT NOT NULL
  );
  CREATE INDEX graph_erasure_user ON graph_erasure(user, sequence);
  `,
  // Facts between the same two, for a hub that has thousands: each new one is compared with them.
  `CREATE INDEX graph_fact_ends ON graph_fact(subject, object, id) WHERE object IS NOT NULL;`,
];
