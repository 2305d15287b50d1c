import {screens} from '#shared/model/screens.ts'

import {matchingItems} from './palette-items.ts'

test('the menu of the desktop and the palette lead to the same screens', () => {
	const inPalette = matchingItems('').flatMap(({action}) => (action.kind === 'go' ? [action.to] : []))
	expect(screens.map(({path}) => path).toSorted()).toEqual([...new Set(inPalette)].toSorted())
})
