/**
 * How texts are compared where capitals do not matter: one spelling for each letter with accents (Unicode NFC), all
 * small. What a file keeps folded and what is typed must be folded by this one function.
 */
export function fold(text: string): string {
	return text.normalize('NFC').toLowerCase()
}
