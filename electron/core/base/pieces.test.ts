import {inPieces} from './pieces.ts'

async function read(texts: readonly string[], most: number, signal?: AbortSignal) {
	const pieces: string[] = []
	const stream = inPieces(texts, most, signal)
	for (;;) {
		const {done, value} = await stream.next()
		if (done === true) return {pieces, cut: value}
		pieces.push(value)
	}
}

const texts = Array.from({length: 1000}, (_, index) => `${index} `.padEnd(300, 'x'))

test('pieces are all of the texts, none longer than its measure and a text', async () => {
	const {pieces, cut} = await read(texts, Infinity)
	expect([pieces.join(''), cut]).toEqual([texts.join(''), false])
	expect(pieces.slice(0, -1).every(({length}) => length >= 65_536 && length < 65_536 + 300)).toBe(true)
})

test('only what exceeds the limit is left out, at the end of a text', async () => {
	expect(await read(['abc', 'def'], 6)).toEqual({pieces: ['abcdef'], cut: false})
	expect(await read(['abc', 'def'], 5)).toEqual({pieces: ['abc'], cut: true})
	expect(await read([], 5)).toEqual({pieces: [''], cut: false})
})

test('what was cancelled reads no further text, and closes what it reads', async () => {
	const stop = new AbortController()
	const given: string[] = []
	let isClosed = false
	const source = function* () {
		try {
			for (const text of texts) {
				given.push(text)
				yield text
			}
		} finally {
			isClosed = true
		}
	}
	const stream = inPieces(source(), Infinity, stop.signal)
	await stream.next()
	const before = given.length
	stop.abort()
	await expect(stream.next()).rejects.toThrow()
	expect([given.length, isClosed]).toEqual([before, true])
})
