/** Patterns of computer names in guard rules. */
/** `*` stands for any characters, `?` for one; case does not matter. */
export function matchesName(pattern: string, name: string) {
	return nameTest(pattern)(name)
}

/** The same for many names. */
export function nameTest(pattern: string): (name: string) => boolean {
	const form = pattern
		.trim()
		.split('')
		.map(sign => (sign === '*' ? '.*' : sign === '?' ? '.' : RegExp.escape(sign)))
		.join('')
	const whole = new RegExp(`^${form}$`, 'iu')
	return name => whole.test(name)
}
