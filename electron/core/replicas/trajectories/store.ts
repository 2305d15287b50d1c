/** The latest trajectories of one connection: one small SQLite file of service responses. */
import {deflateRawSync, inflateRawSync} from 'node:zlib'

import type {Trajectory} from '#contract/insight.ts'
import {parseExact, stringifyExact} from '#model/exact-json.ts'

import {openCacheFile} from '#core/store/cache-file.ts'
import type {Database} from '#core/store/database.ts'
import type {TrajectoryRecord} from './record.ts'

export interface StoredReading extends Pick<Trajectory, 'guid' | 'query' | 'hostname' | 'cut'> {
	/** Unix milliseconds. */
	readonly readAt: number
	/** As received. */
	readonly events: readonly TrajectoryRecord[]
}

interface StoreLimits {
	readings: number
	/** Compressed size of all readings. */
	bytes: number
}

const usual: StoreLimits = {readings: 100, bytes: 64 << 20}

/** Increase with every change of the table. The file is a cache of the service: one of another version is recreated. */
const schemaVersion = 1

const tables = `
CREATE TABLE reading (
  guid TEXT NOT NULL, query TEXT NOT NULL,
  hostname TEXT NOT NULL, read_at INTEGER NOT NULL, cut INTEGER NOT NULL,
  events BLOB NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY (guid, query)
) STRICT;
CREATE INDEX reading_age ON reading (read_at);
`

export function openTrajectoryStore(path: string, limits: StoreLimits = usual) {
	const database = openCacheFile({path, schemaVersion, tables, tune: 'PRAGMA journal_size_limit = 4194304'})
	return {
		find: (guid: string, query: string) => {
			const row = database.get<Row>('SELECT * FROM reading WHERE guid = ? AND query = ?', guid, query)
			return row === undefined ? undefined : readingOf(row)
		},
		/** Replaces the one of the same computer and query; removes the oldest beyond the limit. */
		keep: (reading: StoredReading) => keep(database, reading, limits),
		stop: () => database.close()
	}
}

interface Row {
	guid: string
	query: string
	hostname: string
	read_at: number
	cut: number
	events: Uint8Array
}

function readingOf({guid, query, hostname, read_at, cut, events}: Row): StoredReading {
	// This file's own column: a list of records, written below.
	const records = parseExact(inflateRawSync(events).toString('utf8')) as unknown as readonly TrajectoryRecord[]
	return {guid, query, hostname, readAt: read_at, cut: cut === 1, events: records}
}

function keep(database: Database, reading: StoredReading, limits: StoreLimits) {
	const {guid, query, hostname, readAt, cut, events} = reading
	const packed = deflateRawSync(stringifyExact(events), {level: 4})
	database.transaction(() => {
		const row = [guid, query, hostname, readAt, cut ? 1 : 0, packed, packed.byteLength]
		database.run('INSERT OR REPLACE INTO reading VALUES (?, ?, ?, ?, ?, ?, ?)', ...row)
		database.run(
			`DELETE FROM reading WHERE rowid IN (
         SELECT rowid FROM (
           SELECT rowid, row_number() OVER newest AS place, sum(bytes) OVER newest AS total FROM reading
           WINDOW newest AS (ORDER BY read_at DESC, rowid DESC)
         ) WHERE place > ? OR (total > ? AND place > 1)
       )`,
			limits.readings,
			limits.bytes
		)
	})
}
