import {matchingParts, parts} from './parts.ts'
import {sectionIds} from './search.ts'

test('every part stands once, and in the order of the sections', () => {
	expect(new Set(parts.map(({id}) => id)).size).toBe(parts.length)
	const places = parts.map(({section}) => sectionIds.indexOf(section))
	expect(places).toEqual(places.toSorted((one, other) => one - other))
})

test('parts are found by their titles, their sections and what people call them', () => {
	expect(matchingParts('').length).toBe(parts.length)
	expect(matchingParts('DARK').map(({id}) => id)).toEqual(['theme'])
	expect(matchingParts('retention').map(({id}) => id)).toEqual(['keptEvents'])
	expect(matchingParts('keyboard rebind').map(({id}) => id)).toEqual(['keyMap'])
	expect(matchingParts('no such thing')).toEqual([])
})
