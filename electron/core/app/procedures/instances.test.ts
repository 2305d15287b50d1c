import {createRouterClient, type RouterClient} from '@orpc/server'

import type {App} from '../app.ts'
import {startApp} from '#gateway/instances/testing/app.ts'
import {freePort, testProgram} from '#gateway/instances/testing/definitions.ts'
import type {AppRouter} from '../router.ts'
import {failure} from '../testing/failure.ts'
import {testPorts, type TestPorts} from '#base/testing/ports.ts'
import {readAll, until, untilPassing} from '#base/testing/until.ts'

let ports: TestPorts
let app: App
let client: RouterClient<AppRouter>

beforeEach(async () => {
	ports = testPorts()
	app = await startApp(ports)
	client = createRouterClient(app.router)
	await client.instances.parameters.set({key: 'forward.listen', value: '127.0.0.1:0'})
})

afterEach(async () => {
	await app.stop()
	ports.remove()
})

async function managed(behaviour = 'plain') {
	const definition = {name: 'own', listenPort: await freePort(), program: testProgram(behaviour)}
	return client.instances.save({definition})
}

function isHealthy(id: string) {
	return untilPassing(ports.clock, 25, 'health', async () => (await client.instances.detail({id})).row.health.state === 'healthy')
}

describe('instances', () => {
	test('are saved, switched, restarted and removed, and open pages are notified', async () => {
		const {seen, reading} = readAll(app.live.subscribe())
		const {id} = await managed()
		await isHealthy(id)
		await until('the news', () => seen.some(({kind}) => kind === 'instances'))
		expect(await client.instances.setEnabled({id, enabled: false})).toMatchObject({health: {state: 'disabled'}})
		await client.instances.setEnabled({id, enabled: true})
		await isHealthy(id)
		expect(await client.instances.restart({id})).toMatchObject({health: {state: 'starting'}})
		expect(await client.instances.setExposed({id, exposed: true})).toMatchObject({exposure: {exposed: true}})
		await client.instances.remove({id})
		expect((await client.instances.list()).rows).toEqual([])
		await app.stop()
		await reading
	})

	test('are refused with the field at fault and the text to type', async () => {
		const first = await client.instances.save({definition: {name: 'first', listenPort: 9000}})
		const second = {definition: {name: 'second', listenPort: 9000}}
		expect(await failure(client.instances.save(second))).toMatchObject({
			code: 'taken',
			message: 'Port 9000 is the listen port of the instance first.',
			field: 'listenPort'
		})
		const bad = {definition: {name: '_health', listenPort: 9001}}
		expect(await failure(client.instances.save(bad))).toMatchObject({code: 'invalid_argument', field: 'definition.name'})
		await client.instances.parameters.set({key: 'forward.lan', value: 'true'})
		const exposing = client.instances.setExposed({id: first.id, exposed: true})
		expect(await failure(exposing)).toMatchObject({code: 'confirmation_needed', field: 'first'})
		expect(await failure(client.instances.detail({id: 'nobody'}))).toMatchObject({code: 'unknown_instance'})
		expect(await failure(client.instances.publish({id: first.id}))).toMatchObject({code: 'usage'})
	})

	test('end with the application', async () => {
		const {id} = await managed('stubborn')
		await isHealthy(id)
		const {row} = await client.instances.detail({id})
		const stop = new AbortController()
		const following = await client.instances.follow({id}, {signal: stop.signal})
		const next = following.next()
		await app.stop()
		expect((await next).done).toBe(true)
		await expect(fetch(`http://127.0.0.1:${row.instance.listenPort}/`)).rejects.toThrow('fetch failed')
	})
})
