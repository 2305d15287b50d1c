import {trackOf} from './column-sizes.ts'

test('a column takes its share of the room that is left', () => {
	expect(trackOf({width: 150})).toBe('minmax(150px, 150fr)')
	expect(trackOf({width: 272, grows: 680})).toBe('minmax(272px, 680fr)')
})

test('one that does not grow, or has a width from a person, keeps it', () => {
	expect(trackOf({width: 172, grows: 0})).toBe('172px')
	expect(trackOf({width: 300, grows: 680, isFixed: true})).toBe('300px')
})
