import type {EventHistogram} from '#contract/events.ts'

import type {Database} from '#core/store/database.ts'
import type {Scope} from './filter-match.ts'
import type {IdRange} from './time-ranges.ts'
import {severityMark} from './marks.ts'
import {idAt, severityAt} from './record.ts'
import {toldGaps} from './reading-state.ts'
import {idsOf, idsSql} from './scan.ts'
import type {EventSeverity} from '#model/event.ts'

/** Above this number events are not counted one by one. */
const mostCounted = 25_000
const [minuteMs, hourMs] = [60_000, 3_600_000]

type Grid = ReturnType<typeof gridOf>

/**
 * Events by time and severity, each event of a detection counted. Without a filter it comes from sums, so long spans have steps
 * of whole minutes or hours.
 */
export function histogramOf(database: Database, scope: Scope, steps: number, now: number): EventHistogram {
	const grid = gridOf(database, scope, steps, now)
	const counts = emptyCounts(grid.steps)
	const counted = scope.match === null && grid.stepMs >= minuteMs ? fromSums(database, scope, grid, counts) : null
	const cut = counted ?? fromRows(database, scope, grid, counts)
	const span = {since: grid.from, until: Math.min(now, grid.from + grid.stepMs * grid.steps)}
	return {
		from: iso(grid.from),
		to: iso(grid.from + grid.stepMs * grid.steps),
		stepMs: grid.stepMs,
		counts,
		exact: cut.below === null,
		countedFrom: cut.below === null ? null : iso(cut.below / idAt(1)),
		gaps: toldGaps(database, span)
	}
}

function gridOf(database: Database, {ranges}: Scope, steps: number, now: number) {
	const [oldest, newest] = edgesOf(database)
	const low = Math.min(...ranges.map(range => range.low)) / idAt(1)
	const high = Math.max(...ranges.map(range => range.high)) / idAt(1)
	const begin = low > 0 && Number.isFinite(low) ? low : Math.min(oldest ?? now, now - hourMs)
	const end = high < (newest ?? now) + 86_400_000 * 366 ? high : Math.max(now, newest ?? now)
	const raw = Math.max(1, Math.ceil((Math.max(end, begin + 1) - begin) / steps))
	const unit = raw > 30 * minuteMs ? hourMs : raw >= minuteMs / 2 ? minuteMs : raw >= 1000 ? 1000 : 1
	const stepMs = Math.ceil(raw / unit) * unit
	/** Unix milliseconds. */
	const from = Math.floor(begin / unit) * unit
	return {from, stepMs, steps: Math.max(1, Math.min(steps, Math.ceil((end - from) / stepMs)))}
}

/** When the oldest and the newest event happened. */
export function edgesOf(database: Database): readonly [number | null, number | null] {
	const edge = (order: 'ASC' | 'DESC') => database.get<{ms: number}>(`SELECT ms FROM event ORDER BY id ${order} LIMIT 1`)?.ms ?? null
	return [edge('ASC'), edge('DESC')]
}

type Counts = Record<EventSeverity, number[]>

function emptyCounts(steps: number): Counts {
	const zeros = () => Array.from({length: steps}, () => 0)
	return {critical: zeros(), high: zeros(), medium: zeros(), low: zeros(), none: zeros(), unknown: zeros()}
}

type Cut = ReturnType<typeof fromRows>

interface Sum {
	step: number
	severity: number
	n: number
}

/** `null` when a span is not in whole minutes, for which there are no sums. */
function fromSums(database: Database, {ranges}: Scope, grid: Grid, counts: Counts): Cut | null {
	const hours = grid.stepMs % hourMs === 0
	const unitMs = hours ? hourMs : minuteMs
	const [table, column] = hours ? ['hourly', 'hour'] : ['tally', 'minute']
	const end = grid.from + grid.stepMs * grid.steps
	const whole = (id: number) => id === 0 || id % idAt(unitMs) === 0 || id / idAt(1) >= end
	if (!ranges.every(({low, high}) => whole(low) && whole(high))) return null
	for (const {low, high} of ranges) {
		const first = Math.max(grid.from, low / idAt(1)) / unitMs
		const last = Math.min(end, high / idAt(1)) / unitMs
		const sums = database.all<Sum>(
			`SELECT CAST((${column} - ?) / ? AS INTEGER) AS step, severity, sum(n) AS n FROM ${table}
      WHERE ${column} >= ? AND ${column} < ? GROUP BY 1, 2`,
			grid.from / unitMs,
			grid.stepMs / unitMs,
			first,
			last
		)
		for (const sum of sums) add(counts, sum)
	}
	return {below: null}
}

/** Newest first, up to the limit. */
function fromRows(database: Database, scope: Scope, grid: Grid, counts: Counts) {
	const [limit] = idsOf(database, scope, mostCounted, 1)
	for (const {low, high} of scope.ranges) {
		const range = {low: Math.max(low, idAt(grid.from), limit === undefined ? 0 : limit + 1), high}
		if (range.low >= range.high) continue
		for (const sum of scope.match === null ? plainSums(database, range, grid) : matchSums(database, scope, range, grid)) add(counts, sum)
	}
	return {
		/** Nothing below this id was counted. */
		below: limit ?? null
	}
}

function plainSums(database: Database, range: IdRange, grid: Grid) {
	const sql = `SELECT CAST((id - ?) / ? AS INTEGER) AS step, severity, count(*) AS n FROM event
    WHERE id >= ? AND id < ? GROUP BY 1, 2`
	return database.all<Sum>(sql, idAt(grid.from), idAt(grid.stepMs), range.low, range.high)
}

/** The index has lists of severities: joining them is faster than reading each row. */
function matchSums(database: Database, scope: Scope, range: IdRange, grid: Grid) {
	return [-1, 0, 1, 2, 3, 4].flatMap(severity => {
		const {text, params} = idsSql(scope, range, `"${severityMark(severity)}"`)
		const sql = `SELECT (id - ?) / ? AS step, count(*) AS n FROM (${text}) GROUP BY 1`
		return database
			.all<Omit<Sum, 'severity'>>(sql, BigInt(idAt(grid.from)), BigInt(idAt(grid.stepMs)), ...params)
			.map(({step, n}) => ({step, severity, n}))
	})
}

function add(counts: Counts, {step, severity, n}: Sum) {
	const list = counts[severityAt(severity)]
	const at = Math.min(Math.max(0, step), list.length - 1)
	list[at] = (list[at] ?? 0) + n
}

function iso(ms: number) {
	return new Date(Math.floor(ms)).toISOString()
}
