import {join} from 'node:path'

import {openEventStore} from '#core/replicas/events/store.ts'
import {fillEvents} from '#core/replicas/events/testing/fill.ts'
import {hashOf} from '#core/replicas/events/testing/generate.ts'
import {stillClock} from '#core/replicas/events/testing/measure.ts'
import {computers, guidOf, makeWorld} from '#core/replicas/computers/testing/world.ts'
import {searchLocally} from '../local.ts'
import type {SearchSources} from '../types.ts'

export interface SearchFigure {
	text: string
	groups: number
	/** The first answer to this text, which nothing has cached, and the best of three further ones. */
	firstMs: number
	ms: number
}

/** Typed letter by letter and as a whole. */
const texts = [
	...['F', 'FI', 'FIN', 'FIN-', 'FIN-WS-1', 'FIN-WS-00042'],
	...['10.3.0.7', '10.3.0.0/16', '203.0.113.7', '1e:c0:00:00:00:01'],
	...['p', 'po', 'pow', 'powershell.exe', 'm.keller', 'W32.Auto', 'download setup'],
	...[hashOf(17), hashOf(17).slice(0, 8), 'd41d8cd98f00b204e9800998ecf8427e', guidOf(77), 'hxxp://bad7[.]example/x'],
	'nothing-like-it'
]

/** Milliseconds per text over this many computers and events. */
export async function measureSearch(folder: string, size: {computers: number; events: number}): Promise<SearchFigure[]> {
	const path = join(folder, 'events.db')
	fillEvents(path, {count: size.events, days: 30})
	const world = makeWorld(computers(size.computers))
	const source = {skewMs: () => 0, page: () => Promise.reject(new Error('no service')), types: () => Promise.resolve([])}
	const events = openEventStore({path, clock: stillClock, source, groupNames: () => new Map()})
	try {
		await world.inventory.refresh()
		const sources: SearchSources = {inventory: world.inventory, events, ...nothingElse}
		// Once before, as after opening the screen.
		await searchLocally(sources, 'zzz', 5)
		const figures: SearchFigure[] = []
		for (const text of texts) figures.push(await figureOf(sources, text))
		return figures
	} finally {
		await events.stop()
		await world.close()
	}
}

async function figureOf(sources: SearchSources, text: string): Promise<SearchFigure> {
	let groups = 0
	const took: number[] = []
	while (took.length < 4) {
		const begun = performance.now()
		groups = (await searchLocally(sources, text, 5)).groups.length
		took.push(performance.now() - begun)
	}
	const [firstMs = 0, ...further] = took
	return {text, groups, firstMs, ms: Math.min(...further)}
}

const nothingElse: Pick<SearchSources, 'directory' | 'log'> = {
	directory: {policies: () => ({state: noState, policies: []}), fileLists: () => ({state: noState, lists: [], unlisted: []}), holding: () => []},
	log: {query: async () => ({entries: [], more: false, matching: 0})}
}

const noState = {
	phase: 'complete',
	readAt: null,
	details: {read: 0, of: 0},
	error: null,
	refreshCalls: null,
	detailCalls: null,
	lackingCalls: 0,
	revision: 0
} as const
