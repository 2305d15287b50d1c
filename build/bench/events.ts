/** The event store with a million events: its own answers, as the window's thread gets them. */
import {join} from 'node:path'

import {measureEvents} from '#core/replicas/events/testing/measure.ts'
import type {Figure} from './measure.ts'
import {benchFolder} from './folder.ts'

const million = 1_000_000

export function benchEvents(): Promise<readonly Figure[]> {
	const folder = benchFolder()
	const {buildSeconds, fileBytes, figures} = measureEvents(join(folder, 'events.db'), million, 7)
	return Promise.resolve([
		{name: 'a million events, written', unit: 's', values: [buildSeconds]},
		{name: 'their file', unit: 'MB', values: [fileBytes / 1e6]},
		...figures.map(({name, ms, target}) => ({name, unit: 'ms', values: ms, target: `${target} ms`}) as const)
	])
}
