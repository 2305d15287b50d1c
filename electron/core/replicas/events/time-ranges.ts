import {invalidArgument} from '#contract/errors.ts'
import type {EventFilterTerm, EventFilterValue} from '#model/event-filter-values.ts'
import type {FilterOperator} from '#model/filter-term.ts'

import {idAt} from './record.ts'

/** Ids from `low` (inclusive) to `high` (exclusive). */
export interface IdRange {
	readonly low: number
	readonly high: number
}

export const allIds: IdRange = {low: 0, high: idAt(Number.POSITIVE_INFINITY) + 1}

/** The ids of a time span and of all time terms, newest first, without overlap. `now`: Unix milliseconds. */
export function rangesOf(span: {from: string | null; to: string | null}, terms: readonly EventFilterTerm[], now: number): readonly IdRange[] {
	const bounds = {low: boundOf(span.from, allIds.low), high: boundOf(span.to, allIds.high)}
	const ranges = terms.reduce<readonly IdRange[]>((left, term) => common(left, rangesOfTerm(term, now)), bounds.low < bounds.high ? [bounds] : [])
	return ranges.toSorted((a, b) => b.low - a.low)
}

function boundOf(text: string | null, otherwise: number) {
	if (text === null || text === '') return otherwise
	const ms = Date.parse(text)
	if (Number.isNaN(ms)) throw invalidArgument(`“${text}” is not a time.`, 'from')
	return idAt(ms)
}

function rangesOfTerm(term: EventFilterTerm, now: number) {
	const ranges = joined(term.values.map(value => rangeOf(value, term.operator, now)))
	return term.negated ? outside(ranges) : ranges
}

function rangeOf(value: EventFilterValue, operator: FilterOperator, now: number): IdRange {
	if (value.kind === 'age') {
		const edge = idAt(steadyNow(now, value.ms) - value.ms)
		return operator.startsWith('<') ? {...allIds, low: edge} : {...allIds, high: edge}
	}
	if (value.kind !== 'moment') return {low: 0, high: 0}
	const [from, to] = [idAt(value.from), idAt(value.to)]
	switch (operator) {
		case '<':
			return {...allIds, high: from}
		case '<=':
			return {...allIds, high: to}
		case '>':
			return {...allIds, low: to}
		case '>=':
			return {...allIds, low: from}
		case ':':
		case '=':
			return {low: from, high: to}
	}
}

const [leastStepMs, mostStepMs] = [5000, 60_000]

/**
 * Relative times advance by the minute, short ones by a sixtieth of themselves, at least 5 s: consecutive queries cover the same
 * rows, and cached walks stay valid.
 */
function steadyNow(now: number, ageMs: number) {
	const step = Math.min(mostStepMs, Math.max(leastStepMs, ageMs / 60))
	return Math.floor(now / step) * step
}

/** Oldest first; adjacent ones are merged. */
function joined(ranges: readonly IdRange[]) {
	const result: IdRange[] = []
	for (const range of ranges.filter(({low, high}) => low < high).toSorted((a, b) => a.low - b.low)) {
		const last = result.at(-1)
		if (last === undefined || range.low > last.high) result.push(range)
		else result[result.length - 1] = {low: last.low, high: Math.max(last.high, range.high)}
	}
	return result
}

function outside(ranges: readonly IdRange[]) {
	const edges = [allIds.low, ...ranges.flatMap(({low, high}) => [low, high]), allIds.high]
	const gaps: IdRange[] = []
	for (let at = 0; at < edges.length; at += 2) gaps.push({low: edges[at] ?? 0, high: edges[at + 1] ?? 0})
	return gaps.filter(({low, high}) => low < high)
}

function common(one: readonly IdRange[], other: readonly IdRange[]) {
	return one.flatMap(a => other.map(b => ({low: Math.max(a.low, b.low), high: Math.min(a.high, b.high)}))).filter(({low, high}) => low < high)
}
