import type { Migration } from '#core/store/migrations.ts';

/** `jobs.db`: plans and jobs with the state of each target. No unlock code and no key is ever in it. */
export const jobMigrations: readonly Migration[] = [
	`
  -- Plans that were made or imported and not applied yet; JSON.
  CREATE TABLE plan (id TEXT PRIMARY KEY, connection TEXT NOT NULL, kept_at INTEGER NOT NULL, plan TEXT NOT NULL) STRICT;

  CREATE TABLE job (
    id TEXT PRIMARY KEY,
    connection TEXT NOT NULL,
    -- The plan without its targets; JSON.
    plan TEXT NOT NULL,
    title TEXT NOT NULL,
    started_at TEXT NOT NULL,
    started_by TEXT NOT NULL,
    surface TEXT NOT NULL,
    incident TEXT,
    phase TEXT NOT NULL,
    because TEXT,
    ended_at TEXT,
    -- 1: somebody asked to stop sending, 2: and to stop waiting; every process on the profile may.
    stop_asked INTEGER NOT NULL DEFAULT 0,
    waiting_until TEXT,
    observe_until TEXT,
    -- Its entries in the incident log come after this one.
    log_seq INTEGER NOT NULL,
    -- Unix milliseconds: when its process last wrote to it.
    alive_at INTEGER NOT NULL,
    -- The process that runs it; NULL when it ended in order.
    owner_pid INTEGER,
    owner_started TEXT
  ) STRICT;
  CREATE INDEX job_of_connection ON job (connection, started_at);

  CREATE TABLE target (
    job TEXT NOT NULL REFERENCES job (id),
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    label TEXT NOT NULL,
    -- As the plan saw it; JSON.
    planned TEXT NOT NULL,
    planned_at TEXT NOT NULL,
    note TEXT,
    outcome TEXT NOT NULL,
    -- How often it was sent.
    sent INTEGER NOT NULL DEFAULT 0,
    requested_at TEXT,
    accepted_at TEXT,
    observed_at TEXT,
    observed TEXT,
    message TEXT,
    error TEXT,
    request_id TEXT,
    entry TEXT,
    PRIMARY KEY (job, position),
    UNIQUE (job, id)
  ) STRICT;
  CREATE INDEX target_outcome ON target (job, outcome);
  `,
	`
  -- How often the job was taken by a process.
  ALTER TABLE job ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
  `,
	`
  -- The change, and the part of it, that the job takes back; in the log with its start. Of each part there is one job.
  ALTER TABLE job ADD COLUMN undoes TEXT;
  ALTER TABLE job ADD COLUMN part TEXT;
  CREATE UNIQUE INDEX job_undoes ON job (undoes, part) WHERE undoes IS NOT NULL;
  `,
];
