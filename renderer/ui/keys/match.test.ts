import {keyEntries} from './key-map.ts'
import {isPressed, isSingle, spell} from './match.ts'

const plain = {ctrl: false, meta: false, alt: false, shift: false}

test('Mod is Ctrl or Cmd', () => {
	expect(isPressed('Mod+k', {...plain, key: 'k', ctrl: true})).toBe(true)
	expect(isPressed('Mod+k', {...plain, key: 'k', meta: true})).toBe(true)
	expect(isPressed('Mod+k', {...plain, key: 'k'})).toBe(false)
})

test('a letter with Shift is another key, a sign with Shift is the same', () => {
	expect(isPressed('y', {...plain, key: 'Y', shift: true})).toBe(false)
	expect(isPressed('Shift+y', {...plain, key: 'Y', shift: true})).toBe(true)
	expect(isPressed(':', {...plain, key: ':', shift: true})).toBe(true)
	expect(isPressed('?', {...plain, key: '?', shift: true})).toBe(true)
})

test('a plain letter is not taken away from the browser', () => {
	expect(isPressed('c', {...plain, key: 'c', ctrl: true})).toBe(false)
})

test('sequences and signs count as single keys', () => {
	expect(['g c', '?', 'Shift+y', 'Mod+k', 'Ctrl+`', 'Alt+ArrowLeft', 'F1'].map(isSingle)).toEqual([true, true, true, false, false, false, false])
})

test('keys are spelled for people', () => {
	expect(['Mod+Shift+o', 'g c', 'ArrowDown', 'Mod+,'].map(keys => spell(keys, false))).toEqual(['Ctrl+Shift+O', 'g c', '↓', 'Ctrl+,'])
})

test('no key means two things in one place', () => {
	for (const section of [
		'Overview',
		'Computers',
		'Computer',
		'File lists',
		'File list',
		'Hash',
		'Incident log',
		'Instances',
		'Instance',
		'Server parameters',
		'Connections'
	] as const) {
		const seen = keyEntries
			.filter(([, entry]) => entry.section === section || entry.section === 'Everywhere' || entry.section === 'Go to')
			.flatMap(([, entry]) => entry.keys)
		expect(new Set(seen).size).toBe(seen.length)
	}
})

test('the sign between the parts of a key is a key too', () => {
	const plus = {key: '+', ctrl: false, meta: false, alt: false, shift: true}
	expect(isPressed('+', plus)).toBe(true)
	expect(isPressed('+', {...plus, key: '-'})).toBe(false)
	expect(spell('+', false)).toBe('+')
})
