import {commonTables, openCacheFile} from '#core/store/cache-file.ts'
import type {Database} from '#core/store/database.ts'

/** Increase with every change below. The file is a cache: one of another version is recreated. */
const schemaVersion = 8

/**
 * `*_fold` columns are folded for searching, `*_key` columns order as people expect, times are Unix milliseconds.
 * The service's record and its reading time change with every listing and are not needed for scans, so they have their own
 * table. An index on unordered values costs each write one page; there are seven.
 */
const tables = `
CREATE TABLE computer (
  id INTEGER PRIMARY KEY,
  guid TEXT NOT NULL UNIQUE,
  hostname TEXT NOT NULL, host_fold TEXT NOT NULL, name_key TEXT NOT NULL,
  group_guid TEXT NOT NULL, group_name TEXT NOT NULL, group_fold TEXT NOT NULL,
  policy_guid TEXT NOT NULL, policy_name TEXT NOT NULL, policy_fold TEXT NOT NULL,
  os TEXT NOT NULL, os_fold TEXT NOT NULL, os_version TEXT NOT NULL, os_key TEXT NOT NULL,
  connector TEXT NOT NULL, connector_key TEXT NOT NULL,
  ips TEXT NOT NULL, ip_num INTEGER, ip_key TEXT NOT NULL,
  external_ip TEXT NOT NULL, external_num INTEGER, external_key TEXT NOT NULL,
  macs TEXT NOT NULL,
  last_seen INTEGER, installed INTEGER,
  compromised INTEGER NOT NULL, active INTEGER NOT NULL, guess TEXT NOT NULL, odd INTEGER NOT NULL,
  glance TEXT NOT NULL, rank INTEGER NOT NULL, available INTEGER NOT NULL, status TEXT NOT NULL,
  state_since INTEGER NOT NULL,
  vanished_at INTEGER, duplicate INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX order_name ON computer (name_key);
CREATE INDEX order_group ON computer (group_fold);
CREATE INDEX order_policy ON computer (policy_fold);
CREATE INDEX order_os ON computer (os_key);
CREATE INDEX order_connector ON computer (connector_key);
CREATE INDEX order_seen ON computer (last_seen);
CREATE INDEX order_ip ON computer (ip_key);
CREATE INDEX order_external ON computer (external_key);
CREATE INDEX order_isolation ON computer (rank);
CREATE INDEX order_compromised ON computer (compromised);
CREATE INDEX order_installed ON computer (installed);
CREATE INDEX computer_vanished ON computer (vanished_at) WHERE vanished_at IS NOT NULL;
CREATE INDEX computer_isolated ON computer (coalesce(last_seen, 0)) WHERE rank = 3 AND vanished_at IS NULL;
CREATE INDEX computer_pending ON computer (state_since, guid, status) WHERE vanished_at IS NULL AND rank IN (1, 2);
CREATE INDEX computer_host ON computer (host_fold) WHERE vanished_at IS NULL;
CREATE TABLE reading (id INTEGER PRIMARY KEY, read_at INTEGER NOT NULL, isolation_at INTEGER NOT NULL) STRICT;
CREATE TABLE record (id INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE search (
  id INTEGER PRIMARY KEY, host TEXT NOT NULL, numbers TEXT NOT NULL, others TEXT NOT NULL
) STRICT;
CREATE TABLE piece (no INTEGER PRIMARY KEY, version INTEGER NOT NULL) STRICT;
${(['INSERT', 'DELETE'] as const).map(changedPiece).join('\n')}
CREATE TABLE address (
  id INTEGER NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL, num INTEGER, PRIMARY KEY (id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX address_further ON address (num) WHERE place > 0;
CREATE TABLE mac (id INTEGER NOT NULL, digits TEXT NOT NULL, PRIMARY KEY (id, digits)) STRICT, WITHOUT ROWID;
CREATE TABLE computer_group (guid TEXT PRIMARY KEY, name TEXT NOT NULL, ancestry TEXT NOT NULL, read_at INTEGER NOT NULL) STRICT;
${commonTables}`

/**
 * Sums over all listed computers and all policies that computers name; triggers maintain them, `rows.ts` for new rows. Rank 3 of `columns.ts` is
 * isolated.
 */
const sums = `
CREATE TABLE tally (rank INTEGER, compromised INTEGER, n INTEGER NOT NULL, PRIMARY KEY (rank, compromised)) STRICT, WITHOUT ROWID;
CREATE TABLE member (group_guid TEXT, group_name TEXT, n INTEGER NOT NULL, PRIMARY KEY (group_guid, group_name)) STRICT, WITHOUT ROWID;
CREATE TABLE spread (
  group_guid TEXT, policy_guid TEXT, os TEXT, compromised INTEGER, isolated INTEGER, n INTEGER NOT NULL,
  PRIMARY KEY (group_guid, policy_guid, os, compromised, isolated)
) STRICT, WITHOUT ROWID;
CREATE TABLE policy (guid TEXT, name TEXT, fold TEXT NOT NULL, PRIMARY KEY (guid, name)) STRICT, WITHOUT ROWID;
CREATE TRIGGER computer_out AFTER DELETE ON computer BEGIN
  ${counted('old', -1)}
  ${['reading', 'record', 'search', 'address', 'mac'].map(table => `DELETE FROM ${table} WHERE id = old.id;`).join('\n  ')}
END;
CREATE TRIGGER computer_turned AFTER UPDATE OF rank, compromised, group_guid, group_name, policy_guid, os, vanished_at ON computer BEGIN
  ${counted('old', -1)}
  ${counted('new', 1)}
END;
CREATE TRIGGER computer_policy AFTER UPDATE OF policy_guid, policy_name ON computer BEGIN
  INSERT INTO policy VALUES (new.policy_guid, new.policy_name, new.policy_fold) ON CONFLICT DO NOTHING;
END;
`

function counted(row: 'new' | 'old', by: 1 | -1) {
	const listed = `WHERE ${row}.vanished_at IS NULL ON CONFLICT DO UPDATE SET n = n + ${by};`
	return `INSERT INTO tally SELECT ${row}.rank, ${row}.compromised, ${by} ${listed}
  INSERT INTO member SELECT ${row}.group_guid, ${row}.group_name, ${by} ${listed}
  INSERT INTO spread SELECT ${row}.group_guid, ${row}.policy_guid, ${row}.os, ${row}.compromised, ${row}.rank = 3, ${by} ${listed}`
}

/** These versions tell when the search texts in memory are stale (see `texts.ts`). A piece is 1024 rows. */
function changedPiece(change: 'INSERT' | 'DELETE') {
	const row = change === 'INSERT' ? 'new' : 'old'
	return `CREATE TRIGGER search_${change.toLowerCase()} AFTER ${change} ON search BEGIN
  INSERT INTO piece VALUES (${row}.id >> 10, 1) ON CONFLICT DO UPDATE SET version = version + 1;
END;`
}

/** Opens the file. Recreates a damaged one or one of another schema: the service still has the data. */
export function openInventoryFile(path: string): Database {
	return openCacheFile({path, schemaVersion, tables: tables + sums, tune})
}

/**
 * The cache fits the narrow tables of 100,000 computers. The writing thread runs the checkpoints; this limit is for a
 * process that writes much without that thread.
 */
const tune = 'PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 20000; PRAGMA journal_size_limit = 16777216'
