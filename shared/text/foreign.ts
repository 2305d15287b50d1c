/**
 * Text that others wrote: names of computers, groups, files and users, and what the service says. It may hold characters
 * that cannot be seen or that turn the order of what is read: `evil` U+202E `gnp.exe` reads `evilexe.png`. Whoever shows
 * or writes out such a text shows these characters too, by their number.
 */

/**
 * Controls, lone surrogates, everything that Unicode calls ignorable (bidirectional controls, joiners, fillers, variation
 * selectors, tags), separators, and every blank but the plain one.
 */
const unseen =
	/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\ufff9-\ufffb]/gu

/** Nearly every text is of these characters alone, which is quickly seen. */
const plain = /^[\x20-\x7e]*$/

export function hasUnseen(text: string): boolean {
	return !plain.test(text) && text.search(unseen) !== -1
}

/** Blanks of another width and line breaks are no deceit where a page lays text out; the program writes some itself. */
const unseenOnScreen = new RegExp(`(?![\\n\\r\\t\\u00a0\\u202f])${unseen.source}`, 'gu')

export function hasUnseenOnScreen(text: string): boolean {
	return !plain.test(text) && text.search(unseenOnScreen) !== -1
}

export function showUnseenOnScreen(text: string): string {
	return plain.test(text) ? text : text.replace(unseenOnScreen, character => `‹${numberOf(character)}›`)
}

/** The text with `‹U+202E›` in place of what cannot be seen; the same text when there is nothing of it. */
export function showUnseen(text: string): string {
	return plain.test(text) ? text : text.replace(unseen, character => `‹${numberOf(character)}›`)
}

/** As `showUnseen`, but line breaks and tabs stay what they are: for texts of several lines. */
export function showUnseenInLines(text: string): string {
	const show = (character: string): string => (/[\n\t]/.test(character) ? character : `‹${numberOf(character)}›`)
	return plain.test(text) ? text : text.replaceAll('\r\n', '\n').replace(unseen, show)
}

/** JSON that holds the same values, with what cannot be seen as `\u202e`; line breaks between its parts stay. */
export function showUnseenInJson(json: string): string {
	const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
	const show = (character: string): string => (/[\n\r\t]/.test(character) ? character : character.split('').map(escape).join(''))
	return plain.test(json) ? json : json.replace(unseen, show)
}

function numberOf(character: string): string {
	return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
