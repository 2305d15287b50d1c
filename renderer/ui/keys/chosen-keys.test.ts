import {conflictOf, isFixed, keysOf, refusalOf, writtenKeys} from './chosen-keys.ts'
import {keyEntries} from './key-map.ts'

const plain = {ctrl: false, meta: false, alt: false, shift: false}

describe('keys that were chosen', () => {
	test('take the place of those of the map, and only those', () => {
		const chosen = {'computers.isolate': ['Shift+i'], 'no.such': ['z']}
		expect(keysOf('computers.isolate', chosen)).toEqual(['Shift+i'])
		expect(keysOf('computers.move', chosen)).toEqual(['m'])
	})

	test('do not reach keys that tables understand themselves', () => {
		expect(isFixed('list.move')).toBe(true)
		expect(keysOf('list.move', {'list.move': ['q']})).toContain('j')
	})
})

describe('a conflict', () => {
	test('is with an entry of the same screen, or of everywhere', () => {
		expect(conflictOf('computers.isolate', 'm', {})).toBe('computers.move')
		expect(conflictOf('computers.isolate', '?', {})).toBe('global.keys')
		expect(conflictOf('computers.isolate', 'Shift+q', {})).toBeNull()
	})

	test('is none with another screen', () => {
		expect(conflictOf('connections.add', 'i', {})).toBeNull()
	})

	test('is with what begins the same', () => {
		expect(conflictOf('computers.isolate', 'g', {})).toMatch(/^goto\./)
		expect(conflictOf('goto.log', '? x', {})).toBe('global.keys')
	})

	test('sees what was chosen, and that a key became free', () => {
		const chosen = {'computers.move': ['Shift+m']}
		expect(conflictOf('computers.isolate', 'm', chosen)).toBeNull()
		expect(conflictOf('computers.isolate', 'shift+M', chosen)).toBe('computers.move')
	})
})

test('keys of the browser and keys that confirm are refused', () => {
	expect(['Enter', 'Shift+Tab', 'Space', 'Escape', 'Mod+w', 'F5', ''].map(keys => refusalOf(keys) === null)).toEqual(
		Array.from({length: 7}, () => false)
	)
	expect(['i', 'Mod+Shift+k', 'g z', 'Alt+1'].map(refusalOf)).toEqual([null, null, null, null])
})

test('what is pressed is written as in the map', () => {
	expect(writtenKeys({...plain, key: 'I', shift: true})).toBe('Shift+i')
	expect(writtenKeys({...plain, key: '?', shift: true})).toBe('?')
	expect(writtenKeys({...plain, key: 'k', meta: true})).toBe('Mod+k')
	expect(writtenKeys({...plain, key: ' '})).toBe('Space')
	expect(writtenKeys({...plain, key: 'Shift', shift: true})).toBeNull()
})

test('nothing that the map calls a key changes anything: no title is a bare verb of a change', () => {
	const changing = keyEntries.filter(([, {title}]) => /^(isolate|release|move|delete|remove|assign)\b[^…]*$/i.test(title))
	expect(changing.map(([id]) => id)).toEqual([])
})
