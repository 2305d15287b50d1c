/** Electron's download from a real mirror on this machine, with the faults of mirrors and networks. */
import {spawn} from 'node:child_process'
import {hash} from 'node:crypto'
import {once} from 'node:events'
import {readdirSync, readFileSync} from 'node:fs'
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {connect, type AddressInfo} from 'node:net'
import {join} from 'node:path'

import {createTeller, downloadElectron, progressBar} from './electron-download.mjs'
import {at} from './paths.mjs'
import {testFolder} from '#base/testing/folder.ts'

const name = 'electron-v99.0.0-linux-x64.zip'
const body = Buffer.alloc(200_000, 'electron ')
const checksums = {[name]: hash('sha256', body, 'hex')}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

let folder: string
let server: Server
let handler: Handler
let asked: string[]

beforeEach(async () => {
	folder = testFolder()
	asked = []
	server = createServer((request, response) => {
		asked.push(request.url ?? '')
		handler(request, response)
	})
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
})
afterEach(() => {
	server.closeAllConnections()
	server.close()
})

const port = () => (server.address() as AddressInfo).port // it listens on TCP
const whole: Handler = (_request, response) => void response.writeHead(200, {'content-length': body.length}).end(body)

/** The test's own clock: nothing comes due until `pass` is called. */
function testTimer() {
	const armed: number[] = []
	let due = (): void => undefined
	let onArmed = (): void => undefined
	return {
		armed,
		after: (ms: number, run: () => void) => {
			armed.push(ms)
			due = run
			onArmed()
			return () => {}
		},
		/** Lets a bound of this length pass: the one that is armed now, or the next. */
		pass: (ms: number) => {
			onArmed = () => armed.at(-1) === ms && setImmediate(() => due())
			onArmed()
		}
	}
}

interface Options {
	signal?: AbortSignal
	after?: (ms: number, run: () => void) => () => void
	onProgress?: (received: number, total: number) => void
}

function download(options: Options = {}, sums: Readonly<Record<string, string>> = checksums) {
	const mirrorOptions = {mirror: `http://127.0.0.1:${port()}/`}
	const details = {version: '99.0.0', platform: 'linux', arch: 'x64', cacheRoot: join(folder, 'cache')}
	return downloadElectron(
		{...details, mirrorOptions, checksums: sums, tempDirectory: folder},
		{signal: new AbortController().signal, onProgress: () => {}, ...options}
	)
}

function left() {
	const entries = readdirSync(folder, {recursive: true, withFileTypes: true})
	return entries.filter(entry => entry.isFile()).map(entry => entry.name)
}

/** Sends this many bytes, then calls `then`. */
function part(bytes: number, then: (response: ServerResponse) => void): Handler {
	return (_request, response) => {
		response.writeHead(200, {'content-length': body.length})
		response.write(body.subarray(0, bytes), () => then(response))
	}
}

test('a slow but steady mirror succeeds: each piece gives the next one its time', async () => {
	handler = (_request, response) => {
		response.writeHead(200, {'content-length': body.length})
		let sent = 0
		const next = () => {
			const piece = body.subarray(sent, sent + 20_000)
			sent += piece.length
			response.write(piece, () => (sent < body.length ? setImmediate(next) : response.end()))
		}
		next()
	}
	const {armed, after} = testTimer()
	const seen: number[] = []
	const path = await download({after, onProgress: received => void seen.push(received)})
	expect(readFileSync(path).equals(body)).toBe(true)
	expect(armed[0]).toBe(10_000)
	expect(armed.length).toBeGreaterThan(2)
	expect(armed.slice(1).every(ms => ms === 30_000)).toBe(true)
	expect(seen.at(-1)).toBe(body.length)
	expect(left()).toEqual([name])
})

test('without a first byte the download is given up', async () => {
	handler = () => {}
	const {after, pass} = testTimer()
	const running = download({after})
	pass(10_000)
	await expect(running).rejects.toThrow(`127.0.0.1:${port()} sent nothing for 10 s.`)
	expect(left()).toEqual([])
})

test('headers do not count as a first byte', async () => {
	handler = (_request, response) => response.writeHead(200, {'content-length': body.length}).flushHeaders()
	const {after, pass, armed} = testTimer()
	const running = download({after})
	pass(10_000)
	await expect(running).rejects.toThrow('sent nothing for 10 s.')
	expect(armed).toEqual([10_000])
})

test('one that stalls in the middle is given up, and the next start fetches all of it', async () => {
	handler = part(50_000, () => {})
	const {after, pass} = testTimer()
	const running = download({after})
	pass(30_000)
	await expect(running).rejects.toThrow('The download stopped: 127.0.0.1')
	expect(left()).toEqual([])
	handler = whole
	expect(readFileSync(await download()).equals(body)).toBe(true)
	expect(asked).toHaveLength(2)
	// Fills the cache.
	await download()
	expect(asked).toHaveLength(2)
})

