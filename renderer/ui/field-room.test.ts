import {noRoomWords} from './Field.tsx'

test('a field that takes no more says so', () => {
	expect(noRoomWords('x'.repeat(254), 255)).toBeNull()
	expect(noRoomWords('x'.repeat(255), 255)).toMatch(/^The limit is 255 characters/)
	expect(noRoomWords('x'.repeat(10_000), 10_000)).toContain('10,000')
})

test('fields without an end, and those for numbers, say nothing', () => {
	expect(noRoomWords('x'.repeat(5000), undefined)).toBeNull()
	expect(noRoomWords('1200', 4)).toBeNull()
})
