import type {Database} from '#core/store/database.ts'
import type {IdRange} from './time-ranges.ts'
import {idAt, minuteOf} from './record.ts'

/** Counts over all events by time, from stored sums: only the rows of one minute are read. */
export type Timeline = ReturnType<typeof makeTimeline>

const hourIds = idAt(3_600_000)
const minuteIds = idAt(60_000)

export function makeTimeline(database: Database) {
	const sum = (sql: string, ...params: readonly number[]) => database.get<{n: number | null}>(sql, ...params)?.n ?? 0
	const from = (id: number) => {
		const minute = minuteOf(id)
		const hour = Math.floor(minute / 60)
		return (
			sum('SELECT sum(n) AS n FROM hourly WHERE hour > ?', hour) +
			sum('SELECT sum(n) AS n FROM tally WHERE minute > ? AND minute < ?', minute, (hour + 1) * 60) +
			sum('SELECT count(*) AS n FROM event WHERE id >= ? AND id < ?', id, (minute + 1) * minuteIds)
		)
	}
	const walk = (rows: readonly {at: number; n: number}[], offset: number) => {
		let rest = offset
		for (const {at, n} of rows) {
			if (rest < n) return {at, rest}
			rest -= n
		}
		return {at: null, rest}
	}
	return {
		all: () => sum('SELECT sum(n) AS n FROM hourly'),
		/** Number of events with that id or a newer one. */
		from,
		count: ({low, high}: IdRange) => from(low) - from(high),
		/** The same for grouped rows, by the hour. */
		jumpLeads(offset: number) {
			const hours = database.all<{at: number; n: number}>(
				`SELECT h.at, h.n - coalesce(f.n, 0) AS n FROM (SELECT hour AS at, sum(n) AS n FROM hourly GROUP BY hour) h
        LEFT JOIN (SELECT id / ${hourIds} AS at, count(*) AS n FROM follower GROUP BY 1) f ON f.at = h.at ORDER BY h.at DESC`
			)
			const {at, rest} = walk(hours, offset)
			return {below: at === null ? 0 : (at + 1) * hourIds, rest}
		},
		/** An id and a rest: the row at `offset` is among the `rest` next older ones. */
		jump(offset: number) {
			const hours = database.all<{at: number; n: number}>('SELECT hour AS at, sum(n) AS n FROM hourly GROUP BY hour ORDER BY hour DESC')
			const hour = walk(hours, offset)
			if (hour.at === null) return {below: 0, rest: hour.rest}
			const minutes = database.all<{at: number; n: number}>(
				'SELECT minute AS at, sum(n) AS n FROM tally WHERE minute >= ? AND minute < ? GROUP BY minute ORDER BY minute DESC',
				hour.at * 60,
				(hour.at + 1) * 60
			)
			const minute = walk(minutes, hour.rest)
			const below = minute.at === null ? hour.at * hourIds : (minute.at + 1) * minuteIds
			return {below, rest: minute.rest}
		}
	}
}
