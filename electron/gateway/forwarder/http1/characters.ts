/** Tables over byte values: `1` where a byte is allowed. */

function tableOf(fits: (byte: number) => boolean) {
	return Uint8Array.from({length: 256}, (_, byte) => (fits(byte) ? 1 : 0))
}

const marks = "!#$%&'*+-.^_`|~"

function inToken(byte: number) {
	return /[0-9A-Za-z]/.test(String.fromCharCode(byte)) || marks.includes(String.fromCharCode(byte))
}

/** RFC 9110, 5.6.2. */
export const tokenBytes = tableOf(inToken)

/** A request's field names: no `_`, which CGI-like instances cannot tell from `-` (route description, 1.5). */
export const requestNameBytes = tableOf(byte => inToken(byte) && byte !== 0x5f)

/** A field's value: HTAB, SP, VCHAR, obs-text. */
export const valueBytes = tableOf(byte => byte === 0x09 || (byte >= 0x20 && byte !== 0x7f))

/** A request target: visible ASCII without `#`, which belongs to the client. */
export const targetBytes = tableOf(byte => byte > 0x20 && byte < 0x7f && byte !== 0x23)

export const tab = 0x09
export const lineFeed = 0x0a
export const carriageReturn = 0x0d
export const space = 0x20
export const zero = 0x30
export const colon = 0x3a

export function isToken(text: string) {
	for (let at = 0; at < text.length; at++) if (tokenBytes[text.charCodeAt(at)] !== 1) return false
	return text !== ''
}

/** Whether a text is safe in a written head: no CR, LF, NUL, nothing beyond Latin-1 (G28). */
export function isSafe(text: string) {
	return !/[\u0000\r\n\u0100-\uffff]/.test(text)
}
