export interface Pressed {
	key: string
	ctrl: boolean
	meta: boolean
	alt: boolean
	shift: boolean
}

/** Whether a step of the key map, such as `Mod+Shift+o`, was pressed. */
export function isPressed(step: string, pressed: Pressed) {
	const wanted = parse(step)
	const control = wanted.mod ? pressed.ctrl || pressed.meta : pressed.ctrl === wanted.ctrl && !pressed.meta
	if (!control || pressed.alt !== wanted.alt) return false
	// Which symbols need Shift depends on the keyboard; letters and named keys do not.
	const shiftMatters = /^[a-z]$/i.test(wanted.key) || wanted.key.length > 1
	if (shiftMatters && pressed.shift !== wanted.shift) return false
	return named(pressed.key).toLowerCase() === wanted.key.toLowerCase()
}

/** Whether it works without Ctrl, Cmd or Alt, and so would interfere with typing. Function keys write nothing. */
export function isSingle(keys: string) {
	return keys.split(' ').every(step => {
		const {key, mod, ctrl, alt} = parse(step)
		return !mod && !ctrl && !alt && !/^F\d{1,2}$/.test(key)
	})
}

/** Readable form: `Mod+Shift+o` becomes `Ctrl+Shift+O`. */
export function spell(keys: string, isMac: boolean) {
	return keys
		.split(' ')
		.map(step =>
			partsOf(step)
				.map((part, _at, parts) => spellPart(part, isMac, parts.length > 1))
				.join('+')
		)
		.join(' ')
}

const spelled: Readonly<Record<string, string>> = {
	ArrowUp: '↑',
	ArrowDown: '↓',
	ArrowLeft: '←',
	ArrowRight: '→',
	Escape: 'Esc',
	PageUp: 'PgUp',
	PageDown: 'PgDn'
}

function spellPart(part: string, isMac: boolean, combined: boolean) {
	if (part === 'Mod') return isMac ? 'Cmd' : 'Ctrl'
	const name = spelled[part] ?? part
	return combined && name.length === 1 ? name.toUpperCase() : name
}

function parse(step: string) {
	const parts = partsOf(step)
	const key = parts.at(-1) ?? ''
	const has = (name: string) => parts.slice(0, -1).includes(name)
	return {key, mod: has('Mod'), ctrl: has('Ctrl'), alt: has('Alt'), shift: has('Shift')}
}

/** The separator is a key too. */
function partsOf(step: string) {
	return step === '+' ? [step] : step.split('+')
}

function named(key: string) {
	return key === ' ' ? 'Space' : key
}
