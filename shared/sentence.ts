/** With a full stop at its end: what a service says often has none. */
export function asSentence(text: string): string {
	const trimmed = text.trim()
	return trimmed === '' || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}
