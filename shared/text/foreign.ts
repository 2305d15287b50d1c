/**
 * Foreign text: names of computers, groups, files and users, and the service's texts. It may contain characters that are
 * invisible or change the reading order: `evil` U+202E `gnp.exe` reads `evilexe.png`. Output of such a text shows these
 * characters by their number.
 */

/**
 * Controls, lone surrogates, everything that Unicode calls ignorable (bidirectional controls, joiners, fillers, variation
 * selectors, tags), separators, and every blank except the plain one.
 */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\ufff9-\ufffb]/gu

/** Nearly every text has only these characters, which is quick to check. */
const plain = /^[\x20-\x7e]*$/

export function hasUnseen(text: string) {
	return !plain.test(text) && text.search(unseen) !== -1
}

/** Wider blanks and line breaks are harmless in a page's layout; the program writes some itself. */
const unseenOnScreen = new RegExp(`(?![\\n\\r\\t\\u00a0\\u202f])${unseen.source}`, 'gu')

export function hasUnseenOnScreen(text: string) {
	return !plain.test(text) && text.search(unseenOnScreen) !== -1
}

export function showUnseenOnScreen(text: string): string {
	return plain.test(text) ? text : text.replace(unseenOnScreen, character => `‹${numberOf(character)}›`)
}

/** The text with invisible characters as `‹U+202E›`; the same string without any. */
export function showUnseen(text: string): string {
	return plain.test(text) ? text : text.replace(unseen, character => `‹${numberOf(character)}›`)
}

/** Like `showUnseen`, but keeps line breaks and tabs: for texts of several lines. */
export function showUnseenInLines(text: string): string {
	const show = (character: string) => (/[\n\t]/.test(character) ? character : `‹${numberOf(character)}›`)
	return plain.test(text) ? text : text.replaceAll('\r\n', '\n').replace(unseen, show)
}

/** JSON of the same values, with invisible characters as `\u202e`; line breaks between its parts stay. */
export function showUnseenInJson(json: string): string {
	const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
	const show = (character: string) => (/[\n\r\t]/.test(character) ? character : character.split('').map(escape).join(''))
	return plain.test(json) ? json : json.replace(unseen, show)
}

function numberOf(character: string) {
	return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
