import {join} from 'node:path'

import {openDatabase, type Database} from './database.ts'
import {migrate, type Migration} from './migrations.ts'

/**
 * `profile.db`: small, shared by every process on the profile, read fresh each time. It holds no secret, except what a person
 * puts into the variables of a managed program.
 */
const profileMigrations: readonly Migration[] = [
	`
  CREATE TABLE connection (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    url TEXT NOT NULL,
    client_id TEXT NOT NULL,
    insecure INTEGER NOT NULL CHECK (insecure IN (0, 1)),
    colour TEXT NOT NULL,
    environment TEXT NOT NULL,
    read_only INTEGER NOT NULL CHECK (read_only IN (0, 1)),
    created_at TEXT NOT NULL,
    -- Grows with each change, so that other processes make their client anew.
    revision INTEGER NOT NULL,
    -- The process that serves the embedded sandbox; NULL for connections that a person entered.
    owner_pid INTEGER,
    owner_started TEXT
  ) STRICT;

  -- Connections on which writing was switched off by hand.
  CREATE TABLE locked (connection TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT;

  -- What the last answers told of the request quota; Unix milliseconds.
  CREATE TABLE budget (
    connection TEXT PRIMARY KEY,
    call_limit INTEGER NOT NULL,
    remaining INTEGER NOT NULL,
    reset_at INTEGER NOT NULL,
    observed_at INTEGER NOT NULL
  ) STRICT;

  -- Changes in flight.
  CREATE TABLE write_lock (
    connection TEXT NOT NULL,
    target TEXT NOT NULL,
    command TEXT NOT NULL,
    intent TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started TEXT NOT NULL,
    PRIMARY KEY (connection, target)
  ) STRICT;

  -- One JSON value per setting.
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE history (number INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT;
  `,
	`
  -- Long-running instances. The definition is JSON; verifiers of secrets stand apart from it and never leave the program.
  CREATE TABLE instance (
    id TEXT PRIMARY KEY,
    -- Case-sensitive.
    name TEXT NOT NULL UNIQUE,
    listen_port INTEGER NOT NULL UNIQUE CHECK (listen_port BETWEEN 1 AND 65535),
    definition TEXT NOT NULL,
    verifiers TEXT NOT NULL,
    signing_key INTEGER NOT NULL CHECK (signing_key IN (0, 1)),
    -- Grows with each restart that was asked for.
    restarts INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT;

  -- Names that instances had.
  CREATE TABLE instance_alias (
    alias TEXT PRIMARY KEY,
    instance TEXT NOT NULL REFERENCES instance (id) ON DELETE CASCADE
  ) STRICT;

  CREATE TABLE server_parameter (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  -- What the console that runs tells of an instance, for other processes; JSON.
  CREATE TABLE instance_state (
    instance TEXT PRIMARY KEY REFERENCES instance (id) ON DELETE CASCADE,
    facts TEXT NOT NULL
  ) STRICT;

  CREATE TABLE instance_history (
    number INTEGER PRIMARY KEY,
    instance TEXT NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
    at TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT
  ) STRICT;
  CREATE INDEX instance_history_of ON instance_history (instance, number);

  -- Programs that a console started; one that is still there when its console is gone is ended by the next.
  CREATE TABLE instance_process (instance TEXT PRIMARY KEY, pid INTEGER NOT NULL, started TEXT NOT NULL) STRICT;

  -- One row: the number of changes so far, and the forwarding server of the console that runs (JSON) with its process.
  CREATE TABLE forwarding (
    number INTEGER PRIMARY KEY CHECK (number = 1),
    revision INTEGER NOT NULL,
    server TEXT,
    pid INTEGER,
    started TEXT
  ) STRICT;
  INSERT INTO forwarding (number, revision) VALUES (1, 0);
  `,
	`
  -- The last finished requests of each instance, and of none (NULL), for other processes; JSON, without queries.
  CREATE TABLE instance_request (
    number INTEGER PRIMARY KEY,
    instance TEXT REFERENCES instance (id) ON DELETE CASCADE,
    entry TEXT NOT NULL
  ) STRICT;
  CREATE INDEX instance_request_of ON instance_request (instance, number);
  `,
	`
  -- The last lines that each program printed, for other processes; JSON.
  CREATE TABLE instance_output (
    number INTEGER PRIMARY KEY,
    instance TEXT NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
    line TEXT NOT NULL
  ) STRICT;
  CREATE INDEX instance_output_of ON instance_output (instance, number);

  -- Instances whose list another process wants published; the console that runs takes them away.
  CREATE TABLE instance_publish (
    instance TEXT PRIMARY KEY REFERENCES instance (id) ON DELETE CASCADE
  ) STRICT;
  `,
	`
  -- Guard rules of a connection, where somebody changed them; JSON.
  CREATE TABLE guard_rules (connection TEXT PRIMARY KEY, rules TEXT NOT NULL) STRICT;

  -- Calls of the present window that a job has set aside. One of a dead process counts for nothing.
  CREATE TABLE budget_reservation (
    id TEXT PRIMARY KEY,
    connection TEXT NOT NULL,
    title TEXT NOT NULL,
    calls INTEGER NOT NULL,
    pid INTEGER NOT NULL,
    started TEXT NOT NULL
  ) STRICT;

  -- How many calls of the window that ends then were ours, over all processes.
  CREATE TABLE budget_usage (
    connection TEXT PRIMARY KEY,
    window_end INTEGER NOT NULL,
    own INTEGER NOT NULL
  ) STRICT;

  -- How long an isolation is meant to last. While another one is asked for, a computer has two.
  CREATE TABLE lease (
    connection TEXT NOT NULL,
    guid TEXT NOT NULL,
    label TEXT NOT NULL,
    -- Intent of the isolation in the incident log.
    intent TEXT NOT NULL,
    started_at TEXT NOT NULL,
    -- NULL: until somebody releases it.
    ends_at TEXT,
    auto INTEGER NOT NULL CHECK (auto IN (0, 1)),
    holder TEXT NOT NULL,
    note TEXT NOT NULL,
    -- asked, held, releasing, released, over
    state TEXT NOT NULL,
    -- The end that was reminded of.
    reminded TEXT,
    attempts INTEGER NOT NULL,
    next_try_at TEXT,
    trouble TEXT,
    PRIMARY KEY (connection, guid, intent)
  ) STRICT;

  -- Unlock codes that lie sealed in the secret store, by the intent of their isolation. The codes themselves are not here.
  CREATE TABLE unlock_code (
    intent TEXT PRIMARY KEY,
    connection TEXT NOT NULL,
    connection_name TEXT NOT NULL,
    guid TEXT NOT NULL,
    label TEXT NOT NULL,
    at TEXT NOT NULL,
    made TEXT NOT NULL,
    -- sealed: before the answer; in_use: accepted; unknown: nobody knows.
    state TEXT NOT NULL
  ) STRICT;
  CREATE INDEX unlock_code_of ON unlock_code (connection, guid);
  `,
	`
  -- Tags and roles that people gave to computers; \`fold\` is the text without regard to capitals.
  CREATE TABLE computer_label (
    connection TEXT NOT NULL,
    guid TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('tag', 'role')),
    fold TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (connection, guid, kind, fold)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE label_revision (connection TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;

  -- Saved views of the computers list; JSON.
  CREATE TABLE saved_view (
    number INTEGER PRIMARY KEY,
    connection TEXT NOT NULL,
    id TEXT NOT NULL,
    view TEXT NOT NULL,
    UNIQUE (connection, id)
  ) STRICT;
  `,
	`
  -- A connection's own way: proxy (NULL: as the system says), whether credentials for it are in the secret store, authorities (PEM).
  ALTER TABLE connection ADD COLUMN proxy TEXT;
  ALTER TABLE connection ADD COLUMN proxy_login INTEGER NOT NULL DEFAULT 0 CHECK (proxy_login IN (0, 1));
  ALTER TABLE connection ADD COLUMN ca TEXT;
  `,
	`
  -- The administrator's configuration as it was told last: which one, and the policy (JSON) that held last.
  CREATE TABLE managed (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    digest TEXT NOT NULL,
    policy TEXT NOT NULL
  ) STRICT;
  `,
	`
  -- Each file is remembered by itself: two processes on one profile may be given different ones. '' is that of before.
  CREATE TABLE managed_file (
    path TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    policy TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO managed_file SELECT '', digest, policy FROM managed;
  DROP TABLE managed;
  `,
	`
  -- How long the incident log was, and the hash of its last link then.
  CREATE TABLE log_anchor (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT;
  `,
	`
  -- The event stream that a connection reads. Its password is in the secret store.
  CREATE TABLE event_stream (
    connection TEXT PRIMARY KEY REFERENCES connection (id) ON DELETE CASCADE,
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    host TEXT NOT NULL,
    port INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
    user_name TEXT NOT NULL,
    queue TEXT NOT NULL,
    created_at TEXT NOT NULL,
    -- What the process that reads tells of it, for others; JSON.
    state TEXT
  ) STRICT;

  -- Messages of a stream that are no event, as they came.
  CREATE TABLE event_stream_message (
    number INTEGER PRIMARY KEY,
    connection TEXT NOT NULL REFERENCES event_stream (connection) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    at TEXT NOT NULL,
    reason TEXT NOT NULL,
    size INTEGER NOT NULL,
    raw BLOB NOT NULL,
    UNIQUE (connection, digest)
  ) STRICT;
  `,
	`
  -- Playbooks of this profile, each version as it was given.
  CREATE TABLE playbook (id TEXT PRIMARY KEY, tags TEXT NOT NULL DEFAULT '[]') STRICT, WITHOUT ROWID;
  CREATE TABLE playbook_version (
    number INTEGER PRIMARY KEY,
    playbook TEXT NOT NULL REFERENCES playbook (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    body TEXT NOT NULL,
    added_at TEXT NOT NULL,
    added_by TEXT NOT NULL,
    UNIQUE (playbook, digest)
  ) STRICT;
  `,
	`
  -- Schedules and rules as JSON. Times and events up to 'since' count no more.
  CREATE TABLE automation (id TEXT PRIMARY KEY, body TEXT NOT NULL, since TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- What became of a time or an event: of each there is one.
  CREATE TABLE automation_firing (
    automation TEXT NOT NULL,
    key TEXT NOT NULL,
    at TEXT NOT NULL,
    handled_at TEXT NOT NULL,
    outcome TEXT NOT NULL,
    run TEXT,
    message TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (automation, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX automation_firing_at ON automation_firing (automation, handled_at);
  `,
	`
  -- Targets that events and entries go onwards to; JSON. Signing secrets are in the secret store.
  CREATE TABLE target (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    definition TEXT NOT NULL,
    created_at TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    state TEXT,
    sent INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  -- Up to where a target has everything of a source.
  CREATE TABLE target_cursor (
    target TEXT NOT NULL REFERENCES target (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    generation TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (target, source)
  ) STRICT;
  -- What a target refused for good.
  CREATE TABLE target_refused (
    number INTEGER PRIMARY KEY,
    target TEXT NOT NULL REFERENCES target (id) ON DELETE CASCADE,
    at TEXT NOT NULL,
    source TEXT NOT NULL,
    id TEXT NOT NULL,
    reason TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (target, source, id)
  ) STRICT;
  `,
	`
  -- Tokens of the local API and of assistants; of each only its SHA-256. Connections: ids, JSON.
  CREATE TABLE api_token (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('program', 'assistant')),
    scope TEXT NOT NULL CHECK (scope IN ('read', 'change')),
    hash TEXT NOT NULL UNIQUE,
    connections TEXT NOT NULL,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    revoked_at TEXT,
    per_minute INTEGER NOT NULL,
    used_at TEXT,
    client TEXT,
    requests INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  -- Answers to requests with an Idempotency-Key. A status of NULL: under way, in the process of that owner.
  CREATE TABLE api_answer (
    token TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    owner TEXT NOT NULL,
    at INTEGER NOT NULL,
    status INTEGER,
    headers TEXT,
    body TEXT,
    PRIMARY KEY (token, key)
  ) STRICT;

  -- Whether the local API is on, and its port (NULL: a UNIX socket).
  CREATE TABLE api_door (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    port INTEGER
  ) STRICT;
  `,
	`
  -- Which profile a signature is meant for.
  CREATE TABLE profile_identity (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL) STRICT;

  -- What waits for an approval, or had one. \`body\`: the approval; \`request\`: what is carried out; both JSON.
  CREATE TABLE approval (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    body TEXT NOT NULL,
    request TEXT NOT NULL,
    outcome TEXT,
    -- Which run or process carried it out.
    used_by TEXT
  ) STRICT;
  CREATE INDEX approval_of ON approval (state, number);

  -- One answer of each key. It may come before its approval is asked for.
  CREATE TABLE approval_answer (
    approval TEXT NOT NULL,
    -- Empty: without a key.
    key TEXT NOT NULL,
    digest TEXT NOT NULL, answer TEXT NOT NULL,
    PRIMARY KEY (approval, key, digest)
  ) STRICT, WITHOUT ROWID;

  -- Keys of people. \`secret\` is the private part, encrypted with a passphrase, where it lies here.
  CREATE TABLE trusted_key (
    id TEXT NOT NULL,
    use TEXT NOT NULL,
    name TEXT NOT NULL,
    public_key TEXT NOT NULL,
    groups TEXT NOT NULL,
    added_by TEXT NOT NULL, added_at TEXT NOT NULL, revoked_at TEXT,
    trusted INTEGER NOT NULL CHECK (trusted IN (0, 1)),
    secret TEXT, salt TEXT,
    PRIMARY KEY (id, use)
  ) STRICT, WITHOUT ROWID;
  `,
	'CREATE INDEX lease_end ON lease (connection, ends_at)',
	'ALTER TABLE approval ADD COLUMN process TEXT', // that claimed or withdrew it, and has not ended that
	'CREATE INDEX automation_firing_run ON automation_firing (automation, handled_at, at) WHERE run IS NOT NULL',
	'CREATE INDEX automation_firing_handled ON automation_firing (handled_at)'
]

/**
 * Opens or creates `profile.db` in the folder. `NORMAL` is enough: writes that must survive a power cut use `durable`.
 * `hasThread`: the storage thread moves what was committed into the file, so that a commit here waits for no disk.
 */
export function openProfileDatabase(folder: string, hasThread = false): Database {
	const database = openDatabase(join(folder, 'profile.db'), {synchronous: 'NORMAL'})
	try {
		migrate(database, profileMigrations)
		if (hasThread) database.exec('PRAGMA wal_autocheckpoint = 20000')
		return database
	} catch (error) {
		database.close()
		throw error
	}
}
