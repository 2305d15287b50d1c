/** A command in one line: words separated by blanks, with quotes around words that contain one. No shell is involved. */

/** `null` for an unclosed quote. */
export function splitWords(line: string): readonly string[] | null {
	const words: string[] = []
	let word: string | null = null
	let quote: string | null = null
	for (const char of line) {
		if (quote !== null) {
			if (char === quote) quote = null
			else word = (word ?? '') + char
		} else if (char === '"' || char === "'") {
			quote = char
			word ??= ''
		} else if (/\s/.test(char)) {
			if (word !== null) words.push(word)
			word = null
		} else word = (word ?? '') + char
	}
	if (quote !== null) return null
	return word === null ? words : [...words, word]
}

export function joinWords(words: readonly string[]) {
	return words.map(quoted).join(' ')
}

function quoted(word: string) {
	if (word !== '' && !/[\s"']/.test(word)) return word
	// A word with both kinds of quotes is joined from pieces.
	return word.includes('"')
		? word
				.split('"')
				.map(part => `"${part}"`)
				.join(`'"'`)
		: `"${word}"`
}
