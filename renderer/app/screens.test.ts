import {screens} from '#model/screens.ts'

import {matchingItems} from '#commands/palette-items.ts'
import {parts} from './screens.ts'

test('every screen has a route of its own, and every line of the navigation has an icon', () => {
	const paths = parts.flatMap(({routes}) => routes.map(({options}) => (options as {path: string}).path)) // as written
	expect(new Set(paths).size).toBe(paths.length)
	expect(screens.map(({path}) => path).filter(path => !paths.includes(path))).toEqual([])
	const drawn = screens.filter(({section}) => section !== undefined).map(({id}) => parts.find(part => part.id === id)?.Icon)
	expect(drawn).not.toContain(undefined)
})

test('the palette leads to every screen', () => {
	const inPalette = matchingItems('').flatMap(({section, action}) => (section === 'Go to' && action.kind === 'open' ? [action.path] : []))
	expect(new Set(inPalette)).toEqual(new Set(screens.map(({path}) => path)))
})
