import {inPieces} from './pieces.ts'

async function read(texts: readonly string[], most: number) {
	const pieces: string[] = []
	const stream = inPieces(texts, most, undefined)
	for (;;) {
		const {done, value} = await stream.next()
		if (done === true) return {pieces, cut: value}
		pieces.push(value)
	}
}

test('pieces are all of the texts, none longer than its measure and a text; only what exceeds the limit is left out', async () => {
	const texts = Array.from({length: 1000}, (_, index) => `${index} `.padEnd(300, 'x'))
	const {pieces, cut} = await read(texts, Infinity)
	expect([pieces.join(''), cut]).toEqual([texts.join(''), false])
	expect(pieces.slice(0, -1).every(({length}) => length >= 65_536 && length < 65_836)).toBe(true)
	expect(await read(['abc', 'def'], 6)).toEqual({pieces: ['abcdef'], cut: false})
	expect(await read(['abc', 'def'], 5)).toEqual({pieces: ['abc'], cut: true})
})