test.each([
	['a wrong checksum', whole, {[name]: '0'.repeat(64)}, "The downloaded file is not Electron's: its SHA-256 is wrong."],
	[
		'404',
		(_request: IncomingMessage, response: ServerResponse) => void response.writeHead(404).end('no'),
		checksums,
		`answered with HTTP 404 for /v99.0.0/${name}.`
	],
	['a reset', part(50_000, response => response.socket?.resetAndDestroy()), checksums, 'The connection to 127.0.0.1'],
	['half a file', part(50_000, response => response.destroy()), checksums, 'The connection to 127.0.0.1'],
	[
		'a file that ends early without saying how long it is',
		(_request: IncomingMessage, response: ServerResponse) => void response.end(body.subarray(0, 50_000)),
		checksums,
		"The downloaded file is not Electron's"
	]
])('%s is explained in a sentence, and no file is left behind', async (_what, mirror, sums, sentence) => {
	handler = mirror
	await expect(download({}, sums)).rejects.toThrow(sentence)
	expect(left()).toEqual([])
})

test('it can be cancelled halfway, and no file is left behind', async () => {
	const abort = new AbortController()
	handler = part(50_000, () => {})
	const running = download({signal: abort.signal, onProgress: () => abort.abort()})
	await expect(running).rejects.toThrow('The download was cancelled.')
	expect(left()).toEqual([])
})

/** The script as `npm start` runs it, on this mirror. */
function script(environment: Readonly<Record<string, string>> = {}) {
	const env = {
		...{PATH: process.env['PATH'], HOME: folder, electron_config_cache: join(folder, 'cache')},
		...{ELECTRON_MIRROR: `http://127.0.0.1:${port()}/`, ...environment}
	}
	const child = spawn(process.execPath, ['--use-env-proxy', '--no-warnings', at('build', 'fetch-electron.mjs')], {
		env,
		stdio: ['ignore', 'ignore', 'pipe']
	})
	let said = ''
	child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
	return {child, ended: once(child, 'close').then(() => ({code: child.exitCode, said}))}
}

test('the script takes the mirror of the environment, and what is not Electron is refused', async () => {
	handler = whole
	const {code, said} = await script().ended
	expect(code).toBe(1)
	expect(asked[0]).toMatch(/^\/v\d+\.\d+\.\d+\/electron-v\d+\.\d+\.\d+-\w+-\w+\.zip$/)
	expect(said).toContain('its SHA-256 is wrong')
	expect(said).toContain('0.2 of 0.2 MB')
	expect(left()).toEqual([])
})

test.skipIf(process.platform === 'win32')('Ctrl+C cancels the script', async () => {
	let begun = (): void => undefined
	const first = new Promise<void>(resolve => (begun = resolve))
	handler = part(50_000, () => begun())
	const {child, ended} = script()
	await first
	child.kill('SIGINT')
	const {code, said} = await ended
	expect(code).toBe(130)
	expect(said).toContain('The download was cancelled.')
	expect(left()).toEqual([])
})

test('the script goes through the proxy of the environment, except where NO_PROXY names the mirror', async () => {
	handler = (_request, response) => void response.writeHead(404).end()
	const tunnels: string[] = []
	const proxy = createServer((request, response) => {
		tunnels.push(request.url ?? '')
		response.writeHead(404).end()
	})
	proxy.on('connect', (request, socket) => {
		tunnels.push(request.url ?? '')
		const onward = connect(port(), '127.0.0.1', () => void socket.write('HTTP/1.1 200 OK\r\n\r\n'))
		onward
			.on('error', () => socket.destroy())
			.pipe(socket)
			.on('error', () => onward.destroy())
			.pipe(onward)
	})
	proxy.listen(0, '127.0.0.1')
	await once(proxy, 'listening')
	const HTTP_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` // it listens on TCP
	await script({HTTP_PROXY, NO_PROXY: '127.0.0.1'}).ended
	expect(tunnels).toEqual([])
	await script({HTTP_PROXY, ELECTRON_MIRROR: `http://mirror.example:${port()}/`}).ended
	expect(tunnels).toHaveLength(1)
	expect(tunnels[0]).toContain(`mirror.example:${port()}`)
	proxy.closeAllConnections()
	proxy.close()
})

test('the progress is one line on a terminal, and a line for ten megabytes elsewhere', () => {
	expect(progressBar(55_250_000, 110_500_000, 10)).toBe('[#####-----] 55.3 of 110.5 MB')
	expect(progressBar(2_000_000, 0)).toBe('2.0 MB')
	const lines: string[] = []
	const tell = createTeller({write: (text: string) => void lines.push(text), isTerminal: false})
	for (const at of [1, 9.9, 10, 12, 21, 25]) tell(at * 1e6, 25e6)
	expect(lines).toEqual(['  10.0 of 25.0 MB\n', '  21.0 of 25.0 MB\n', '  25.0 of 25.0 MB\n'])
	const bar: string[] = []
	createTeller({write: (text: string) => void bar.push(text), isTerminal: true})(25e6, 25e6)
	expect(bar).toEqual([`\r  [${'#'.repeat(30)}] 25.0 of 25.0 MB\n`])
})
