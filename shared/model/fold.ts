/**
 * Folding for case-insensitive comparison: one spelling for each accented letter (Unicode NFC), in lower case. Stored and typed
 * text must be folded by this one function.
 */
export function fold(text: string) {
	return text.normalize('NFC').toLowerCase()
}
