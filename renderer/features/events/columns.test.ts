import {eventGroupings} from '#model/choices.ts'

import {columnsThatFit} from '#ui/table/DataTable.tsx'
import {columnsOf} from './columns.tsx'

/** Beside one event on a window of 1280 pixels. */
const besideEvent = 705

test('the grouping column is visible in a narrow table, and the time is not truncated', () => {
	const shown = (grouping: Parameters<typeof columnsOf>[0]) => columnsThatFit(columnsOf(grouping), besideEvent).map(({id}) => id)
	expect(shown('hash').slice(0, 3)).toEqual(['at', 'gathered', 'hash'])
	expect(shown('computer').slice(0, 3)).toEqual(['at', 'gathered', 'computer'])
	expect(shown('name').slice(0, 3)).toEqual(['at', 'gathered', 'detection'])
	for (const grouping of eventGroupings) {
		const width = columnsThatFit(columnsOf(grouping), besideEvent).reduce((sum, column) => sum + column.width, 0)
		expect(width, grouping).toBeLessThanOrEqual(besideEvent)
		expect(columnsOf(grouping)).toBe(columnsOf(grouping))
	}
})
