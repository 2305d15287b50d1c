import {formatAge, formatCountdown, formatDifference, formatDuration, formatHours, formatLeft, formatMeasured} from './durations.ts'

test('an age is one number and one unit, and never more than has passed', () => {
	expect([-5, 0, 59_999, 60_000, 3_599_999, 3_600_000, 86_400_000 * 6].map(formatAge)).toEqual([
		'0 s',
		'0 s',
		'59 s',
		'1 min',
		'59 min',
		'1 h',
		'6 d'
	])
})

test('a clock difference is rounded to the nearest minute', () => {
	expect([59_000, 119_000, 121_000].map(formatDifference)).toEqual(['59 s', '2 min', '2 min'])
})

test('a countdown reaches 00:00 only when it is over', () => {
	expect([0, 1, 1_867_000, 3_723_000].map(formatCountdown)).toEqual(['00:00', '00:01', '31:07', '1:02:03'])
})

test('a duration is never rounded down', () => {
	const seconds = [0, 0.2, 12, 89.5, 100, 600, 7200, 7500, 172_799, 172_801, 190_000]
	expect(seconds.map(each => formatDuration(1000 * each))).toEqual([
		'1 s',
		'1 s',
		'12 s',
		'90 s',
		'2 min',
		'10 min',
		'2 h',
		'2 h 5 min',
		'2 d',
		'2 d 1 h',
		'2 d 5 h'
	])
})

test('remaining time is never rounded up', () => {
	const seconds = [0, 0.9, 89.9, 100, 4 * 3600 - 1, 7 * 86_400 - 1]
	expect(seconds.map(each => formatLeft(1000 * each))).toEqual(['0 s', '0 s', '89 s', '1 min', '3 h 59 min', '6 d 23 h'])
})

test('a measured time is short', () => {
	expect([0.42, 9.96, 12.3, 999.6, 1234, 300_000].map(formatMeasured)).toEqual(['0.4 ms', '10 ms', '12 ms', '1.0 s', '1.2 s', '5 min'])
})

test('a chosen length is written out', () => {
	expect([1, 4, 24, 48, 50, 168].map(formatHours)).toEqual(['1 hour', '4 hours', '24 hours', '2 days', '50 hours', '7 days'])
})
