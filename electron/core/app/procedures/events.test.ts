import {existsSync} from 'node:fs'
import {join} from 'node:path'

import {createRouterClient} from '@orpc/server'

import {whole} from '#shared/streams.ts'

import {type AppWorld, firstListing, startApp, startWorld} from '#gateway/instances/testing/app.ts'
import {readAll, until} from '#base/testing/until.ts'

const connection = 'sandbox'
const all = {connection, filter: ''}
const minute = 60_000

let {ports, sandbox, app, client} = {} as AppWorld

beforeEach(async () => {
	const world = await startWorld({computers: 600, seed: 'events'})
	;({ports, sandbox, app, client} = world)
	await firstListing(app)
	return async () => {
		await app.stop()
		await world.stop()
	}
})

function calls() {
	return sandbox.requests.filter(({path}) => path.startsWith('/v1/events')).length
}

test('the active connection is read a little after the start, and every five minutes from then on', async () => {
	expect(calls()).toBe(0)
	await ports.clock.advance(3000)
	await until('the first events', () => app.events(connection).state().phase === 'complete')
	const first = calls()
	expect(first).toBeGreaterThan(0)
	await ports.clock.advance(4 * minute)
	expect(calls()).toBe(first)
	await ports.clock.advance(2 * minute)
	await until('the next reading', () => calls() > first)
})

test('rows, charts, facets and details come through the contract', async () => {
	const state = await client.events.refresh({connection, days: 30})
	expect(state).toMatchObject({phase: 'complete', error: null})
	const {rows, matching} = await client.events.query({...all, filter: 'severity>=medium', offset: 0, limit: 50})
	expect(rows.length).toBe(Math.min(50, matching.count))
	const [row] = rows
	expect((await client.events.detail({connection, key: row?.key ?? ''}))?.row).toEqual(row)
	expect(await client.events.position({...all, key: row?.key ?? ''})).toBeGreaterThanOrEqual(0)
	const {counts} = await client.events.histogram({...all, steps: 30})
	expect(
		Object.values(counts)
			.flat()
			.reduce((sum, n) => sum + n, 0)
	).toBe(state.stored)
	const {group} = await client.events.facets(all)
	const names = (await client.groups.list({connection})).map(({name}) => name)
	expect(names).toContain(group[0]?.label)
	const byName = await client.events.query({...all, filter: `group="${group[0]?.label}"`, offset: 0, limit: 1})
	expect(byName.matching.count).toBe(group[0]?.count)
	expect((await client.events.types({connection})).length).toBeGreaterThan(50)
	const file = await whole(client.events.export({...all, filter: 'severity>=medium', format: 'csv'}))
	expect(file).toMatchObject({name: 'events-2026-01-01.csv', cut: false})
	expect(file.text.split('\r\n')).toHaveLength(matching.count + 2)
	await expect(client.events.query({...all, filter: 'hst:x', offset: 0, limit: 1})).rejects.toMatchObject({data: {code: 'invalid_argument'}})
})

test('rows come before earlier requests for counts, and abandoned counts are not made', async () => {
	await client.events.refresh({connection})
	const order: string[] = []
	const note = (name: string) => () => void order.push(name)
	const gone = new AbortController()
	const given = client.events.facets({...all, filter: 'severity>=low'}, {signal: gone.signal})
	const counts = client.events.histogram({...all, steps: 30}).then(note('counts'))
	const rows = client.events.query({...all, offset: 0, limit: 50}).then(note('rows'))
	gone.abort()
	await expect(given).rejects.toThrow()
	await Promise.all([counts, rows])
	expect(order).toEqual(['rows', 'counts'])
})

test('pages are notified of new events', async () => {
	const stop = new AbortController()
	const {seen: heard, reading: listening} = readAll(app.live.subscribe(stop.signal))
	await client.events.refresh({connection})
	await until('the news', () => heard.some(({kind}) => kind === 'events'))
	stop.abort()
	await listening
	expect(heard).toContainEqual(expect.objectContaining({kind: 'events', connection}))
})

test('the store of the sandbox is deleted with its tenant, and that of a connection with the connection', async () => {
	await client.events.refresh({connection})
	expect(app.events(connection).state().stored).toBeGreaterThan(0)
	await app.stop()
	app = await startApp(ports, {sandbox})
	client = createRouterClient(app.router)
	await firstListing(app)
	expect(app.events(connection).state()).toMatchObject({stored: 0, phase: 'empty'})

	const {id} = await client.connections.add({
		name: 'Other',
		url: sandbox.url,
		clientId: sandbox.clientId,
		apiKey: sandbox.apiKey,
		insecure: false,
		colour: 'red',
		environment: 'test',
		readOnly: true
	})
	await client.events.refresh({connection: id})
	const file = join(ports.profile, 'events', `${id}.db`)
	expect(existsSync(file)).toBe(true)
	await client.connections.remove({id})
	expect(existsSync(file)).toBe(false)
})
