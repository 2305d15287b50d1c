/** Search over 100,000 computers and a million events: its local answers, as the window's thread gets them. */

import {measureSearch} from '#core/insight/search/testing/measure.ts'
import type {Figure} from './measure.ts'
import {benchFolder} from './folder.ts'

const size = {computers: 100_000, events: 1_000_000}

export async function benchSearch(): Promise<readonly Figure[]> {
	const folder = benchFolder()
	const figures = await measureSearch(folder, size)
	const told = `${figures.length} texts`
	return [
		{name: `search: the first answer to a text, ${told}`, unit: 'ms', values: figures.map(({firstMs}) => firstMs)},
		{name: `search: the answer again, ${told}`, unit: 'ms', values: figures.map(({ms}) => ms), target: '5 or less'}
	]
}
