import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

import { openDatabase, type Database } from '../store/database.ts';
import { storeFaultOf } from '../store/faults.ts';

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
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return openChecked(path) ?? openAnew(path);
  } catch (error) {
    if (storeFaultOf(error) !== 'corrupt') throw error;
    return openAnew(path);
  }
}

/** `undefined` when the file has another schema. */
function openChecked(path: string): Database | undefined {
  const database = openDatabase(path, { synchronous: 'NORMAL' });
  try {
    // Hashes come in no order: each page of them touches most pages of the file, and a checkpoint would write them all.
    database.exec(
      'PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 20000; PRAGMA journal_size_limit = 16777216',
    );
    if (versionOf(database) === 0) database.transaction(() => create(database));
    if (versionOf(database) === schemaVersion) return touchAll(database);
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
}

function openAnew(path: string): Database {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  const database = openChecked(path);
  if (database === undefined) throw new Error(`a new file has version ${schemaVersion}`);
  return database;
}

function create(database: Database): void {
  // Asked again: another process may have been first.
  if (versionOf(database) !== 0) return;
  database.exec(tables);
  database.exec(`PRAGMA user_version = ${schemaVersion}`);
}

function versionOf(database: Database): number {
  return database.get<{ readonly user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
}

/** Damage shows first at the root of a table. */
function touchAll(database: Database): Database {
  for (const { name } of database.all<{ readonly name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'"))
    database.get(`SELECT * FROM ${name} LIMIT 1`);
  return database;
}
