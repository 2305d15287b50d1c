/** Times of a schedule, in its time zone. A local time that a change of the clocks leaves out comes at the next that exists; one that comes twice counts once. */
import { Cron } from 'croner';

import { CordonError } from '#shared/contract/errors.ts';
import type { Schedule } from '#shared/model/automation.ts';

type Pattern = Pick<Schedule, 'times' | 'timeZone'>;

/** Throws `invalid_argument` with the field at fault. */
function cronOf({ times, timeZone }: Pattern): Cron {
	if (!isZone(timeZone)) throw wrong('timeZone', `${timeZone} is no time zone. Write one such as Europe/Berlin.`);
	if (times.trim().split(/\s+/).length !== 5)
		throw wrong('times', 'Write five parts: minute, hour, day, month, weekday, such as 0 6 * * MON-FRI.');
	try {
		return new Cron(times, { timezone: timeZone, paused: true, mode: '5-part' });
	} catch (error) {
		throw wrong('times', `These are no times of a schedule: ${error instanceof Error ? error.message : ''}`);
	}
}

function isZone(name: string): boolean {
	try {
		return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
	} catch {
		return false;
	}
}

function wrong(field: string, message: string): CordonError {
	return new CordonError('invalid_argument', message, { field });
}

export function nextTimes(pattern: Pattern, after: number, count: number): readonly number[] {
	return cronOf(pattern)
		.nextRuns(count, new Date(after))
		.map((at) => at.getTime());
}

const mostCounted = 1000;

export interface Due {
	/** The newest of them. */
	readonly at: number;
	/** So many times, at least, are due. */
	readonly count: number;
}

/** Times after one moment, up to another. */
export function dueBetween(pattern: Pattern, after: number, until: number): Due | null {
	const cron = cronOf(pattern);
	let at: number | null = null;
	let count = 0;
	for (let next = cron.nextRun(new Date(after)); next !== null && next.getTime() <= until; next = cron.nextRun(next)) {
		at = next.getTime();
		count += 1;
		if (count < mostCounted) continue;
		const [newest] = cron.previousRuns(1, new Date(until + 1));
		return { at: newest?.getTime() ?? at, count };
	}
	return at === null ? null : { at, count };
}
