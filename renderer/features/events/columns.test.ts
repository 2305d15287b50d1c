import {eventGroupings, type EventGrouping} from '#model/choices.ts'

import {columnsThatFit} from '#ui/table/DataTable.tsx'
import {columnsOf} from './columns.tsx'

/** Between the facets and one event on a window of 1280 pixels. */
const besideEvent = 541
/** What UTC and the 12-hour clock add to a time. */
const longClock = 56

test('the grouping column is visible in a narrow table, and the time is not truncated, whatever the clock', () => {
	const shown = (grouping: EventGrouping) =>
		columnsThatFit(
			columnsOf(grouping).map(column => ({...column, width: column.width + (column.hasClock === true ? longClock : 0)})),
			besideEvent
		)
	const firstOf = (grouping: EventGrouping) =>
		shown(grouping)
			.map(({id}) => id)
			.slice(0, 3)
	expect(firstOf('hash')).toEqual(['at', 'gathered', 'hash'])
	expect(firstOf('computer')).toEqual(['at', 'gathered', 'computer'])
	expect(firstOf('name')).toEqual(['at', 'gathered', 'detection'])
	expect(firstOf('none')).toEqual(['at', 'type', 'computer'])
	expect(firstOf('detections')).toEqual(['at', 'detection', 'computer'])
	for (const grouping of eventGroupings) {
		const width = shown(grouping).reduce((sum, column) => sum + column.width, 0)
		expect(width, grouping).toBeLessThanOrEqual(besideEvent)
		expect(columnsOf(grouping)).toBe(columnsOf(grouping))
	}
})
