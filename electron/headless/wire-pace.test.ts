/** A page that stops reading costs the host little memory, and loses nothing when it continues. */
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {createORPCClient} from '@orpc/client'
import {RPCLink} from '@orpc/client/websocket'
import {os, type RouterClient} from '@orpc/server'
import {WebSocket} from 'ws'

import {testFolder} from '#base/testing/folder.ts'
import type {AppRouter} from '#core/app/router.ts'
import {systemClock} from '#base/system.ts'
import {until} from '#base/testing/until.ts'

import {startServer, type HeadlessServer} from './server.ts'
import {openSessions} from './sessions.ts'
import {createWire} from './wire.ts'

const megabyte = 'x'.repeat(1 << 20)
const count = 200
/** Allowance for system buffers and messages in transit. */
const most = 80

let made: number
const hanging = Promise.withResolvers<void>()
const router = {
	large: os.handler(() => {
		made += 1
		return `${String(made)} ${megabyte}`
	}),
	small: os.handler(() => 'small'),
	slow: os.handler(async () => {
		made += 1
		await hanging.promise
		return 'slow'
	}),
	stream: os.handler(async function* () {
		for (made = 0; made < count; made += 1) yield `${String(made)} ${megabyte}`
	})
}
type Client = RouterClient<typeof router>

let folder: string
let server: HeadlessServer
let cookie: string

beforeEach(async () => {
	made = 0
	folder = testFolder()
	writeFileSync(join(folder, 'index.html'), '')
	const random = randomBytes
	const sessions = openSessions({profile: folder, now: Date.now, random})
	// A separate router: only the amount of data matters.
	const onWire = createWire(router as unknown as AppRouter, systemClock)
	server = await startServer({pageFolder: folder, port: 0, sessions, clock: systemClock, random, onWire})
	cookie = `cordon_${String(server.port)}=${sessions.open('a test')}`
})

afterEach(() => server.stop())

async function openPage(): Promise<{socket: WebSocket; client: Client}> {
	const origin = `http://127.0.0.1:${String(server.port)}`
	const socket = new WebSocket(`ws://127.0.0.1:${String(server.port)}/wire`, {headers: {cookie, origin}})
	await once(socket, 'open')
	const link = new RPCLink({websocket: socket as unknown as globalThis.WebSocket})
	return {socket, client: createORPCClient<Client>(link)}
}

/** Long enough for the host's work: it answers another page this often meanwhile. */
async function meanwhile() {
	const {socket, client} = await openPage()
	for (let round = 0; round < 300; round += 1) expect(await client.small()).toBe('small')
	socket.close()
}

test('its calls do not begin; when it reads on, every one is answered', async () => {
	const {socket, client} = await openPage()
	socket.pause()
	const answers = Array.from({length: count}, () => client.large())
	await until('the first', () => made > 0)
	await meanwhile()
	expect(made).toBeLessThan(most)
	socket.resume()
	const numbers = (await Promise.all(answers)).map(answer => Number.parseInt(answer, 10))
	expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({length: count}, (_, index) => index + 1))
	socket.close()
})

test('its streams pause, and go on where they were', async () => {
	const {socket, client} = await openPage()
	const events = await client.stream()
	socket.pause()
	await until('the first', () => made > 0)
	await meanwhile()
	expect(made).toBeLessThan(most)
	socket.resume()
	const numbers: number[] = []
	for await (const event of events) numbers.push(Number.parseInt(event, 10))
	expect(numbers).toEqual(Array.from({length: count}, (_, index) => index))
	socket.close()
})

test('when it leaves, calls not yet started never start', async () => {
	const {socket, client} = await openPage()
	socket.pause()
	const calls = Array.from({length: count}, () => client.large().catch(() => 'left'))
	await until('the first', () => made > 0)
	await meanwhile()
	socket.terminate()
	await Promise.all(calls)
	await until('the end', () => server.wires === 0)
	const before = made
	await meanwhile()
	expect(made).toBe(before)
	expect(made).toBeLessThan(most)
})

test('calls that wait for the service keep no other from beginning, and while very many wait no more are read', async () => {
	const {socket, client} = await openPage()
	const pause = vi.spyOn(WebSocket.prototype, 'pause')
	const slow = Array.from({length: 300}, () => client.slow())
	await until('all of them', () => made === 300)
	expect(pause).toHaveBeenCalled()
	expect(await client.small()).toBe('small')
	hanging.resolve()
	expect(new Set(await Promise.all(slow))).toEqual(new Set(['slow']))
	socket.close()
})
