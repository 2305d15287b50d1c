import {anchorRow, keptInView} from './kept-in-view.ts'

/** 20 rows of 28 px below their header, 65 px of them lost to a bar. */
const room = {rowHeight: 28, head: 28, top: 1000, before: 588, now: 523}

test('a row that the smaller room would hide comes back into it, whole', () => {
	const last = 53 // Its lower edge, 1512 px below the header, was at the lower edge of the view.
	expect(keptInView({...room, at: last})).toBe(54 * 28 + 28 - 523)
})

test('a higher header covers more of the room', () => {
	expect(keptInView({...room, head: 64, at: 52})).toBe(53 * 28 + 64 - 523)
})

test('a row that stays in view moves nothing', () => {
	expect(keptInView({...room, at: 45})).toBe(1000)
})

test('a row out of view and no row at all move nothing', () => {
	expect(keptInView({...room, at: 10})).toBe(1000)
	expect(keptInView({...room, at: 500})).toBe(1000)
	expect(keptInView({...room, at: -1})).toBe(1000)
})

test('the row that a person looks at is the one with the cursor, else the first in view, else none', () => {
	const view = {rowHeight: 28, head: 28, room: 308}
	expect(anchorRow({...view, at: 12, top: 280})).toBe(12)
	expect(anchorRow({...view, at: 3, top: 0})).toBe(3)
	expect(anchorRow({...view, at: 40, top: 280})).toBe(10)
	expect(anchorRow({...view, at: -1, top: 290})).toBe(11)
	expect(anchorRow({...view, at: -1, top: 0})).toBeNull()
})
