import {dueBetween, nextTimes} from './times.ts'

const berlin = (times: string) => ({times, timeZone: 'Europe/Berlin'})
const at = (iso: string) => Date.parse(iso)

test.each([
	['30 2 * * *', '2026-03-28T12:00:00Z', ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']],
	['30 2 * * *', '2026-10-24T12:00:00Z', ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']],
	['0 2,14 * * *', '2026-03-28T22:00:00Z', ['2026-03-29T01:00:00.000Z', '2026-03-29T12:00:00.000Z']],
	['0 2,14 * * *', '2026-10-24T22:00:00Z', ['2026-10-25T00:00:00.000Z', '2026-10-25T13:00:00.000Z']],
	['0 6 * * MON-FRI', '2026-10-23T12:00:00Z', ['2026-10-26T05:00:00.000Z', '2026-10-27T05:00:00.000Z']]
])('%s after %s: a local time that does not exist comes at the next, one that comes twice once', (times, from, next) => {
	expect(nextTimes(berlin(times), at(from), 2)).toEqual(next.map(at))
})

test.each([
	['99 * * * *', 'Europe/Berlin', 'times'],
	['* * * * * *', 'Europe/Berlin', 'times'],
	['0 6 * * *', 'Mars/Olympus', 'timeZone']
])('%s in %s is refused by its field', (times, timeZone, field) => {
	expect(() => nextTimes({times, timeZone}, 0, 1)).toThrow(expect.objectContaining({details: {field}}))
})

test('times between two moments are counted, the later moment included', () => {
	const from = at('2026-11-20T05:00:00Z')
	expect(dueBetween(berlin('0 6 * * *'), from, at('2026-11-22T05:00:00Z'))).toEqual({at: at('2026-11-22T05:00:00Z'), count: 2})
	expect(dueBetween(berlin('0 6 * * *'), from, at('2026-11-21T04:59:59Z'))).toBeNull()
	expect(dueBetween(berlin('* * * * *'), from, at('2026-12-20T05:00:30Z'))).toEqual({at: at('2026-12-20T05:00:00Z'), count: 1000})
})
