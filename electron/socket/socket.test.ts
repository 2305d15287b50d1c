/** Real sockets between two ends that authenticate each other, with all possible obstacles. */
import {once} from 'node:events'
import {spawn} from 'node:child_process'
import {chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {connect, createServer} from 'node:net'
import {dirname, join} from 'node:path'

import {testFolder} from '#base/testing/folder.ts'
import type {Channel} from './channel.ts'
import {listenForCommandLines, type ListenOptions, type ListeningConsole} from './listen.ts'
import {publish, readPlace, socketPath} from './place.ts'
import {reachConsole} from './reach.ts'

let folder: string
let profile: string
let console: ListeningConsole | undefined
let refusals: string[]

beforeEach(() => {
	folder = testFolder()
	profile = join(folder, 'profile')
	mkdirSync(profile, {mode: 0o700})
	refusals = []
})

afterEach(async () => {
	await console?.stop()
	console = undefined
})

const placeFile = () => join(profile, 'command-line.json')
const pathOf = () => socketPath({profile, temporary: folder})
const leave = (socket: string, pid = 1) => publish(profile, {socket, pid, secret: 's'.repeat(43)})

async function echo(channel: Channel) {
	for await (const message of channel.messages) {
		if (message['kind'] === 'end') return
		await channel.send({echo: message})
	}
}

async function listen(options: Partial<ListenOptions> = {}) {
	console = await listenForCommandLines({
		profile,
		temporary: folder,
		version: '1.0.0',
		onCommandLine: echo,
		onRefusal: message => refusals.push(message),
		...options
	})
	return console
}

function reach(options: {version?: string; patienceMs?: number; signal?: AbortSignal} = {}) {
	return reachConsole({profile, version: '1.0.0', signal: new AbortController().signal, ...options})
}

async function reached() {
	const channel = await reach()
	if (channel === undefined) throw new Error('No console was found.')
	return channel
}

describe('a console that listens', () => {
	it('is found by its profile, and both ends hear each other', async () => {
		const {socket} = await listen()
		const channel = await reached()
		await channel.send({kind: 'text', text: 'Grüße 🦊'})
		expect((await channel.messages.next()).value).toEqual({echo: {kind: 'text', text: 'Grüße 🦊'}})
		channel.close()
		expect(lstatSync(socket).mode & 0o777).toBe(0o600)
		expect(lstatSync(dirname(socket)).mode & 0o777).toBe(0o700)
		expect(statSync(placeFile()).mode & 0o777).toBe(0o600)
	})

	it('leaves nothing behind when it stops', async () => {
		const {socket, stop} = await listen()
		await stop()
		expect([socket, dirname(socket), placeFile()].filter(existsSync)).toEqual([])
		expect(await reach()).toBeUndefined()
	})

	it('has a secret of its own with each start', async () => {
		await listen()
		const first = readPlace(profile)?.secret
		await console?.stop()
		await listen()
		expect(readPlace(profile)?.secret).not.toBe(first)
	})

	it('is missing without its file', async () => {
		expect(await reach()).toBeUndefined()
		expect(await reachConsole({profile: join(folder, 'none'), version: '1', signal: new AbortController().signal})).toBe(undefined)
	})

	it('ends what runs when it stops, and waits for its farewell', async () => {
		await listen({
			onCommandLine: async (channel, stopping) => {
				await channel.send({kind: 'begun'})
				await once(stopping, 'abort')
				await channel.send({kind: 'exit', code: 130})
			}
		})
		const channel = await reached()
		await channel.messages.next()
		const [answer] = await Promise.all([channel.messages.next(), console?.stop()])
		expect(answer.value).toEqual({kind: 'exit', code: 130})
	})

	it('cuts off a command line that does not end with it', async () => {
		await listen({onCommandLine: () => new Promise(() => {})})
		const channel = await reached()
		void console?.stop()
		expect(await channel.messages.next()).toEqual({done: true, value: undefined})
	})

	it('sends no faster than the other end reads', async () => {
		let sent = 0
		const block = 'x'.repeat(30_000)
		const gone = Promise.withResolvers<void>()
		await listen({
			onCommandLine: async channel => {
				for (let count = 0; count < 400; count += 1) {
					await channel.send({kind: 'out', text: block})
					sent += 1
				}
				gone.resolve()
			}
		})
		const channel = await reached()
		await channel.messages.next()
		// Enough turns of the event loop to send everything without waiting.
		for (let turn = 0; turn < 5000; turn += 1) await new Promise(setImmediate)
		expect(sent).toBeLessThan(60)
		let read = 1
		for await (const message of channel.messages) {
			read += message['kind'] === 'out' ? 1 : 0
			if (read === 400) break
		}
		await gone.promise
		expect(sent).toBe(400)
		channel.close()
	})
})

const connecting = () => connect({path: console?.socket ?? ''})

async function expectRefused(bytes: Buffer, socket = connecting()) {
	socket.write(bytes)
	await once(socket.resume(), 'close')
	await expect.poll(() => refusals).toHaveLength(1)
}

describe('an unauthenticated peer', () => {
	it('with the wrong secret is refused, and gets no message', async () => {
		await listen()
		const place = readPlace(profile)
		rmSync(placeFile())
		leave(place?.socket ?? '')
		await expect(reach()).rejects.toMatchObject({code: 'forbidden'})
		// The console with the wrong secret answered, and this end rejected it.
		await expect.poll(() => refusals).toHaveLength(1)
	})

	it('that proves nothing gets no answer but the proof of the other end', async () => {
		let served = 0
		await listen({onCommandLine: async () => void (served += 1)})
		const socket = connecting()
		socket.write(framed({hello: 'cordon', version: '1.0.0', nonce: 'n'}))
		await once(socket, 'data')
		await expectRefused(framed({proof: 'AAAA'}), socket)
		expect(served).toBe(0)
	})

	it('that sends half a message is cut off', async () => {
		await listen({patienceMs: 30})
		await expectRefused(framed({hello: 'cordon'}).subarray(0, 7))
	})

	it.each([
		['a huge message', Buffer.from([0x7f, 0xff, 0xff, 0xff])],
		['what is no JSON', Buffer.from([0, 0, 0, 2, 0x7b, 0x7b])],
		['a list', framed([1])],
		['the greeting of another program', framed({hello: 'somebody', version: '1.0.0', nonce: 'n'})],
		['more than a greeting has', framed({hello: 'cordon', version: '1.0.0', nonce: 'n', more: 'x'.repeat(5000)})]
	])('that sends %s is cut off at once', async (_what, bytes) => {
		await listen({patienceMs: 60_000})
		await expectRefused(bytes)
	})

	it('in place of the console gets nothing of the command', async () => {
		const {heard, server} = await impostor(socket => socket.write(framed({version: '1.0.0', nonce: 'n', proof: 'AAAA'})))
		await expect(reach()).rejects.toMatchObject({code: 'forbidden'})
		server.close()
		expect(heard()).toContain('"hello":"cordon"')
		expect(heard()).not.toContain('proof')
	})

	it('silent in place of the console is reported as such', async () => {
		const {server} = await impostor(() => {})
		await expect(reach({patienceMs: 30})).rejects.toThrow(/process 7\) does not answer/)
		server.close()
	})
})

