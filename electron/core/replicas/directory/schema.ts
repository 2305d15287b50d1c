import { openCacheFile } from '#core/store/cache-file.ts';
import type { Database } from '#core/store/database.ts';

/** Grows with every change below. The file is a cache: one of another version is made anew. */
const schemaVersion = 1;

/**
 * Times are Unix milliseconds, GUIDs and hashes lower case, records are the service's own as JSON text. `pass` numbers
 * the reading that last gave a row: what a whole reading did not give is gone. Two further indexes of `item` hold the
 * folded note beside their order, so that a search in any order looks at an index alone.
 */
const tables = `
CREATE TABLE object (
  kind TEXT NOT NULL, guid TEXT NOT NULL, listed INTEGER NOT NULL, pass INTEGER NOT NULL,
  brief TEXT NOT NULL, brief_at INTEGER NOT NULL,
  detail TEXT, detail_at INTEGER, stale INTEGER NOT NULL DEFAULT 0,
  problem TEXT, vanished_at INTEGER,
  PRIMARY KEY (kind, guid)
) STRICT, WITHOUT ROWID;
CREATE TABLE serial (
  policy TEXT NOT NULL, seen_at INTEGER NOT NULL, serial INTEGER NOT NULL, PRIMARY KEY (policy, seen_at)
) STRICT, WITHOUT ROWID;
CREATE TABLE item_list (
  id INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, total INTEGER, read_at INTEGER, whole_at INTEGER,
  pass INTEGER NOT NULL DEFAULT 0, problem TEXT
) STRICT;
CREATE TABLE item (
  list INTEGER NOT NULL, sha256 TEXT NOT NULL, description TEXT NOT NULL, source TEXT NOT NULL,
  note_fold TEXT NOT NULL, source_fold TEXT NOT NULL, first_seen INTEGER, pass INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (list, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_note ON item (list, note_fold, sha256);
CREATE INDEX item_source ON item (list, source_fold, sha256, note_fold);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE revision (only INTEGER PRIMARY KEY CHECK (only = 1), value INTEGER NOT NULL) STRICT;
INSERT INTO revision VALUES (1, 0);
`;

/** Opens the file; what is damaged or of another schema is thrown away, for the service can be read again. */
export function openDirectoryFile(path: string): Database {
  // Hashes come in no order: each page of them touches most pages of the file, and a checkpoint would write them all.
  const tune = 'PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 20000; PRAGMA journal_size_limit = 16777216';
  return openCacheFile({ path, schemaVersion, tables, tune });
}
