import type {Database} from '#core/store/database.ts'
import {createRecent} from '#shared/recent.ts'
import {placesOf, readColumn} from './facets.ts'

/** Sums over all computers that the service lists. */
export interface InventorySums {
	readonly groups: readonly {guid: string; name: string; computers: number; compromised: number}[]
	/** One for each pair of connector version and operating system that occurs. */
	readonly builds: readonly {connector: string; os: string; computers: number}[]
}

/** Listed computers that have the same group, policy and operating system; GUIDs in lower case, empty where there is none. */
export type ComputerSpread = Readonly<{
	groupGuid: string
	policyGuid: string
	os: string
	computers: number
	compromised: number
	isolated: number
}>

/** Everything here is answered from indexes: a scan over 100,000 wide rows would take a hundred milliseconds. */
export function makeAggregates(database: Database, revision: () => number) {
	const kept = createRecent<InventorySums>(1)
	const spread = createRecent<readonly ComputerSpread[]>(1)
	return {
		/** Looked at once for each revision. */
		sums: () => kept.remembered(`${revision()}`, () => ({groups: readGroups(database), builds: readBuilds(database)})),
		/** Together all listed computers; looked at once for each revision. */
		spread: () => spread.remembered(`${revision()}`, () => readSpread(database)),
		/** How many were last seen at or after `from` and before `to`; those never seen are left out. */
		seenBetween: (from: number, to: number) => {
			const span = 'last_seen >= ? AND last_seen < ?'
			const all = `SELECT count(*) AS n FROM computer WHERE ${span}`
			// The few that vanished have an index; the planner would rather look up every row of the span.
			const gone = `SELECT count(*) AS n FROM computer INDEXED BY computer_vanished WHERE vanished_at IS NOT NULL AND ${span}`
			return (database.get<Count>(all, from, to)?.n ?? 0) - (database.get<Count>(gone, from, to)?.n ?? 0)
		},
		/** Isolated computers that were last seen before that time, or never. */
		silentSince: (before: number, limit: number) => readSilent(database, before, limit)
	}
}

interface Count {
	n: number
}

/** Computers by when they were last seen; times are Unix milliseconds. */
function readSilent(database: Database, before: number, limit: number) {
	// 3 is `isolated` in `columns.ts`.
	const where = 'FROM computer INDEXED BY computer_isolated WHERE rank = 3 AND coalesce(last_seen, 0) < ? AND vanished_at IS NULL'
	return {
		count: database.get<Count>(`SELECT count(*) AS n ${where}`, before)?.n ?? 0,
		/** Longest ago first. */
		first: database.all<{guid: string; hostname: string; seen: number}>(
			`SELECT guid, hostname, coalesce(last_seen, 0) AS seen ${where} ORDER BY seen, guid LIMIT ?`,
			before,
			limit
		)
	}
}

function readSpread(database: Database) {
	return database.all<ComputerSpread>(
		`SELECT lower(group_guid) AS groupGuid, lower(policy_guid) AS policyGuid, os, sum(n) AS computers,
       sum(n * compromised) AS compromised, sum(n * isolated) AS isolated
     FROM spread WHERE n > 0 GROUP BY 1, 2, 3`
	)
}

function readGroups(database: Database) {
	const members = database.all<{guid: string; name: string; computers: number}>(
		`SELECT group_guid AS guid, max(group_name) AS name, sum(n) AS computers FROM member
     WHERE n > 0 GROUP BY group_guid ORDER BY computers DESC, name, guid`
	)
	const compromised = new Map(
		database
			.all<{guid: string; n: number}>(
				`SELECT group_guid AS guid, count(*) AS n FROM computer
         WHERE compromised = 1 AND vanished_at IS NULL GROUP BY group_guid`
			)
			.map(({guid, n}) => [guid, n] as const)
	)
	return members.map(group => ({...group, compromised: compromised.get(group.guid) ?? 0}))
}

/** Two walks over indexes, joined here: a third index over both columns would cost every write a page. */
function readBuilds(database: Database) {
	const connectors = readColumn(database, 'connector_key', 'connector')
	const systems = readColumn(database, 'os_key', 'os')
	const places = placesOf(systems)
	const gone = database.all<{id: number}>('SELECT id FROM computer WHERE vanished_at IS NOT NULL')
	for (const {id} of gone) places[id] = 0
	return connectors.flatMap(({value, ids}) => {
		const counts = new Int32Array(systems.length + 1)
		for (const id of ids) {
			const place = places[id] ?? 0
			counts[place] = (counts[place] ?? 0) + 1
		}
		return systems.flatMap((system, place) => {
			const computers = counts[place + 1] ?? 0
			return computers === 0 ? [] : [{connector: value, os: system.value, computers}]
		})
	})
}
