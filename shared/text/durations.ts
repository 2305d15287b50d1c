/** Ages, durations and time left, in one form for core, command line and page. All in milliseconds. */
import {counted} from './numbers.ts'
import {nouns} from './terms.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** An age: `42 s`, `3 min`, `6 h`, `12 d`; rounded down, and a negative one counts as zero. */
export function formatAge(ms: number) {
	const age = Math.max(0, ms)
	if (age < minute) return `${Math.floor(age / second)} s`
	if (age < hour) return `${Math.floor(age / minute)} min`
	if (age < day) return `${Math.floor(age / hour)} h`
	return `${Math.floor(age / day)} d`
}

/** A clock difference, to the nearest minute if it has minutes: the measurement varies by a second. */
export function formatDifference(ms: number) {
	return formatAge(ms < minute ? ms : Math.round(ms / minute) * minute)
}

/** `31:07`, or `1:02:03` from an hour. */
export function formatCountdown(ms: number) {
	const left = Math.max(0, Math.ceil(ms / second))
	const pad = (value: number) => String(value).padStart(2, '0')
	const hours = Math.floor(left / 3600)
	const rest = `${pad(Math.floor((left % 3600) / 60))}:${pad(left % 60)}`
	return hours > 0 ? `${hours}:${rest}` : rest
}

/** A duration: `1 s`, `12 s`, `3 min`, `2 h 5 min`, `3 d 4 h`; rounded up. */
export function formatDuration(ms: number) {
	return span(Math.max(1, ms), Math.ceil)
}

/** Remaining time, in the same form; rounded down. */
export function formatLeft(ms: number) {
	return span(Math.max(0, ms), Math.floor)
}

function span(ms: number, round: (value: number) => number) {
	if (ms < 90 * second) return `${round(ms / second)} s`
	const minutes = round(ms / minute)
	if (minutes < 90) return `${minutes} min`
	if (minutes < 48 * 60) return both(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
	const hours = round(ms / hour)
	return both(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

function both(large: number, largeUnit: string, small: number, smallUnit: string) {
	return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}

/** A measured time: `0.4 ms`, `12 ms`, `1.2 s`, `5 min`. */
export function formatMeasured(ms: number) {
	if (ms < 9.95) return `${ms.toFixed(1).replace(/\.0$/, '')} ms`
	if (ms < 999.5) return `${Math.round(ms)} ms`
	if (ms < 120 * second) return `${(ms / second).toFixed(1)} s`
	return `${Math.round(ms / minute)} min`
}

/** `4 hours`, `7 days`: a chosen length. */
export function formatHours(hours: number) {
	return hours >= 48 && hours % 24 === 0 ? counted(hours / 24, nouns.day) : counted(hours, nouns.hour)
}
