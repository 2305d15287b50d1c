import {eventGroupings, isByValue, type EventGrouping} from '#model/choices.ts'
import {parseEventFilter} from '#model/event-filter.ts'

import {eventsInWords, gatheredInWords, lonelyOf, nextGrouping, rowsInWords} from './grouping.ts'

test('the key goes through every grouping and comes back to all events', () => {
	const met: EventGrouping[] = []
	for (let grouping = nextGrouping('none'); grouping !== 'none'; grouping = nextGrouping(grouping)) met.push(grouping)
	expect(met).toEqual(['detections', 'hash', 'computer', 'name'])
	expect(met.filter(isByValue)).toEqual(['hash', 'computer', 'name'])
})

test('grouped rows say what was searched, and never count the rest', () => {
	const looked = {events: 10_000, without: 0, oldest: '2026-11-20T08:00:00.000Z'}
	expect(rowsInWords({matching: {count: 57, exact: false}, gathering: {...looked, exact: false}})).toBe('57 rows of the newest 10,000 that match')
	expect(rowsInWords({matching: {count: 1, exact: true}, gathering: {...looked, events: 1, exact: true}})).toBe('1 row of 1 that matches')
	expect(rowsInWords({matching: {count: 12_000, exact: false}})).toBe('≥ 12,000 match')
})

test('rows by detection are no count of events, and counts of events beside them say so', () => {
	expect(rowsInWords({matching: {count: 20, exact: true}}, 'detections')).toBe('20 rows, one per detection')
	expect(rowsInWords({matching: {count: 1, exact: true}}, 'detections')).toBe('1 row, one per detection')
	expect(eventsInWords('detections', {events: 34, exact: true})).toBe('Counts are of events, 34 in all; the rows group them.')
	expect(eventsInWords('none', {events: 34, exact: true})).toBeNull()
	expect(eventsInWords('none', {events: 0, exact: true})).toBe('There is no event to count.')
})

test('a row shows how many events and computers it stands for', () => {
	const since = '2026-11-20T08:00:00.000Z'
	expect(gatheredInWords({events: 14, computers: 5, since})).toBe('14 on 5 computers')
	expect(gatheredInWords({events: 1, computers: 1, since})).toBe('1 event')
	expect(gatheredInWords({events: 1200, computers: 0, since})).toBe('1,200 events')
})

test('events without the value are counted beside the grouping, with a way to exclude them', () => {
	const looked = {events: 2157, exact: true, oldest: null}
	expect(lonelyOf('hash', {...looked, without: 1880})).toEqual({
		words: '1,880 events have no hash: each is a row of its own.',
		term: '-hash:empty'
	})
	expect(lonelyOf('computer', {...looked, without: 1})?.words).toBe('1 event has no computer: it is a row of its own.')
	expect(lonelyOf('name', {...looked, without: 0})).toBeNull()
	expect(lonelyOf('detections', undefined)).toBeNull()
	for (const grouping of eventGroupings.filter(isByValue))
		expect(parseEventFilter(lonelyOf(grouping, {...looked, without: 2})?.term ?? '').problems).toEqual([])
})