describe('another version', () => {
	it('is explained in a sentence, and nothing is done', async () => {
		let served = 0
		await listen({onCommandLine: async () => void (served += 1)})
		await expect(reach({version: '2.0.0'})).rejects.toThrow('The console on this profile is Cordon 1.0.0, and this command line is Cordon 2.0.0.')
		await expect.poll(() => refusals).toHaveLength(1)
		expect(served).toBe(0)
	})
})

describe('leftovers of a killed console', () => {
	it('does not count as a console, and the next one replaces it', async () => {
		const path = pathOf()
		mkdirSync(dirname(path), {mode: 0o700})
		const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.stdout.write('ready'))`
		const child = spawn(process.execPath, ['-e', script], {stdio: ['ignore', 'pipe', 'inherit']})
		await once(child.stdout, 'data')
		child.kill('SIGKILL')
		await once(child, 'exit')
		leave(path, child.pid)
		expect(lstatSync(path).isSocket()).toBe(true)
		expect(await reach()).toBeUndefined()
		await listen()
		;(await reached()).close()
	})

	it('is no console either when only its file is left', async () => {
		leave(join(folder, 'gone', 'socket'))
		expect(await reach()).toBeUndefined()
	})
})

describe('an unsafe place', () => {
	const expectNeither = async (why: RegExp) => {
		await expect(listen()).rejects.toThrow(why)
		leave(pathOf())
		await expect(reach()).rejects.toThrow(why)
	}

	it('a link in place of the folder is not followed', async () => {
		const elsewhere = join(folder, 'elsewhere')
		mkdirSync(elsewhere, {mode: 0o700})
		symlinkSync(elsewhere, dirname(pathOf()))
		await expectNeither(/is not a folder/)
	})

	it('a folder that is open to others is not used', async () => {
		mkdirSync(dirname(pathOf()))
		chmodSync(dirname(pathOf()), 0o755)
		await expectNeither(/is open to others/)
	})

	it.skipIf(process.getuid?.() !== 0)('the folder of another user is not used', async () => {
		mkdirSync(dirname(pathOf()), {mode: 0o700})
		const {chownSync} = await import('node:fs')
		chownSync(dirname(pathOf()), 4711, 4711)
		await expectNeither(/belongs to another user/)
	})

	it('a file or a link in place of the socket is left alone', async () => {
		mkdirSync(dirname(pathOf()), {mode: 0o700})
		writeFileSync(join(folder, 'precious'), 'kept')
		symlinkSync(join(folder, 'precious'), pathOf())
		await expect(listen()).rejects.toThrow(/is not a socket of this user/)
		expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('kept')
	})

	it('a secret that others can read is not used, nor a link to one', async () => {
		await listen()
		const file = placeFile()
		chmodSync(file, 0o644)
		await expect(reach()).rejects.toThrow(/can be read or changed by others/)
		rmSync(file)
		symlinkSync(join(folder, 'elsewhere'), file)
		await expect(reach()).rejects.toThrow(/cannot be read/)
		rmSync(file)
	})

	it.each(['{"socket":', 'null', '{"socket":"s","secret":"short","pid":1}'])(
		'a damaged file is reported, keeps no console from stopping, and the next one replaces it: %s',
		async text => {
			const first = await listen()
			writeFileSync(placeFile(), text, {mode: 0o600})
			await expect(reach()).rejects.toThrow(/is damaged/)
			await first.stop()
			expect(existsSync(first.socket)).toBe(false)
			await listen()
			;(await reached()).close()
		}
	)
})

describe('the path of the socket', () => {
	it('is short enough for every system, however long the folders are', () => {
		const long = join(folder, 'x'.repeat(120))
		mkdirSync(long)
		const path = socketPath({profile, temporary: long})
		expect(Buffer.byteLength(path)).toBeLessThanOrEqual(103)
		expect(path.startsWith('/tmp/cordon-')).toBe(true)
	})

	it('is in the runtime folder of the user, if only that user can enter it', () => {
		const runtime = join(folder, 'run')
		mkdirSync(runtime, {mode: 0o700})
		expect(socketPath({profile, runtimeFolder: runtime}).startsWith(`${runtime}/cordon-`)).toBe(true)
		chmodSync(runtime, 0o777)
		expect(socketPath({profile, runtimeFolder: runtime, temporary: folder}).startsWith(`${folder}/cordon-`)).toBe(true)
	})

	it('is another one for another profile', () => {
		mkdirSync(join(folder, 'other'))
		expect(socketPath({profile: join(folder, 'other')})).not.toBe(socketPath({profile}))
	})
})

it('an interrupt while the console does not answer ends the waiting', async () => {
	const {server} = await impostor(() => {})
	const stop = new AbortController()
	const waiting = reach({signal: stop.signal})
	await once(server, 'connection')
	stop.abort(new Error('stopped'))
	await expect(waiting).rejects.toThrow('stopped')
	server.close()
})

/** Listens at the console's address without its secret. */
async function impostor(answer: (socket: {write(bytes: Buffer): unknown}) => unknown) {
	const path = pathOf()
	mkdirSync(dirname(path), {mode: 0o700})
	let heard = ''
	const server = createServer(socket => {
		socket.on('data', bytes => {
			heard += bytes.toString('latin1')
			answer(socket)
		})
		socket.on('error', () => {})
	})
	server.listen({path})
	await once(server, 'listening')
	leave(path, 7)
	return {server, heard: () => heard}
}

function framed(message: unknown) {
	const body = Buffer.from(JSON.stringify(message))
	const head = Buffer.alloc(4)
	head.writeUInt32BE(body.length)
	return Buffer.concat([head, body])
}
