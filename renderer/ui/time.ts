/** Ages and times in words. Ages are in milliseconds, times ISO 8601. */

const minute = 60_000

/** Clock difference from which a banner appears on every screen (ms). */
export const skewInBanner = 60_000

export type TimeZone = 'local' | 'utc'

/** Time formats: `iso` sorts and compares, `dmy` is 31/01/2026, `mdy` is 01/31/2026. */
export interface TimeFormats {
	clock: '24' | '12'
	date: 'iso' | 'dmy' | 'mdy'
}

let formats: TimeFormats = {clock: '24', date: 'iso'}

/** For the whole page; render all times again after it (see `ClockProvider`). */
export function setTimeFormats(next: TimeFormats) {
	formats = next
}

/** `2026-01-31 14:02:11`, with ` UTC` when that is the zone. */
export function formatExact(iso: string, zone: TimeZone) {
	return isTime(iso) ? `${formatDate(iso, zone)} ${formatClock(iso, zone)}` : iso
}

/** `14:02:11`, with ` UTC` when that is the zone. */
export function formatClock(iso: string, zone: TimeZone) {
	const clock = write(`seconds ${formats.clock}`, iso, zone)
	return zone === 'utc' && isTime(iso) ? `${clock} UTC` : clock
}

/** Characters that the chosen clock and zone add to `14:02:11`. */
export function clockExtra(zone: TimeZone) {
	return (formats.clock === '12' ? 3 : 0) + (zone === 'utc' ? 4 : 0)
}

/** `14:02`, without the zone. */
export function formatMinute(iso: string, zone: TimeZone) {
	return write(`minutes ${formats.clock}`, iso, zone)
}

/** `2026-01-31`. */
export function formatDate(iso: string, zone: TimeZone) {
	return write(formats.date, iso, zone)
}

/** `31 Jan`. */
export function formatDay(iso: string, zone: TimeZone) {
	return write('day', iso, zone)
}

function isTime(iso: string) {
	return !Number.isNaN(Date.parse(iso))
}

interface Parts {
	day: number
	month: number
	year: string
	hours: number
	minutes: string
	seconds: string
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'] as const

const forms = {
	iso: ({year, month, day}: Parts) => `${year}-${two(month)}-${two(day)}`,
	dmy: ({year, month, day}: Parts) => `${two(day)}/${two(month)}/${year}`,
	mdy: ({year, month, day}: Parts) => `${two(month)}/${two(day)}/${year}`,
	day: ({month, day}: Parts) => `${day} ${months[month - 1] ?? ''}`,
	'seconds 24': ({hours, minutes, seconds}: Parts) => `${two(hours)}:${minutes}:${seconds}`,
	'seconds 12': ({hours, minutes, seconds}: Parts) => `${hours % 12 || 12}:${minutes}:${seconds} ${half(hours)}`,
	'minutes 24': ({hours, minutes}: Parts) => `${two(hours)}:${minutes}`,
	'minutes 12': ({hours, minutes}: Parts) => `${hours % 12 || 12}:${minutes} ${half(hours)}`
} as const

/** Without `Intl.DateTimeFormat`: listing its locales costs the first screen 15 ms. */
function write(form: keyof typeof forms, iso: string, zone: TimeZone) {
	if (!isTime(iso)) return iso
	const time = new Date(iso)
	// A time of the zone as if it were UTC.
	const shown = zone === 'utc' ? time : new Date(time.getTime() - time.getTimezoneOffset() * minute)
	return forms[form]({
		day: shown.getUTCDate(),
		month: shown.getUTCMonth() + 1,
		year: String(shown.getUTCFullYear()).padStart(4, '0'),
		hours: shown.getUTCHours(),
		minutes: two(shown.getUTCMinutes()),
		seconds: two(shown.getUTCSeconds())
	})
}

function two(value: number) {
	return String(value).padStart(2, '0')
}

function half(hours: number) {
	return hours < 12 ? 'AM' : 'PM'
}

/** Freshness from 1 (now) to 0 (30 days and older), on a logarithmic scale. */
export function freshness(ageMs: number) {
	const minutes = Math.max(0, ageMs) / minute
	const scale = Math.log10(1 + minutes) / Math.log10(1 + 30 * 24 * 60)
	return Math.max(0, Math.min(1, 1 - scale))
}
