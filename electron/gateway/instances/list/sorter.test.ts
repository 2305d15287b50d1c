import {readdir} from 'node:fs/promises'

import {testFolder} from '#base/testing/folder.ts'
import fc from 'fast-check'
import {compareSorted} from './build.ts'
import {linesOfText, longestLine} from './lines.ts'
import {createSorter} from './sorter.ts'

let folder: string
beforeEach(() => void (folder = testFolder()))

const lines = fc.array(fc.string({minLength: 1, maxLength: 4}).map(text => text.replaceAll(/[\r\n]/g, 'x')))

async function sortedBy(runLines: number, input: string[]) {
	const sorter = createSorter(folder, `run${Math.random()}`, runLines)
	for (const line of input) {
		sorter.add(line)
		await sorter.settle()
	}
	return (await Array.fromAsync(sorter.sorted())).flat()
}

test('lines come out sorted and once, however few fit in memory', async () => {
	await fc.assert(
		fc.asyncProperty(lines, fc.integer({min: 1, max: 5}), async (input, runLines) => {
			expect(await sortedBy(runLines, input)).toEqual([...new Set(input)].toSorted())
		}),
		{numRuns: 60}
	)
})

test('more runs than are merged at once become one on the way', async () => {
	const input = Array.from({length: 200}, (_, index) => String((index * 7919) % 1000).padStart(4, '0'))
	expect(await sortedBy(1, input)).toEqual([...new Set(input)].toSorted())
	expect((await readdir(folder)).length).toBeLessThan(70)
})

async function* inBatches(values: string[], size: number) {
	yield []
	for (let at = 0; at < values.length; at += size) yield values.slice(at, at + size)
}

test('a comparison finds what only one of two lists has', async () => {
	const list = fc.uniqueArray(fc.integer({min: 10, max: 60}).map(String)).map(values => values.toSorted())
	await fc.assert(
		fc.asyncProperty(list, list, fc.integer({min: 1, max: 4}), async (before, after, size) => {
			const lost: string[] = []
			const gained: string[] = []
			const difference = await compareSorted(inBatches(before, size), inBatches(after, size), {
				lost: line => lost.push(line),
				gained: line => gained.push(line),
				settle: async () => {}
			})
			expect(lost).toEqual(before.filter(value => !after.includes(value)))
			expect(gained).toEqual(after.filter(value => !before.includes(value)))
			expect(difference).toEqual({lost: lost.length, gained: gained.length, before: before.length})
		})
	)
})

test('a text is split at any line ends, without a byte order mark', () => {
	expect([...linesOfText('\uFEFFone\r\ntwo\n\nthree')].flat()).toEqual(['one', 'two', '', 'three'])
})

test('a line without an end is cut, and is still too long for a value', () => {
	const [long = '', end] = [...linesOfText(`${'x'.repeat(1_000_000)}\nend\n`)].flat()
	expect(long.length).toBeGreaterThan(longestLine)
	expect(long.length).toBeLessThan(200_000)
	expect(end).toBe('end')
})
