import {execFile} from 'node:child_process'
import {createHash, randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {writeFile} from 'node:fs/promises'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {join} from 'node:path'
import {promisify} from 'node:util'

import {fileFolder} from '#base/testing/folder.ts'
import {hashed, startInstance, startScene, type RunningInstance, type Scene} from './testing/scene.ts'

const run = promisify(execFile)
let instance: RunningInstance
let scene: Scene
const folder = fileFolder()

const big = randomBytes(16 << 20)

function handle(request: IncomingMessage, response: ServerResponse) {
	const [path] = (request.url ?? '').split('?')
	if (path === '/big') {
		response.setHeader('Content-Length', big.length).end(big)
	} else if (path === '/hash') {
		const hash = createHash('sha256')
		request.on('data', (chunk: Buffer) => hash.update(chunk)).on('end', () => response.end(hash.digest('hex')))
	} else if (path === '/head') {
		response.end(JSON.stringify(request.rawHeaders))
	} else if (path === '/early') {
		response.writeEarlyHints({link: '</style.css>; rel=preload'})
		response.end('hinted')
	} else if (path === '/cut') {
		response.writeHead(200, {'Content-Length': 1000})
		response.write('half', () => response.destroy())
	} else if (path === '/hang') {
		response.flushHeaders()
	} else if (path === '/events') {
		response.writeHead(200, {'Content-Type': 'text/event-stream'})
		response.write('data: first\n\n')
	} else {
		response.end('hello')
	}
}

beforeAll(async () => {
	instance = await startInstance(handle)
	scene = await startScene([{name: 'edl', listenPort: instance.port}])
	await writeFile(join(folder, 'ca.pem'), scene.credentials.authority)
	await writeFile(join(folder, 'big'), big)
})

afterEach(() => scene.mustBeCalm())

afterAll(async () => {
	await scene.close()
	await instance.stop()
})

async function curl(...args: string[]) {
	const {stdout} = await run('curl', ['-sS', '--http2', '--cacert', join(folder, 'ca.pem'), '-m', '20', ...args], {maxBuffer: 64 << 20})
	return stdout
}

async function whole(stream: {toArray(): Promise<Buffer[]>}) {
	return Buffer.concat(await stream.toArray())
}

describe('HTTP/2 to an instance that speaks HTTP/1.1', () => {
	test('curl gets an answer over HTTP/2', async () => {
		const out = await curl('-w', ' %{http_version} %{http_code}', scene.url('edl/'))
		expect(out).toBe('hello 2 200')
	})

	test('the instance sees Host, a joined cookie, and nothing of the connection', async () => {
		const request = scene.stream('edl/head', scene.http2(), {cookie: ['a=1', 'b=2'], te: 'trailers', 'x-own': 'kept'})
		const raw: string[] = JSON.parse((await whole(request)).toString())
		const lower = raw.map((text, at) => (at % 2 === 0 ? text.toLowerCase() : text))
		expect(lower[lower.indexOf('host') + 1]).toBe(`localhost:${scene.port}`)
		expect(lower[lower.indexOf('cookie') + 1]).toBe('a=1; b=2')
		expect(lower[lower.indexOf('x-own') + 1]).toBe('kept')
		expect(lower[lower.indexOf('via') + 1]).toMatch(/^2(?:\.0)? cordon$/)
		expect(lower.filter(text => text.startsWith(':'))).toEqual([])
	})

	test('16 MB go up and down unchanged', async () => {
		const up = await curl('--data-binary', `@${join(folder, 'big')}`, '-H', 'Expect:', scene.url('edl/hash'))
		expect(up).toBe(hashed(big))
		await curl('-o', join(folder, 'down'), scene.url('edl/big'))
		const {stdout} = await run('sha256sum', [join(folder, 'down')])
		expect(stdout.slice(0, 64)).toBe(hashed(big))
	})

	test('a body of unknown length goes up in chunks, many at once', async () => {
		const session = scene.http2()
		const bodies = Array.from({length: 20}, () => randomBytes(300_000))
		const answers = await Promise.all(
			bodies.map(body => {
				const request = scene.stream('edl/hash', session, {':method': 'PUT'})
				request.end(body)
				return whole(request)
			})
		)
		expect(answers.map(String)).toEqual(bodies.map(hashed))
	})

	test('hints arrive before the answer', async () => {
		const request = scene.stream('edl/early')
		const [hint] = await once(request, 'headers')
		expect(hint).toMatchObject({':status': 103, link: '</style.css>; rel=preload'})
		expect((await whole(request)).toString()).toBe('hinted')
	})

	test('the first event of a stream arrives while the answer goes on', async () => {
		const request = scene.stream('edl/events')
		const [first] = await once(request, 'data')
		expect(String(first)).toBe('data: first\n\n')
		request.close()
	})

	test('an answer that the instance cuts is reset, and curl fails', async () => {
		await expect(curl(scene.url('edl/cut'))).rejects.toMatchObject({code: 92})
	})

	test('a client that resets its stream leaves the instance at once', async () => {
		const arrived = once(instance.server, 'request')
		const request = scene.stream('edl/hang')
		const [incoming] = await arrived
		await once(request, 'response')
		const gone = once(incoming.socket, 'close')
		request.close(8)
		await gone
		expect(incoming.socket.destroyed).toBe(true)
	})

	test('a client that closes its connection leaves nothing open, in the middle of an answer or idle', async () => {
		const before = scene.forwarder.counters().connections.open
		await curl(scene.url('edl/'))
		await expect(curl('-m', '0.2', scene.url('edl/hang'))).rejects.toMatchObject({code: 28})
		await expect.poll(() => scene.forwarder.counters().connections.open).toBe(before)
		await expect.poll(() => scene.forwarder.counters().requests.running).toBe(0)
	})

	test('answers of ours are well-formed too', async () => {
		const out = await curl('-w', ' %{http_code}', scene.url('nobody/'))
		expect(out).toMatch(/404$/)
		expect(await curl('-o', '/dev/null', '-w', '%{http_code}', '-X', 'TRACE', scene.url('edl/'))).toBe('405')
	})

	test('HEAD and 304 tell what they should without a body', async () => {
		const request = scene.stream('edl/big', scene.http2(), {':method': 'HEAD'})
		const [headers] = await once(request, 'response')
		expect(headers).toMatchObject({':status': 200, 'content-length': String(big.length)})
		expect((await whole(request)).length).toBe(0)
	})

	test('the log names the version', async () => {
		scene.records.length = 0
		await curl(scene.url('edl/'))
		await expect.poll(() => scene.records.at(-1)?.protocol).toBe('HTTP/2')
	})
})
