import {breaths} from './breaths.ts'

/** Characters of one message. */
const pieceLength = 65_536

/**
 * The texts in pieces of a message each, or of one text that is longer, and with pauses. Ends before `most` characters are
 * exceeded, and gives back whether that left any out.
 */
export async function* inPieces(
	texts: Iterable<string> | AsyncIterable<string>,
	most: number,
	signal: AbortSignal | undefined
): AsyncGenerator<string, boolean> {
	const breath = breaths()
	let length = 0
	let piece = ''
	for await (const text of texts) {
		length += text.length
		if (length > most) {
			yield piece
			return true
		}
		piece += text
		if (piece.length >= pieceLength) {
			yield piece
			piece = ''
		}
		await breath()
		signal?.throwIfAborted()
	}
	yield piece
	return false
}
