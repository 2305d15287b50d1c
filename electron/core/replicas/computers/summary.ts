import type {Database} from '#core/store/database.ts'
import {createRecent} from '#shared/recent.ts'
import {pendingTooLongMs} from '#model/isolation.ts'
import {compareNames} from '#base/name-order.ts'
import {glanceRanks} from './columns.ts'

interface PendingComputer {
	guid: string
	/** Its host name, else the GUID. */
	label: string
	status: string
	since: number
}

interface KnownPolicy {
	guid: string
	name: string
}

/** Counts over all rows; computed once for each revision. */
export type Summary = ReturnType<typeof readSummary>

interface Tally {
	rank: number
	compromised: number
	n: number
}

export function makeSummary(database: Database, revision: () => number): () => Summary {
	const kept = createRecent<Summary>(1)
	return () => kept.remembered(`${revision()}`, () => readSummary(database))
}

function readSummary(database: Database) {
	const tallies = database.all<Tally>('SELECT rank, compromised, n FROM tally')
	const sum = (matches: (tally: Tally) => boolean) => tallies.filter(matches).reduce((total, tally) => total + tally.n, 0)
	const rows = sum(() => true)
	return {
		rows,
		pending: lazy(() => readPending(database)),
		groups: lazy(() => readGroups(database)),
		policies: lazy(() => readPolicies(database)),
		counts: (now: number) => ({
			computers: rows,
			compromised: sum(tally => tally.compromised === 1),
			isolated: sum(tally => tally.rank === glanceRanks.isolated),
			pendingStart: sum(tally => tally.rank === glanceRanks.pending_start),
			pendingStop: sum(tally => tally.rank === glanceRanks.pending_stop),
			pendingTooLong: countPending(database, now - pendingTooLongMs)
		})
	}
}

// 1 and 2 are `pending_start` and `pending_stop` in `columns.ts`.
const pendingRows = 'FROM computer INDEXED BY computer_pending WHERE vanished_at IS NULL AND rank IN (1, 2)'

function readPending(database: Database) {
	const sql = `SELECT guid, iif(hostname = '', guid, hostname) AS label, status, state_since AS since ${pendingRows} ORDER BY state_since, guid`
	return database.all<PendingComputer>(sql)
}

/** Each frame asks for it, and thousands may be pending. */
function countPending(database: Database, before: number) {
	return database.get<{n: number}>(`SELECT count(*) AS n ${pendingRows} AND state_since < ?`, before)?.n ?? 0
}

function readPolicies(database: Database) {
	return database.all<KnownPolicy>("SELECT guid, name FROM policy WHERE guid <> '' ORDER BY fold, guid, name")
}

function lazy<T>(make: () => T) {
	let made: {value: T} | undefined
	return () => (made ??= {value: make()}).value
}

interface Ancestor {
	guid: string
	name: string
}

interface Member {
	group_guid: string
	group_name: string
	computers: number
}

/** Groups of the listing, and those that only computers name. */
function readGroups(database: Database) {
	const listed = database.all<{guid: string; name: string; ancestry: string}>('SELECT guid, name, ancestry FROM computer_group')
	const members = database.all<Member>(
		`SELECT group_guid, max(group_name) AS group_name, sum(n) AS computers FROM member
     WHERE n > 0 AND group_guid <> '' GROUP BY group_guid`
	)
	const names = new Map([...members.map(row => [row.group_guid, row.group_name] as const), ...listed.map(row => [row.guid, row.name] as const)])
	const ancestry = new Map(listed.map(row => [row.guid, JSON.parse(row.ancestry) as readonly Ancestor[]]))
	const computers = new Map(members.map(row => [row.group_guid, row.computers]))
	const path = (guid: string) =>
		climb(guid, ancestry)
			.map(each => names.get(each.guid) ?? each.name)
			.filter(name => name !== '')
			.toReversed()
	return {
		/** Names from the root to the group; empty for a group without a known name. */
		path,
		/** See `Inventory.ancestryOf`. */
		ancestry: (guid: string) => (ancestry.has(guid) ? climb(guid, ancestry).map(each => each.guid) : undefined),
		rows: lazy(() =>
			[...names]
				.map(([guid, name]) => ({guid, name, path: path(guid), computers: computers.get(guid) ?? 0}))
				.toSorted((a, b) => comparePaths(a.path, b.path))
		)
	}
}

/**
 * A group and its ancestors, as far as records tell: that of each, else that of the last one below. Stops at a circle.
 * `ancestry[0]` is the parent (API reference, "Groups").
 */
function climb(guid: string, ancestry: ReadonlyMap<string, readonly Ancestor[]>) {
	const found = new Map<string, Ancestor>()
	let [current, ...above]: readonly (Ancestor | undefined)[] = [{guid, name: ''}]
	while (current !== undefined && !found.has(current.guid)) {
		found.set(current.guid, current)
		;[current, ...above] = ancestry.get(current.guid) ?? above
	}
	return [...found.values()]
}

function comparePaths(a: readonly string[], b: readonly string[]) {
	for (const [index, name] of a.entries()) {
		const other = b[index]
		if (other === undefined) return 1
		const order = compareNames(name, other)
		if (order !== 0) return order
	}
	return a.length - b.length
}
