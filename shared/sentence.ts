/** Adds a missing full stop: the service's texts often lack one. */
export function asSentence(text: string) {
	const trimmed = text.trim()
	return trimmed === '' || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}
