import {readFileSync, writeFileSync} from 'node:fs'

import {CordonError, reportError} from '#contract/errors.ts'

import {codeOf} from '#base/testing/code-of.ts'
import {byName, computer, computers, gate, groupOf, guidOf, makeWorld, startOfTime, type World} from './testing/world.ts'

const second = 1000
const whole = {phase: 'complete', rows: 1200}
const begin = new Date(startOfTime).toISOString()
const minuteLater = new Date(startOfTime + 60_000).toISOString()

let world: World
let {inventory, service} = {} as World
beforeEach(() => {
	world = makeWorld(computers(1200))
	;({inventory, service} = world)
})
afterEach(() => world.close())

const refresh: World['inventory']['refresh'] = (...how) => inventory.refresh(...how)

const advance = (ms: number) => world.clock.advance(ms)
function matching(filter = '') {
	return inventory.query({...byName, filter, offset: 0, limit: 10}).matching
}

/** Begins a listing that waits after its first page. */
async function firstPage() {
	const {wait, open} = gate()
	service.beforePage = offset => (offset === 500 ? wait() : Promise.resolve())
	const arrived = Promise.withResolvers<void>()
	inventory.onChange(() => (inventory.state().pagesRead === 1 ? arrived.resolve() : advance(200)))
	const done = refresh()
	advance(200)
	await arrived.promise
	return {done, open}
}

describe('a listing', () => {
	test('fills an empty copy', async () => {
		expect(inventory.state()).toMatchObject({phase: 'empty', rows: 0, total: null, pages: null, completeAt: null})
		const state = await refresh()
		expect(state).toMatchObject({...whole, total: 1200, pagesRead: 3, pages: 3, missing: [], error: null, completeAt: begin, readAt: begin})
		expect(matching()).toBe(1200)
	})

	test('can be used from its first page on', async () => {
		const {done, open} = await firstPage()
		expect(inventory.state()).toMatchObject({phase: 'loading', rows: 500, total: 1200, pagesRead: 1, pages: 3})
		expect(matching()).toBe(500)
		open()
		expect((await done).phase).toBe('complete')
	})

	test('marks what it lacks, and a computer that comes back is back', async () => {
		await refresh()
		const all = service.computersNow
		service.computersNow = all.slice(1)
		advance(60 * second)
		await refresh()
		expect(inventory.row(guidOf(0))?.vanishedAt).toBe(minuteLater)
		expect(inventory.state().rows).toBe(1199)
		service.computersNow = all
		advance(60 * second)
		await refresh()
		expect(inventory.row(guidOf(0))?.vanishedAt).toBeNull()
		expect(matching()).toBe(1200)
	})

	test('loses no page that looks older than its start, as by a clock that was set back', async () => {
		service.beforePage = async offset => advance(offset === 500 ? -second : 0)
		expect(await refresh()).toMatchObject(whole)
		expect(matching('vanished:yes')).toBe(0)
	})

	test('after the clock was ahead leaves nothing from that time', async () => {
		advance(3600 * second)
		service.groupsNow = [groupOf(1), groupOf(2)]
		await refresh()
		advance(-1800 * second)
		service.computersNow = service.computersNow.slice(1)
		service.groupsNow = [{...groupOf(1), name: 'Renamed'}]
		await refresh()
		expect(matching('vanished:yes')).toBe(1)
		expect(inventory.state()).toMatchObject({rows: 1199, readAt: new Date(world.clock.now()).toISOString()})
		expect(inventory.groupPath(groupOf(1).guid)).toEqual(['Renamed'])
		advance(-900 * second)
		inventory.vanished(guidOf(1), world.clock.now())
		expect(matching('vanished:yes')).toBe(2)
	})

	test('forgets a vanished computer after a month', async () => {
		await refresh()
		service.computersNow = service.computersNow.slice(1)
		advance(second)
		await refresh()
		advance(31 * 86_400 * second)
		await refresh()
		expect(inventory.row(guidOf(0))).toBeUndefined()
		expect(inventory.record(guidOf(0))).toBeUndefined()
	})

	test('that is partial keeps what arrived, names what is missing and marks nothing as vanished', async () => {
		await refresh()
		advance(60 * second)
		service.computersNow = service.computersNow.map((record, index) =>
			index % 500 === 0 ? computer(index, {hostname: `renamed-${index}`}) : record
		)
		service.failing.add(500)
		const state = await refresh()
		expect(state).toMatchObject({phase: 'partial', missing: [500], rows: 1200, pagesRead: 2, completeAt: begin})
		expect(state.error?.code).toBe('service_error')
		expect(matching('name:renamed-')).toBe(2)
		expect(matching('vanished:yes')).toBe(0)
	})

	test('is completed by its missing pages alone', async () => {
		service.failing.add(500)
		await refresh()
		expect(inventory.state().rows).toBe(700)
		service.failing.clear()
		service.read.length = 0
		advance(60 * second)
		const state = await inventory.refreshMissing()
		expect(service.read).toEqual([500])
		expect(state).toMatchObject({...whole, missing: [], pagesRead: 3, error: null})
		expect(state.completeAt).toBe(minuteLater)
	})

	test('is read as a whole when the total changed before its missing pages came', async () => {
		service.failing.add(500)
		await refresh()
		service.failing.clear()
		service.computersNow = service.computersNow.slice(1)
		service.read.length = 0
		advance(second)
		const state = await inventory.refreshMissing()
		expect(service.read).toEqual([500, 0, 500, 1000])
		expect(state).toMatchObject({phase: 'complete', rows: 1199})
		expect(inventory.row(guidOf(0))?.vanishedAt).not.toBeNull()
	})

	test('that could not start says why and changes nothing', async () => {
		await refresh()
		service.down = reportError(new CordonError('dns'))
		const state = await refresh()
		expect(state).toMatchObject({phase: 'failed', rows: 1200, completeAt: begin})
		expect(state.error?.code).toBe('dns')
		service.down = null
		expect(await inventory.refreshMissing()).toMatchObject({phase: 'complete', error: null})
	})

	test('that is stopped keeps what arrived', async () => {
		const stop = new AbortController()
		service.beforePage = offset => {
			if (offset === 1000) stop.abort()
			return Promise.resolve()
		}
		await expect(refresh(stop.signal)).rejects.toMatchObject({code: 'cancelled'})
		await inventory.stop()
		const again = world.open()
		expect(again.state()).toMatchObject({phase: 'partial', missing: [1000], rows: 1000, error: {code: 'cancelled'}})
		service.beforePage = () => Promise.resolve()
		expect(await again.refreshMissing()).toMatchObject(whole)
	})

	test('requested while another stops starts anew', async () => {
		const stop = new AbortController()
		service.beforePage = () => {
			stop.abort()
			return Promise.resolve()
		}
		const stopped = codeOf(refresh(stop.signal))
		await Promise.resolve()
		expect(await refresh()).toMatchObject(whole)
		expect(await stopped).toBe('cancelled')
	})

	test('that is stopped before its first page changes nothing', async () => {
		const before = await refresh()
		const held = gate()
		service.beforePage = held.wait
		const stop = new AbortController()
		const done = refresh(stop.signal)
		const ended = codeOf(done)
		stop.abort()
		held.open()
		expect(await ended).toBe('cancelled')
		await inventory.stop()
		expect(world.open().state()).toEqual(before)
	})

	test('is shared by all who ask while it runs, and continues when one leaves', async () => {
		const held = gate()
		service.beforePage = held.wait
		const leaving = new AbortController()
		const first = refresh(leaving.signal)
		const left = codeOf(first)
		const other = refresh()
		leaving.abort()
		held.open()
		expect(await left).toBe('cancelled')
		expect((await other).phase).toBe('complete')
		expect(service.read).toEqual([0, 500, 1000])
	})

	test('changes no revision when nothing changed', async () => {
		const {revision} = await refresh()
		advance(60 * second)
		const again = await refresh()
		expect(again.revision).toBe(revision)
		expect(inventory.row(guidOf(7))?.readAt).toBe(minuteLater)
	})

	test('announces changes at most ten times a second, and at its end', async () => {
		let told = 0
		inventory.onChange(() => (told += 1))
		await refresh()
		// The clock stands still: one change at the beginning, one at the end.
		expect(told).toBe(2)
	})
})

