import type {DirectoryState} from '#contract/directory.ts'

import {testClock} from '#core/service/api/testing/clock.ts'
import {makeAttention} from './attention.ts'
import type {StoredObject} from './objects.ts'
import type {Refreshing} from './refreshing.ts'

const something = {kind: 'group', guid: 'g'} as StoredObject // only counted here

/** A reading that only records the requests. */
function bench(options: {room: number | null; missing: number; readAt: string | null}) {
	const clock = testClock()
	const asked: string[] = []
	let {readAt} = options
	const state = (): DirectoryState => ({
		...{phase: readAt === null ? 'empty' : 'complete', readAt, details: {read: 0, of: 0}, error: null},
		...{refreshCalls: null, detailCalls: null, lackingCalls: 0, revision: 0}
	})
	const refreshing: Pick<Refreshing, 'state' | 'listings' | 'details' | 'missing' | 'running'> = {
		state,
		running: () => false,
		missing: () => Array.from({length: options.missing}, () => something),
		listings: async () => {
			asked.push('listings')
			readAt = new Date(clock.now()).toISOString()
		},
		details: async which => void asked.push(`details ${which}`)
	}
	const troubles: string[] = []
	const attention = makeAttention({...{clock, refreshing, source: {room: () => options.room}}, onTrouble: message => troubles.push(message)})
	return {clock, asked, attention, troubles}
}

async function looked(world: ReturnType<typeof bench>) {
	world.attention.look()
	await world.clock.advance(0)
	return world.asked
}

test('the first look loads the listings, and details within the API limit', async () => {
	expect(await looked(bench({room: 1000, missing: 200, readAt: null}))).toEqual(['listings', 'details missing'])
})

test('details that cost more than a quarter of the calls left wait for a request', async () => {
	expect(await looked(bench({room: 100, missing: 26, readAt: null}))).toEqual(['listings'])
	expect(await looked(bench({room: null, missing: 1, readAt: null}))).toEqual(['listings'])
})

test('fresh data is not refreshed, and nothing twice within a minute', async () => {
	const world = bench({room: 1000, missing: 0, readAt: null})
	await looked(world)
	await world.clock.advance(61_000)
	expect(await looked(world)).toEqual(['listings'])
	await world.clock.advance(300_000)
	await looked(world)
	expect(await looked(world)).toEqual(['listings', 'listings'])
})

test('nothing is loaded after the end', async () => {
	const world = bench({room: 1000, missing: 5, readAt: null})
	await world.attention.stop()
	expect(await looked(world)).toEqual([])
	expect(world.troubles).toEqual([])
})
