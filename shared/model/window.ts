/** Maintenance windows of the guard rules, one per line: pure, and the same in core and page. */
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const

const line =
	/^(isolate never|change only) ((?:SUN|MON|TUE|WED|THU|FRI|SAT)(?:[,-](?:SUN|MON|TUE|WED|THU|FRI|SAT))*) ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d) ([\w/+-]+)((?: [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})*)$/i

interface Window {
	/** Inside, isolations must be typed; or outside, moves and policies are refused. */
	kind: 'isolate never' | 'change only'
	/** Days on which it begins, 0 for Sunday. */
	days: readonly number[]
	/** Minutes of the day; an end before the start is on the next day. */
	from: number
	to: number
	zone: string
	/** GUIDs of groups, with subgroups; empty: every target. */
	groups: readonly string[]
}

/** `undefined`: invalid. */
export function readWindow(text: string): Window | undefined {
	const found = line.exec(text.trim().replaceAll(/\s+/g, ' '))
	if (found === null) return undefined
	const [, kind = '', on = '', h1, m1, h2, m2, zone = '', groups = ''] = found
	const window: Window = {
		kind: kind.toLowerCase() === 'isolate never' ? 'isolate never' : 'change only',
		days: on.toUpperCase().split(',').flatMap(spanOf),
		...{from: Number(h1) * 60 + Number(m1), to: Number(h2) * 60 + Number(m2), zone},
		groups: groups.toLowerCase().split(' ').filter(Boolean)
	}
	try {
		isInside(window, 0)
		return window.from === window.to ? undefined : window
	} catch {
		// Unknown time zone.
		return undefined
	}
}

function spanOf(span: string) {
	const [first = 0, last = first] = span.split('-').map(day => days.findIndex(one => one === day))
	return Array.from({length: ((last - first + 7) % 7) + 1}, (_day, index) => (first + index) % 7)
}

/** By the wall clock of its time zone. */
export function isInside({days: on, from, to, zone}: Window, now: number) {
	const format = {timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23'} as const
	const parts = new Intl.DateTimeFormat('en-US', format).formatToParts(now)
	const part = (type: Intl.DateTimeFormatPartTypes) => parts.find(one => one.type === type)?.value ?? ''
	const day = days.findIndex(one => one === part('weekday').toUpperCase())
	const minute = Number(part('hour')) * 60 + Number(part('minute'))
	if (from < to) return on.includes(day) && minute >= from && minute < to
	return (on.includes(day) && minute >= from) || (on.includes((day + 6) % 7) && minute < to)
}
