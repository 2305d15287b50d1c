/** A peer that leaves halfway ends the other side too, and nothing is left behind (route description, 4.3). */
import {once} from 'node:events'
import {existsSync, readdirSync} from 'node:fs'
import {connect} from 'node:net'
import {connect as connectTls} from 'node:tls'

import {until} from '#base/testing/until.ts'
import {startRunning, type Running} from '../testing/running.ts'
import {dial, tell} from './testing/client.ts'
import {plainAnswer, type Step} from './testing/judge.ts'

let running: Running

beforeEach(async () => {
	running = await startRunning()
})
afterEach(() => running.stop())

const path = '/instance/execute/edl/x'
const get = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const upload = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n`
const half = 'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nhalf'

interface Scene {
	name: string
	bytes: string
	answer: Step[]
	/** State before the client leaves. */
	until: 'nothing' | 'arrived' | 'answered'
}

const scenes: Scene[] = [
	{name: 'in the head', bytes: get.slice(0, 30), answer: [], until: 'nothing'},
	{name: 'in an upload', bytes: `${upload}abc`, answer: [], until: 'arrived'},
	{name: 'while it waits', bytes: get, answer: [], until: 'arrived'},
	{name: 'in a download', bytes: get, answer: [half], until: 'answered'},
	{name: 'in a chunked download', bytes: get, answer: ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'], until: 'answered'}
]

async function play({bytes, answer, until: state}: Scene) {
	running.origin.answer = answer
	const before = running.origin.raw.length
	const socket = await dial(running.place)
	let got = 0
	socket.on('data', (chunk: Buffer) => (got += chunk.length))
	socket.write(bytes)
	if (state !== 'nothing') await until('the request', () => running.origin.raw.length > before)
	if (state === 'answered') await until('the answer', () => got > 0)
	return socket
}

describe('a client that leaves', () => {
	it.each(scenes)('$name ends the request at the instance', async scene => {
		const socket = await play(scene)
		socket.destroy()
		expect(await running.origin.isIdle()).toBe(true)
		await until('the end', () => running.forwarder.counters().connections.open === 0)
		expect(running.forwarder.counters().requests.running).toBe(0)
		expect(running.records.map(({endedBy}) => endedBy)).toEqual(scene.until === 'nothing' ? [] : ['client'])
	})

	it('that resets also ends the request', async () => {
		const {place, origin} = running
		origin.answer = [half]
		const raw = connect({port: place.port, host: '127.0.0.1'})
		raw.on('error', () => {})
		const secured = connectTls({socket: raw, servername: 'localhost', ca: place.authority ?? ''})
		secured.on('error', () => {}).write(get)
		await once(secured, 'data')
		raw.resetAndDestroy()
		expect(await origin.isIdle()).toBe(true)
	})
})

it('nothing is left of a hundred of such clients, and the next one is served', async () => {
	const files = () => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0)
	await tell(running.place, get)
	const rounds = async (count: number) => {
		for (let round = 0; round < count; round++) {
			for (const scene of scenes) (await play(scene)).destroy()
		}
		await until('the end', () => running.forwarder.counters().connections.open === 0)
	}
	await rounds(5)
	const before = files()
	await rounds(25)
	expect(files()).toBeLessThanOrEqual(before + 3)
	running.origin.answer = [plainAnswer]
	expect((await tell(running.place, get)).answers[0]?.body).toBe('ok')
	expect(running.troubles).toEqual([])
})
