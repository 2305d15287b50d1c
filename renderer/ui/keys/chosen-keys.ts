/**
 * Keys chosen by the operator instead of those of the map. Only keys change; the action of a shortcut is fixed: it opens or
 * moves.
 */
import {keyEntries, keyMap, selectionKeys, tableKeys, treeKeys, type KeyEntry, type KeyId} from './key-map.ts'

/** Keys by id of the map, as in the settings. Unknown ids are from another version. */
export type ChosenKeys = Readonly<Record<string, readonly string[]>>

const fixed: ReadonlySet<KeyId> = new Set<KeyId>([
	...tableKeys,
	...selectionKeys,
	...treeKeys,
	'trajectory.event',
	'trajectory.lane',
	'trajectory.pan'
])

/** Tables and charts handle these keys themselves. */
export function isFixed(id: KeyId) {
	return fixed.has(id)
}

export function keysOf(id: KeyId, chosen: ChosenKeys) {
	return (fixed.has(id) ? undefined : chosen[id]) ?? keyMap[id].keys
}

/** Active on every screen. */
const ofAny: ReadonlySet<KeyEntry['section']> = new Set(['Everywhere', 'Go to', 'Lists'])

/** The entry that uses these keys, or a prefix or continuation of them; `null` when they are free. */
export function conflictOf(id: KeyId, keys: string, chosen: ChosenKeys) {
	const {section} = keyMap[id]
	const found = keyEntries.find(
		([other, entry]) => other !== id && meet(section, entry.section) && keysOf(other, chosen).some(taken => collide(keys, taken))
	)
	return found?.[0] ?? null
}

function meet(one: KeyEntry['section'], other: KeyEntry['section']) {
	return one === other || ofAny.has(one) || ofAny.has(other)
}

function collide(one: string, other: string) {
	const [a, b] = [one.toLowerCase(), other.toLowerCase()]
	return a === b || a.startsWith(`${b} `) || b.startsWith(`${a} `)
}

const bare: ReadonlySet<string> = new Set(['Tab', 'Enter', 'Space', 'Escape', 'Backspace', 'Delete'])
/** Keys reserved by the system or the browser, or with a common meaning. */
const taken: ReadonlySet<string> = new Set([
	...['c', 'v', 'x', 'z', 'a', 'w', 't', 'n', 'q', 'r', 'Tab'].map(key => `Mod+${key}`),
	...['w', 't', 'n', 'i', 'j'].map(key => `Mod+Shift+${key}`),
	'Alt+F4',
	'Alt+Tab',
	'F5',
	'F11',
	'F12'
])

/** Why these keys cannot be chosen, in a sentence; `null` when they can. */
export function refusalOf(keys: string): string | null {
	if (keys.trim() === '') return 'Press a key.'
	if (bare.has(keys.replace(/^Shift\+/, ''))) return 'This key moves and confirms everywhere; it cannot be chosen alone.'
	if (taken.has(keys)) return 'The system or the browser takes this key before any page does.'
	return null
}

/** Pressed keys in the notation of the map; `null` for a modifier alone. */
export function writtenKeys(pressed: {key: string; ctrl: boolean; meta: boolean; alt: boolean; shift: boolean}) {
	if (['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Unidentified'].includes(pressed.key)) return null
	const key = pressed.key === ' ' ? 'Space' : pressed.key.length === 1 ? pressed.key.toLowerCase() : pressed.key
	const isNamed = key.length > 1 || /^[a-z]$/.test(key)
	const parts = [
		...(pressed.ctrl || pressed.meta ? ['Mod'] : []),
		...(pressed.alt ? ['Alt'] : []),
		...(pressed.shift && isNamed ? ['Shift'] : []),
		key
	]
	return parts.join('+')
}
