import type {Computer} from '#model/computer.ts'
import type {Group} from '#model/group.ts'

import type {Database} from '#core/store/database.ts'
import {makeRows, emptyBatch, type Reading, type Rows} from './rows.ts'

/** How long a vanished computer stays in the file. */
const rememberMs = 30 * 86_400_000

/**
 * Writes readings into the file. Each call is one transaction and returns whether a row changed. Each reading carries its
 * time (Unix milliseconds): an older one changes nothing.
 */
export type Writer = ReturnType<typeof makeWriter>

export function makeWriter(database: Database, now: () => number) {
	const rows = makeRows(database, now)

	const change = (work: () => boolean) =>
		database.transaction(() => {
			const changed = work()
			if (changed) database.run('UPDATE revision SET value = value + 1')
			return changed
		})
	const put = (next: () => Reading | undefined, end?: () => void) =>
		change(() => {
			const batch = emptyBatch()
			let changed = false
			for (let reading = next(); reading !== undefined; reading = next()) if (rows.put(reading, batch)) changed = true
			if (rows.finish(batch)) changed = true
			end?.()
			return changed
		})

	return {
		/** Writes readings until `next` gives none; then `end` runs in the same transaction. */
		put,
		merge: (records: readonly Computer[], at: number) => {
			const left = records.values()
			return put(() => {
				const {value: record} = left.next()
				return record === undefined ? undefined : {record, at: Math.floor(at), merged: true}
			})
		},
		isolation: (guid: string, isolation: {available: boolean; status: string}, at: number) =>
			change(() => rows.putIsolation(guid, isolation, Math.floor(at))),
		groups: (groups: readonly Group[], at: number) => change(() => groups.filter(group => putGroup(database, rows, group, at)).length > 0),
		groupsListedSince: (startedAt: number) =>
			change(() => {
				const sql = 'DELETE FROM computer_group WHERE read_at NOT BETWEEN ? AND ?'
				return database.run(sql, startedAt, Math.max(startedAt, now())).changes > 0
			}),
		vanished: (guid: string, at: number) =>
			change(() => {
				const where = 'id = (SELECT id FROM computer WHERE guid = ?) AND (read_at <= ? OR read_at > ?)'
				return rows.vanish(where, [guid, at, now()], at)
			}),
		/** A complete listing began at `startedAt` and read until `at`: rows not read in between have vanished. */
		listedSince: (startedAt: number, at: number) =>
			change(() => {
				const forgotten = database.run('DELETE FROM computer WHERE vanished_at < ?', at - rememberMs).changes
				return rows.vanish('read_at NOT BETWEEN ? AND ?', [startedAt, Math.max(at, now())], at) || forgotten > 0
			})
	}
}

function putGroup(database: Database, rows: Rows, group: Group, at: number) {
	const old = database.get<{name: string; ancestry: string; read_at: number}>('SELECT * FROM computer_group WHERE guid = ?', group.guid)
	if (old !== undefined && !rows.isNewer(at, old.read_at)) return false
	const ancestry = JSON.stringify((group.ancestry ?? []).map(({guid, name}) => ({guid, name})))
	database.run('INSERT OR REPLACE INTO computer_group VALUES (?, ?, ?, ?)', group.guid, group.name, ancestry, at)
	if (old?.name !== group.name) rows.rename(group)
	return old?.name !== group.name || old.ancestry !== ancestry
}
