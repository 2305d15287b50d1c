/** Joins class names, without missing or disabled ones. */
export function cx(...names: readonly (string | false | null | undefined)[]): string {
	return names.filter(name => typeof name === 'string' && name !== '').join(' ')
}
