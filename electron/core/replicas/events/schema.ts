import {commonTables, openCacheFile, openForWriting} from '#core/store/cache-file.ts'
import type {Database} from '#core/store/database.ts'

/** Increase with every change below. The file is a cache of the service: one of another version is recreated. */
const schemaVersion = 1

/**
 * `id` is the time in quarters of a microsecond, made unique, so that row order is time order everywhere (see `idAt`). `words`
 * answers every filter, and its lists of rows are in that order too: it holds searchable text in its first columns and marks for
 * exact values in `mark` (see `marks.ts`). Prefixes of one to three characters have their own lists: joining the lists of all
 * their words takes far too long. Severities are ranks, 0 to 4.
 */
const tables = `
CREATE TABLE event (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE, service_id TEXT,
  ms INTEGER NOT NULL, ns INTEGER NOT NULL,
  type_id INTEGER, type TEXT NOT NULL, severity INTEGER NOT NULL,
  detection TEXT, detection_id TEXT,
  guid TEXT, hostname TEXT NOT NULL, user TEXT, groups TEXT NOT NULL,
  sha256 TEXT, parent_sha256 TEXT, archived_sha256 TEXT,
  file_name TEXT, file_path TEXT, disposition TEXT, remote TEXT, url TEXT
) STRICT;
CREATE TABLE raw (id INTEGER PRIMARY KEY, json BLOB NOT NULL) STRICT;
CREATE VIRTUAL TABLE words USING fts5(
  host, user, file, path, detection, type, hash, net, url, other, mark,
  content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='1 2 3'
);
CREATE TABLE word (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE detection (
  no INTEGER PRIMARY KEY, detection_id TEXT NOT NULL UNIQUE,
  kinds INTEGER NOT NULL, outcome TEXT, newest INTEGER NOT NULL, events INTEGER NOT NULL
) STRICT;
CREATE TABLE chain (id INTEGER PRIMARY KEY, detection INTEGER NOT NULL) STRICT;
CREATE INDEX chain_of ON chain (detection, id);
CREATE TABLE follower (id INTEGER PRIMARY KEY) STRICT;
CREATE TABLE tally (minute INTEGER, severity INTEGER, n INTEGER NOT NULL, PRIMARY KEY (minute, severity)) STRICT, WITHOUT ROWID;
CREATE TABLE hourly (hour INTEGER, severity INTEGER, n INTEGER NOT NULL, PRIMARY KEY (hour, severity)) STRICT, WITHOUT ROWID;
CREATE TABLE facet (kind TEXT, value TEXT, label TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (kind, value)) STRICT, WITHOUT ROWID;
CREATE INDEX facet_most ON facet (kind, n);
CREATE TABLE unknown_field (field TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE event_type (id INTEGER PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL) STRICT;
CREATE TABLE span (since INTEGER PRIMARY KEY, until INTEGER NOT NULL) STRICT;
${commonTables}`

/** Opens the file. Recreates a damaged one or one of another schema: the service still has the data. */
export function openEventFile(path: string): Database {
	const tune = 'PRAGMA cache_size = -32768; PRAGMA journal_size_limit = 16777216'
	const database = openCacheFile({path, schemaVersion, tables, tune})
	const known = database.get("SELECT 1 FROM sqlite_schema WHERE name = 'arrival_of'")
	if (known === undefined) database.transaction(() => database.exec(arrivals))
	const knowsOdd = database.get("SELECT 1 FROM pragma_table_info('event') WHERE name = 'odd'")
	if (knowsOdd === undefined) database.exec('ALTER TABLE event ADD COLUMN odd INTEGER NOT NULL DEFAULT 0')
	return database
}

/**
 * The order of arrival, independent of event time: the cursor of forwarding. A number is never used again. Added to existing
 * files too, whose earlier events count as arrived before.
 */
const arrivals = `
CREATE TABLE IF NOT EXISTS arrival (no INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS arrival_of ON arrival (id);
INSERT OR IGNORE INTO meta VALUES ('generation', hex(randomblob(8)));
`

export function openEventsForWriting(path: string): Database {
	return openForWriting(path, 32_768)
}
