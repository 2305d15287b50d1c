import {testClock, type TestClock} from '#core/service/api/testing/clock.ts'
import {configOf} from './forwarder-config.ts'
import {ForwarderControl, type Wanted} from './forwarder-control.ts'
import {listenSomewhere} from './forwarder-listen.ts'
import type {ToForwarder} from './forwarder-messages.ts'
import type {ThreadOptions} from './forwarder-thread.ts'
import type {ServerState} from './types.ts'

const listen = {host: '127.0.0.1', port: 443}

function wanted(parameters: Record<string, string> = {}): Wanted {
	const settings = {hostnames: [], trustedProxies: [], platformVersion: '6.12'}
	const config = configOf({instances: [], parameters, settings, own: {hostnames: [], addresses: []}})
	return {listen, config, credentials: {certificate: 'c', key: 'k'}}
}

/** Messages to a thread, and a way to answer for it. */
interface Spoken extends ThreadOptions {
	heard: ToForwarder['kind'][]
}

let clock: TestClock
let threads: Spoken[]
let states: ServerState['state'][]
let troubles: string[]
let control: ForwarderControl

beforeEach(() => {
	clock = testClock()
	threads = []
	states = []
	troubles = []
	control = new ForwarderControl({
		clock,
		onState: ({state}) => void states.push(state),
		onTraffic: () => {},
		onCounters: () => {},
		onTrouble: message => void troubles.push(message),
		startThread: options => {
			const heard: ToForwarder['kind'][] = []
			threads.push({...options, heard})
			return {send: ({kind}) => void heard.push(kind), stop: async () => void heard.push('close')}
		}
	})
})

describe('the thread of the forwarding server', () => {
	test('gets only the changes', () => {
		control.want(wanted())
		control.want(wanted())
		control.want(wanted({'instance.execute.external': 'true'}))
		control.want({...wanted({'instance.execute.external': 'true'}), credentials: {certificate: 'd', key: 'l'}})
		expect(threads.map(({heard}) => heard)).toEqual([['serve', 'config', 'credentials']])
		control.want(undefined)
		expect(threads[0]?.heard.at(-1)).toBe('close')
		expect(control.state().state).toBe('off')
	})

	test('goes on when it cannot be told its settings, and says so; one that never ran has failed', () => {
		control.fail('No certificate.')
		expect(control.state()).toMatchObject({state: 'failed', problem: 'No certificate.'})
		control.want(wanted())
		const deviation = 'It listens on port 8443 instead.'
		threads[0]?.onMessage({kind: 'listening', listen, problem: deviation})
		for (let times = 0; times < 2; times += 1) control.fail('The profile is busy.')
		const lag = 'It runs with its earlier settings: The profile is busy.'
		expect(control.state()).toMatchObject({state: 'running', listen, problem: `${deviation} ${lag}`})
		expect(threads[0]?.heard).toEqual(['serve'])
		control.want(wanted(), 'It shows its earlier certificate.')
		expect(control.state().problem).toBe(`${deviation} It shows its earlier certificate.`)
		control.want(wanted())
		expect(control.state()).toMatchObject({state: 'running', problem: deviation})
	})

	test('that dies is reported, and restarted with its work', async () => {
		control.want(wanted())
		threads[0]?.onMessage({kind: 'listening', listen, problem: null})
		expect(control.state()).toMatchObject({state: 'running', listen})
		threads[0]?.onDeath(new Error('out of memory'))
		expect(control.state()).toMatchObject({state: 'failed', listen: null})
		expect(troubles).toEqual(['The thread of the forwarding server ended; it is started again.'])
		await clock.advance(1000)
		expect(threads[1]?.heard).toEqual(['serve'])
		threads[1]?.onMessage({kind: 'listening', listen, problem: null})
		threads[0]?.onMessage({kind: 'failed', problem: 'a word from the dead'})
		expect(states).toEqual(['starting', 'running', 'failed', 'starting', 'running'])
	})

	test('that finds no port tries again, ever more rarely', async () => {
		control.want(wanted())
		for (const pause of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
			threads[0]?.onMessage({kind: 'failed', problem: 'Port 443 is held by nginx.'})
			expect(control.state()).toMatchObject({state: 'failed', problem: 'Port 443 is held by nginx.'})
			await clock.advance(pause - 1)
			expect(control.state().state).toBe('failed')
			await clock.advance(1)
			expect(control.state().state).toBe('starting')
		}
		await control.stop(0)
		expect(clock.pending()).toEqual([])
	})
})

describe('a port for the forwarding server', () => {
	const forwarder = {listen}
	const refusing = (codes: Record<string, string>) => {
		const tried: string[] = []
		const start = async ({host, port}: typeof listen) => {
			tried.push(`${host} ${port}`)
			const code = codes[String(port)] ?? codes[host]
			if (code !== undefined) throw Object.assign(new Error(code), {code})
			return forwarder as never // stands for a running server that is never called here
		}
		return {tried, start}
	}

	test.each([
		['EACCES', 'This user may not listen on port 443. It listens on port 8443 instead.'],
		['EADDRINUSE', /^Port 443 is held by .+\. It listens on port 8443 instead\.$/]
	])('is 8443 when the wanted one is not available (%s), which is reported', async (code, problem) => {
		const {start, tried} = refusing({443: code})
		expect(await listenSomewhere(listen, start)).toEqual({
			forwarder,
			problem: typeof problem === 'string' ? problem : expect.stringMatching(problem)
		})
		expect(tried).toEqual(['127.0.0.1 443', '127.0.0.1 8443'])
	})

	test('is no other when it is fixed, and none when both are taken', async () => {
		const {start} = refusing({443: 'EACCES', 8443: 'EACCES'})
		const failure = 'This user may not listen on port 443.'
		expect(await listenSomewhere(listen, start, true)).toEqual({failure})
		expect(await listenSomewhere(listen, start)).toEqual({failure: `${failure} This user may not listen on port 8443.`})
	})

	test('is on IPv4 where there is no IPv6', async () => {
		const {start, tried} = refusing({'::': 'EAFNOSUPPORT'})
		expect(await listenSomewhere({host: '::', port: 443}, start)).toMatchObject({problem: null})
		expect(tried).toEqual([':: 443', '0.0.0.0 443'])
	})
})
