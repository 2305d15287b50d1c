/** Ages and times in words. Ages are in milliseconds, times ISO 8601. */

const minute = 60_000

/** Clock difference from which a banner appears on every screen (ms). */
export const skewInBanner = 60_000

export type TimeZone = 'local' | 'utc'

/** Time formats: `iso` sorts and compares, `dmy` is 31/01/2026, `mdy` is 01/31/2026. */
export interface TimeFormats {
	readonly clock: '24' | '12'
	readonly date: 'iso' | 'dmy' | 'mdy'
}

let formats: TimeFormats = {clock: '24', date: 'iso'}

/** For the whole page; render all times again after it (see `ClockProvider`). */
export function setTimeFormats(next: TimeFormats): void {
	formats = next
}

/** `2026-01-31 14:02:11`, with ` UTC` when that is the zone. */
export function formatExact(iso: string, zone: TimeZone): string {
	return isTime(iso) ? `${formatDate(iso, zone)} ${formatClock(iso, zone)}` : iso
}

/** `14:02:11`, with ` UTC` when that is the zone. */
export function formatClock(iso: string, zone: TimeZone): string {
	if (!isTime(iso)) return iso
	const clock = write(`seconds ${formats.clock}`, iso, zone)
	return zone === 'utc' ? `${clock} UTC` : clock
}

/** `14:02`, without the zone. */
export function formatMinute(iso: string, zone: TimeZone): string {
	return isTime(iso) ? write(`minutes ${formats.clock}`, iso, zone) : iso
}

/** `2026-01-31`. */
export function formatDate(iso: string, zone: TimeZone): string {
	return isTime(iso) ? write(formats.date, iso, zone) : iso
}

/** `31 Jan`. */
export function formatDay(iso: string, zone: TimeZone): string {
	return isTime(iso) ? write('day', iso, zone) : iso
}

function isTime(iso: string): boolean {
	return !Number.isNaN(Date.parse(iso))
}

const forms = {
	iso: ['sv-SE', {dateStyle: 'short'}],
	dmy: ['en-GB', {dateStyle: 'short'}],
	mdy: ['en-US', {year: 'numeric', month: '2-digit', day: '2-digit'}],
	day: ['en-GB', {day: 'numeric', month: 'short'}],
	'seconds 24': ['en-GB', {timeStyle: 'medium'}],
	'seconds 12': ['en-US', {timeStyle: 'medium'}],
	'minutes 24': ['en-GB', {timeStyle: 'short'}],
	'minutes 12': ['en-US', {timeStyle: 'short'}],
} as const satisfies Readonly<Record<string, readonly [string, Intl.DateTimeFormatOptions]>>

// Creating a formatter takes far longer than using it, and a table shows dozens of times.
const made = new Map<string, Intl.DateTimeFormat>()

function write(form: keyof typeof forms, iso: string, zone: TimeZone): string {
	const key = `${zone} ${form}`
	let formatter = made.get(key)
	if (formatter === undefined) {
		const [locale, options] = forms[form]
		formatter = new Intl.DateTimeFormat(locale, zone === 'utc' ? {...options, timeZone: 'UTC'} : options)
		made.set(key, formatter)
	}
	// A regular blank, because times are copied and searched.
	return formatter.format(new Date(iso)).replaceAll('\u202F', ' ')
}

/** Freshness from 1 (now) to 0 (30 days and older), on a logarithmic scale. */
export function freshness(ageMs: number): number {
	const minutes = Math.max(0, ageMs) / minute
	const scale = Math.log10(1 + minutes) / Math.log10(1 + 30 * 24 * 60)
	return Math.max(0, Math.min(1, 1 - scale))
}