describe('after a restart', () => {
	test('the copy is as it was, with its age and what is missing', async () => {
		service.failing.add(1000)
		const before = await refresh()
		await inventory.stop()
		const after = world.open()
		expect(after.state()).toEqual(before)
		expect(after.state().missing).toEqual([1000])
	})

	test('a listing that was cut off is partial', async () => {
		const {done, open} = await firstPage()
		// The same process, so that the listing of the other handle counts as one that died.
		expect(world.open().state()).toMatchObject({phase: 'partial', missing: [500, 1000], rows: 500})
		open()
		await done
	})

	test.each(['this is no database at all', ''])('a damaged file is made anew: %j', async rubbish => {
		await refresh()
		await inventory.stop()
		const bytes = readFileSync(world.path)
		writeFileSync(world.path, rubbish === '' ? bytes.subarray(0, 4096).fill(7, 100) : rubbish)
		const again = world.open()
		expect(again.state()).toMatchObject({phase: 'empty', rows: 0})
		expect(await again.refresh()).toMatchObject(whole)
	})
})

describe('two processes on one profile', () => {
	test('can both load the listing', async () => {
		const other = world.open()
		const states = await Promise.all([refresh(), other.refresh()])
		for (const state of states) expect(state).toMatchObject({...whole, total: 1200})
		expect(other.query({...byName, offset: 0, limit: 10}).matching).toBe(1200)
		expect(other.counts()).toEqual(inventory.counts())
	})

	test('are notified of what the other wrote', async () => {
		const other = world.open()
		const heard = new Promise(resolve => void other.onChange(resolve))
		await refresh()
		advance(second)
		expect(await heard).toEqual({guid: null})
		expect(other.row(guidOf(3))?.hostname).toBe(inventory.row(guidOf(3))?.hostname)
	})
})
