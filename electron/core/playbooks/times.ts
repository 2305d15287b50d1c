import {Cron} from 'croner'

import {invalidArgument} from '#contract/errors.ts'
import type {Schedule} from '#model/automation.ts'

/**
 * Times of a schedule, in its time zone. A local time skipped by a clock change moves to the next that exists; one that occurs
 * twice counts once.
 */
type Pattern = Pick<Schedule, 'times' | 'timeZone'>

/** Throws `invalid_argument` with the field at fault. */
function cronOf({times, timeZone}: Pattern) {
	if (!isZone(timeZone)) throw invalidArgument(`${timeZone} is not a time zone. Write one such as Europe/Berlin.`, 'timeZone')
	if (times.trim().split(/\s+/).length !== 5)
		throw invalidArgument('Write five parts: minute, hour, day, month, weekday, such as 0 6 * * MON-FRI.', 'times')
	try {
		return new Cron(times, {timezone: timeZone, paused: true, mode: '5-part', fixedTimeRule: 'no-wildcard'})
	} catch (error) {
		throw invalidArgument(`These are not times of a schedule: ${error instanceof Error ? error.message : ''}`, 'times')
	}
}

function isZone(name: string) {
	try {
		return new Intl.DateTimeFormat('en', {timeZone: name}).format(0) !== ''
	} catch {
		return false
	}
}

export function nextTimes(pattern: Pattern, after: number, count: number): readonly number[] {
	return cronOf(pattern)
		.nextRuns(count, new Date(after))
		.map(at => at.getTime())
}

const mostCounted = 1000

/** The newest time after one moment and up to another, and how many there are at least. */
export function dueBetween(pattern: Pattern, after: number, until: number): {at: number; count: number} | null {
	const cron = cronOf(pattern)
	let at: number | null = null
	let count = 0
	for (let next = cron.nextRun(new Date(after)); next !== null && next.getTime() <= until; next = cron.nextRun(next)) {
		at = next.getTime()
		count += 1
		if (count < mostCounted) continue
		const [newest] = cron.previousRuns(1, new Date(until + 1))
		return {at: newest?.getTime() ?? at, count}
	}
	return at === null ? null : {at, count}
}
