import type {StreamBroker} from '#sandbox/event-streams.ts'
import {startConsoleBench} from './testing/console.ts'
import {startServiceBench, type ServiceBench} from './testing/service.ts'

const broker: StreamBroker = {
	// No broker listens there.
	...{host: '127.0.0.1', port: 1, publish: () => {}},
	open: () => Promise.resolve(),
	close: () => Promise.resolve()
}

let bench: ServiceBench
beforeEach(async () => {
	bench = await startServiceBench({computers: 60, broker})
})
afterEach(() => bench.stop())

test('an event stream is created, listed, shown and deleted', async () => {
	const created = await bench.cordon(['stream', 'create', '--event-type', '1090519054', '--json'])
	expect(created).toMatchObject({code: 0, err: ''})
	expect(JSON.parse(created.out)).toMatchObject({data: {id: 1474, name: 'cordon:tester', host: '127.0.0.1', port: 1, queue: 'event_stream_1474'}})
	expect((await bench.cordon(['stream', 'list'])).out).toMatch(/1474 +cordon:tester +1090519054 +all +yes[^]*1 of 5/)
	expect((await bench.cordon(['stream', 'status'])).out).toContain('nobody has read it yet')
	expect((await bench.cordon(['stream', 'unreadable'])).out).toContain('Every message was an event.')
	expect((await bench.cordon(['stream', 'delete'])).out).toContain('Deleted the event stream 1474.')
	expect(await bench.cordon(['stream', 'status'])).toMatchObject({code: 2})
})

test('an unreachable broker is shown with the next attempt, until Ctrl-C', async () => {
	await bench.cordon(['stream', 'create'])
	const stopping = new AbortController()
	const onOut = (out: string) => (out.includes('The next attempt') ? stopping.abort() : undefined)
	const ran = await bench.cordon(['stream', 'follow'], {signal: stopping.signal, onOut})
	expect(ran.code).toBe(0)
	expect(ran.out).toMatch(/waiting since .*127\.0\.0\.1 port 1 is not connected: .*ECONNREFUSED.*The next attempt/)
	expect((await bench.cordon(['stream', 'status'])).out).toContain('idle since')
})

test('without a stream following says how to get one', async () => {
	const ran = await bench.cordon(['stream', 'follow'])
	expect(ran.code).toBe(2)
	expect(ran.err).toContain('cordon stream create')
})

test('while a console runs, the state of its reading is shown', async () => {
	const beside = await startConsoleBench({computers: 60, broker})
	try {
		expect(await beside.cordon(['stream', 'create'])).toMatchObject({code: 0, err: ''})
		const stopping = new AbortController()
		const onOut = (out: string) => (out.includes('is not connected') ? stopping.abort() : undefined)
		const ran = await beside.cordon(['stream', 'follow'], {signal: stopping.signal, onOut})
		expect(ran.out).toContain('127.0.0.1 port 1 is not connected')
		const {id} = beside.app.connections.find('lab')
		expect(beside.app.deps.streams.state(id)?.phase).not.toBe('idle')
		const {entries} = await beside.app.log.query({text: 'event stream', limit: 10})
		expect(entries.map(({surface, message}) => [surface, message])).toEqual([
			['cli', 'Create the event stream cordon:tester: done.'],
			['cli', 'Create the event stream cordon:tester: requested.']
		])
	} finally {
		await beside.stop()
	}
})
