import {describeFault} from '#core/store/faults.ts'
import type {Migration} from '#core/store/migrations.ts'
import {openSoundFile, type SoundFile} from '#core/store/sound-file.ts'
import {CordonError} from '#contract/errors.ts'

/** The file under the log. `write` throws `log_unavailable` when it cannot be committed. */
export type LogFile = SoundFile

export function openLogFile(path: string, busyTimeoutMs: number): LogFile {
	const otherFile = (what: string) =>
		new CordonError('log_unavailable', `The incident log ${path} ${what} while Cordon was using it: nothing was sent.`, {
			fix: 'Put the file back; or end Cordon and start it again, then run "cordon log verify".'
		})
	const migrations = incidentMigrations
	const file = openSoundFile({path, synchronous: 'FULL', busyTimeoutMs, migrations, otherFile})
	return {
		...file,
		write: work => {
			try {
				return file.write(work)
			} catch (error) {
				throw unavailable(error)
			}
		}
	}
}

function unavailable(error: unknown): unknown {
	const ours = error instanceof CordonError && error.code !== 'storage' && error.code !== 'disk_full'
	if (ours) return error
	return new CordonError(
		'log_unavailable',
		`The incident log cannot be written because ${describeFault(error)}.`,
		error instanceof CordonError ? error.details : {},
		{cause: error}
	)
}

/**
 * One table that only grows. The triggers refuse to change or remove an entry and to leave a gap, also for someone
 * who opens the file with another program; they do not stop one who drops the triggers first.
 * Incidents have no table: an incident is what its entries say.
 */
export const incidentMigrations: readonly Migration[] = [
	`
  CREATE TABLE entry (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    about TEXT,
    incident TEXT,
    command TEXT,
    args TEXT,
    target_guid TEXT COLLATE NOCASE,
    target_label TEXT COLLATE NOCASE,
    connection_id TEXT,
    connection_name TEXT COLLATE NOCASE,
    connection_url TEXT,
    operator TEXT NOT NULL,
    surface TEXT NOT NULL,
    duration_ms REAL,
    status INTEGER,
    request_id TEXT,
    message TEXT NOT NULL,
    data TEXT
  ) STRICT;

  CREATE UNIQUE INDEX entry_id ON entry (id);
  CREATE INDEX entry_at ON entry (at);
  CREATE INDEX entry_kind ON entry (kind);
  CREATE INDEX entry_about ON entry (about) WHERE about IS NOT NULL;
  CREATE INDEX entry_incident ON entry (incident, kind) WHERE incident IS NOT NULL;
  CREATE INDEX entry_command ON entry (command) WHERE command IS NOT NULL;
  CREATE INDEX entry_target ON entry (target_guid, connection_id) WHERE target_guid IS NOT NULL;

  CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry
  BEGIN SELECT RAISE(ABORT, 'entries of the incident log are never changed'); END;

  CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry
  BEGIN SELECT RAISE(ABORT, 'entries of the incident log are never removed'); END;

  -- INSERT OR REPLACE removes rows without firing the trigger above; this one fires before it can.
  CREATE TRIGGER entry_in_order BEFORE INSERT ON entry
  WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM entry) OR EXISTS (SELECT 1 FROM entry WHERE id = NEW.id)
  BEGIN SELECT RAISE(ABORT, 'entries of the incident log are only appended'); END;
  `,
	`
  CREATE TABLE chain (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT;

  CREATE TRIGGER chain_no_update BEFORE UPDATE ON chain
  BEGIN SELECT RAISE(ABORT, 'links of the incident log are never changed'); END;

  CREATE TRIGGER chain_no_delete BEFORE DELETE ON chain
  BEGIN SELECT RAISE(ABORT, 'links of the incident log are never removed'); END;

  CREATE TRIGGER chain_in_order BEFORE INSERT ON chain
  WHEN NEW.seq <= (SELECT coalesce(max(seq), 0) FROM chain)
  BEGIN SELECT RAISE(ABORT, 'links of the incident log are only appended'); END;
  `,
	`
  -- Intents without an outcome, so that one is found however much was written since: as the entries say, whoever writes them.
  CREATE TABLE open_intent (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;

  INSERT INTO open_intent (seq, id)
  SELECT seq, id FROM entry WHERE kind = 'command.requested' AND NOT EXISTS (
    SELECT 1 FROM entry AS outcome WHERE outcome.about = entry.id
    AND outcome.kind IN ('command.succeeded', 'command.failed', 'command.outcome_unknown')
  );

  CREATE TRIGGER entry_opens AFTER INSERT ON entry WHEN NEW.kind = 'command.requested'
  BEGIN INSERT INTO open_intent (seq, id) VALUES (NEW.seq, NEW.id); END;

  CREATE TRIGGER entry_closes AFTER INSERT ON entry
  WHEN NEW.about IS NOT NULL AND NEW.kind IN ('command.succeeded', 'command.failed', 'command.outcome_unknown')
  BEGIN DELETE FROM open_intent WHERE id = NEW.about; END;
  `
]
