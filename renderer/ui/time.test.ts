import {formatClock, formatDay, formatExact, formatMinute, freshness, setTimeFormats} from './time.ts'

test('an exact time says so when it is UTC, and an unknown form is shown as it is', () => {
	expect(formatExact('2026-01-31T14:02:11Z', 'utc')).toBe('2026-01-31 14:02:11 UTC')
	expect([formatExact, formatClock].map(format => format('yesterday', 'utc'))).toEqual(['yesterday', 'yesterday'])
})

afterEach(() => setTimeFormats({clock: '24', date: 'iso'}))

test.each([
	[{clock: '12', date: 'iso'}, '2026-01-31 2:02:11 PM UTC', '2:02 PM'],
	[{clock: '24', date: 'dmy'}, '31/01/2026 14:02:11 UTC', '14:02'],
	[{clock: '12', date: 'mdy'}, '01/31/2026 2:02:11 PM UTC', '2:02 PM']
] as const)('times have the form that was chosen: %j', (formats, exact, minute) => {
	setTimeFormats(formats)
	expect(formatExact('2026-01-31T14:02:11Z', 'utc')).toBe(exact)
	expect(formatMinute('2026-01-31T14:02:11Z', 'utc')).toBe(minute)
	expect(formatDay('2026-01-31T14:02:11Z', 'utc')).toBe('31 Jan')
})

test.each(['2026-09-05T00:00:05Z', '2026-12-31T11:59:59Z', '2024-02-29T12:30:00Z', '1980-06-01T23:04:00Z'])('%s is the same as by Intl', iso => {
	setTimeFormats({clock: '12', date: 'mdy'})
	const options = {hour: 'numeric', minute: '2-digit', second: '2-digit'} as const
	const clock = new Intl.DateTimeFormat('en-US', options).format(new Date(iso)).replaceAll('\u202F', ' ')
	const date = new Intl.DateTimeFormat('en-US', {year: 'numeric', month: '2-digit', day: '2-digit'}).format(new Date(iso))
	expect(formatExact(iso, 'local')).toBe(`${date} ${clock}`)
	expect(formatDay(iso, 'utc')).toBe(new Intl.DateTimeFormat('en-GB', {day: 'numeric', month: 'short', timeZone: 'UTC'}).format(new Date(iso)))
})

test('freshness falls with age and stays between 1 and 0', () => {
	const values = [0, 60_000, 3_600_000, 86_400_000, 86_400_000 * 30, 86_400_000 * 400].map(freshness)
	expect(values[0]).toBe(1)
	expect(values.at(-1)).toBe(0)
	expect(values.toSorted((a, b) => b - a)).toEqual(values)
})
