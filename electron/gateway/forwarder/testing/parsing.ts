/** What holds for the heads of both directions. */
import fc from 'fast-check'

type Parsed<SoFar> = {kind: 'head'; head: {fields: readonly string[]}} | {kind: 'more'; soFar: SoFar} | {kind: 'refused'}
type Parse<SoFar> = (bytes: Buffer, soFar?: SoFar) => Parsed<SoFar>

/** Parsed in pieces that end at the given positions. */
export function inPieces<SoFar>(parse: Parse<SoFar>, text: string, ends: readonly number[]) {
	const bytes = Buffer.from(text, 'latin1')
	let soFar: SoFar | undefined
	for (const end of ends.toSorted((a, b) => a - b)) {
		const parsed = parse(bytes.subarray(0, end), soFar)
		if (parsed.kind !== 'more') return parsed
		soFar = parsed.soFar
	}
	return parse(bytes, soFar)
}

/** Never throws, and never takes a field with a line break: of bytes that look like heads, broken in places, and of any. */
export function expectSound<SoFar>(parse: Parse<SoFar>, all: readonly string[]) {
	const edits = fc.array(fc.tuple(fc.nat(), fc.nat(255)), {maxLength: 3})
	const nearly = fc.tuple(fc.constantFrom(...all.map(bytes => bytes.slice(0, 2000))), edits).map(([text, broken]) => {
		const bytes = Buffer.from(text, 'latin1')
		for (const [at, byte] of broken) bytes[at % bytes.length] = byte
		return bytes
	})
	const any = fc.uint8Array({maxLength: 200}).map(bytes => Buffer.from(bytes))
	const isSound = (bytes: Buffer) => {
		const parsed = parse(bytes)
		return parsed.kind !== 'head' || !/[\r\n\0]/.test(parsed.head.fields.join(''))
	}
	fc.assert(fc.property(fc.oneof(nearly, any), isSound), {numRuns: 5000})
}
