/** Joins class names, leaving out what is missing or switched off. */
export function cx(...names: readonly (string | false | null | undefined)[]): string {
	return names.filter(name => typeof name === 'string' && name !== '').join(' ')
}
