import type { Migration } from '#core/store/migrations.ts';

/** `runs.db`. Times are Unix milliseconds, values JSON. */
export const runMigrations: readonly Migration[] = [
	`
  -- What runs began with. Runs of one definition share it.
  CREATE TABLE definition (digest TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;

  -- Definitions that nobody began yet.
  CREATE TABLE draft (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    subject TEXT,
    kept_at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE run (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    subject TEXT,
    title TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    started_by TEXT NOT NULL,
    ended_at INTEGER,
    state TEXT NOT NULL,
    phase TEXT,
    because TEXT,
    facts TEXT NOT NULL,
    definition TEXT REFERENCES definition (digest),
    failed TEXT NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0,
    cancels INTEGER NOT NULL DEFAULT 0,
    -- The process that has it; NULL when it let go of it in order.
    owner_pid INTEGER,
    owner_started TEXT,
    -- How often it was claimed.
    epoch INTEGER NOT NULL,
    alive_at INTEGER NOT NULL,
    begun INTEGER NOT NULL DEFAULT 0,
    parent_run TEXT,
    parent_step TEXT,
    key TEXT UNIQUE,
    tally TEXT,
    -- Grows with every write to any run: what is above a number was written to since.
    changed INTEGER NOT NULL,
    input TEXT NOT NULL,
    output TEXT NOT NULL
  ) STRICT;
  CREATE INDEX run_started ON run (started_at, id);
  CREATE INDEX run_kind ON run (kind, started_at, id);
  CREATE INDEX run_subject ON run (subject, started_at, id);
  CREATE INDEX run_parent ON run (parent_run) WHERE parent_run IS NOT NULL;
  CREATE INDEX run_open ON run (state) WHERE ended_at IS NULL;
  CREATE UNIQUE INDEX run_changed ON run (changed);

  -- The newest number of a change: it never goes back, also when the run that had it is taken out.
  CREATE TABLE newest_change (number INTEGER NOT NULL) STRICT;
  INSERT INTO newest_change VALUES (0);

  CREATE TABLE step (
    run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    phase TEXT NOT NULL,
    tag TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    input TEXT NOT NULL,
    digest TEXT,
    output TEXT NOT NULL,
    error TEXT,
    past TEXT NOT NULL,
    begun_at INTEGER,
    ended_at INTEGER,
    due INTEGER,
    PRIMARY KEY (run, id)
  ) STRICT;
  CREATE INDEX step_position ON step (run, position);
  CREATE INDEX step_tag ON step (run, tag);
  -- Who is asked at this moment, over all runs.
  CREATE INDEX step_asks ON step (kind, phase) WHERE kind = 'decision' AND phase = 'intent';

  CREATE TABLE signal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    id TEXT,
    payload TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- The step that took it.
    taken_by TEXT,
    UNIQUE (run, id)
  ) STRICT;
  CREATE INDEX signal_waiting ON signal (run, name, seq) WHERE taken_by IS NULL;
  `,
];
