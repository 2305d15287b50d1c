/**
 * The words of a typed line. Blanks separate them; `"…"` keeps blanks and accepts `\"` and `\\`; a backtick string is literal.
 * Adjacent quoted and plain pieces are one word, so that `name="a b"` and `"a","b"` work.
 */
export interface Word {
	readonly from: number
	readonly to: number
	/** As in the line, including quotes. */
	readonly raw: string
	/** The unclosed quote. */
	readonly open: Quote | null
}

type Quote = '"' | '`'

interface Piece {
	text: string
	to: number
	open: Quote | null
}

const blank = /\s/
const quoteNeeded = /[\s"`]/

export function splitWords(line: string): readonly Word[] {
	const words: Word[] = []
	let at = skipBlanks(line, 0)
	while (at < line.length) {
		const {to, open} = readWord(line, at)
		words.push({from: at, to, raw: line.slice(at, to), open})
		at = skipBlanks(line, to)
	}
	return words
}

/** The content of a word or value, without its quotes. */
export function unquote(raw: string) {
	return readWord(raw, 0, false).text
}

/** Writes a value so that {@link unquote} restores it; `forced` quotes unnecessarily. */
export function quote(value: string, forced = false) {
	if (value !== '' && !forced && !quoteNeeded.test(value)) return value
	if (value.includes('"') && !value.includes('`')) return `\`${value}\``
	return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

function readWord(line: string, from: number, stopAtBlank = true): Piece {
	let text = ''
	let at = from
	let open: Quote | null = null
	while (at < line.length && open === null) {
		const char = line.charAt(at)
		if (stopAtBlank && blank.test(char)) break
		const piece = char === '"' || char === '`' ? readQuoted(line, at + 1, char) : {text: char, to: at + 1, open: null}
		text += piece.text
		at = piece.to
		open = piece.open
	}
	return {text, to: at, open}
}

function readQuoted(line: string, from: number, closing: Quote): Piece {
	let text = ''
	let at = from
	while (at < line.length) {
		const char = line.charAt(at)
		if (char === closing) return {text, to: at + 1, open: null}
		const escaped = closing === '"' && char === '\\' && /["\\]/.test(line.charAt(at + 1))
		text += escaped ? line.charAt(at + 1) : char
		at += escaped ? 2 : 1
	}
	return {text, to: at, open: closing}
}

function skipBlanks(line: string, from: number) {
	let at = from
	while (at < line.length && blank.test(line.charAt(at))) at += 1
	return at
}
