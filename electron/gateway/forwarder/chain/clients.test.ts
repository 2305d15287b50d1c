import {execFile} from 'node:child_process'
import {createHash, randomBytes} from 'node:crypto'
import {readFile, stat, writeFile} from 'node:fs/promises'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {join} from 'node:path'

import {fileFolder} from '#base/testing/folder.ts'
import {hashed, startInstance, startScene, type RunningInstance, type Scene} from './testing/scene.ts'
import {isInstalled, startPrinting, type Program} from './testing/programs.ts'

const hasCurl = isInstalled('curl')
const hasPython = isInstalled('python3')
if (!hasCurl || !hasPython) process.stderr.write('Chain tests with curl and Python are skipped: one is not installed.\n')

const folder = fileFolder()
let scene: Scene
let node: RunningInstance
let programs: Program[] = []
const big = randomBytes(24 << 20)

/** A Node instance: hashes uploads, reports how they arrived, sends what was requested. */
function handle(request: IncomingMessage, response: ServerResponse) {
	const {pathname: path} = new URL(request.url ?? '/', 'http://instance')
	if (path === '/big') {
		response.writeHead(200, {'Content-Length': big.length, ETag: '"big"'}).end(request.method === 'HEAD' ? '' : big)
		return
	}
	if (path === '/no') {
		response.writeHead(403, {'Content-Length': 2}).end('no')
		return
	}
	const hash = createHash('sha256')
	request.on('data', (chunk: Buffer) => hash.update(chunk))
	request.on('end', () => {
		const {'content-length': length, 'transfer-encoding': coding, expect: expectation} = request.headers
		response.end(JSON.stringify({hash: hash.digest('hex'), length, coding, expectation, url: request.url}))
	})
}

beforeAll(async () => {
	if (!hasCurl || !hasPython) return
	await writeFile(join(folder, 'big'), big)
	await writeFile(join(folder, 'a b;c.txt'), 'odd name')
	node = await startInstance(handle)
	programs = await Promise.all([
		startPrinting('python3', ['-u', '-m', 'http.server', '--bind', '127.0.0.1', '--directory', folder, '0']),
		startPrinting('python3', [join(import.meta.dirname, 'testing', 'flask_like.py')])
	])
	scene = await startScene([
		{name: 'node', listenPort: node.port},
		{name: 'files', listenPort: programs[0]?.port ?? 0, webInterface: true},
		{name: 'flask app', listenPort: programs[1]?.port ?? 0}
	])
	await writeFile(join(folder, 'ca.pem'), scene.credentials.authority)
})

afterAll(async () => {
	if (!hasCurl || !hasPython) return
	await scene.close()
	await node.stop()
	await Promise.all(programs.map(program => program.stop()))
})

/** The output of curl; rejects with its exit code. */
function curl(...args: string[]): Promise<string> {
	const all = ['-sS', '--cacert', join(folder, 'ca.pem'), '--max-time', '30', ...args]
	return new Promise((resolve, reject) => {
		execFile('curl', all, {maxBuffer: 64 << 20}, (error, stdout) => (error === null ? resolve(stdout) : reject(error)))
	})
}

const versions = [
	['1.1', '--http1.1'],
	['2', '--http2']
] as const

describe.runIf(hasCurl && hasPython).each(versions)('curl over HTTP/%s', (version, flag) => {
	const to = (path: string) => scene.url(path)

	test('gets, and is answered in its own version', async () => {
		const out = await curl(flag, '-w', ' %{http_version} %{http_code}', to('node/x?a=1&b=%20'))
		expect(out).toMatch(new RegExp(`"url":"/x\\?a=1&b=%20"\\} ${version.replace('.', '\\.')} 200$`))
	})

	test('asks first before a large upload, and it arrives whole', async () => {
		const args = ['-H', 'Expect: 100-continue', '--data-binary', `@${join(folder, 'big')}`]
		const out = JSON.parse(await curl(flag, ...args, to('node/upload')))
		expect(out).toMatchObject({hash: hashed(big), length: String(big.length)})
		expect(out.expectation).toBeUndefined()
	})

	test('uploads a body of unknown length', async () => {
		const args = ['-X', 'POST', '-H', 'Transfer-Encoding: chunked', '-T', join(folder, 'big')]
		const out = JSON.parse(await curl(flag, ...args, to('node/upload')))
		expect(out).toMatchObject({hash: hashed(big), coding: 'chunked'})
	})

	test('is refused from the head, and the answer reaches it although the body was still to come', async () => {
		const out = await curl(flag, '-w', ' %{http_code}', '--data-binary', `@${join(folder, 'big')}`, to('node/no'))
		expect(out).toBe('no 403')
	})

	test('downloads what is byte for byte the same', async () => {
		const down = join(folder, `down-${version}`)
		await curl(flag, '-o', down, to('node/big'))
		expect(hashed(await readFile(down))).toBe(hashed(big))
	})

	test('HEAD has the fields of GET and no body', async () => {
		const out = await curl(flag, '-I', to('node/big'))
		expect(out).toMatch(new RegExp(`^content-length: ${big.length}\\r$`, 'im'))
		expect(out).toMatch(/^etag: "big"\r$/im)
	})

	test('gets files of Python, and continues a download', async () => {
		expect(await curl(flag, to('files/a%20b%3Bc.txt'))).toBe('odd name')
		const down = join(folder, `file-${version}`)
		await curl(flag, '-o', down, to('files/big'))
		expect((await stat(down)).size).toBe(big.length)
		expect(hashed(await readFile(down))).toBe(hashed(big))
		expect(await curl(flag, '-o', '/dev/null', '-w', '%{http_code}', to('files/missing'))).toBe('404')
	})

	test('an application in Python builds its links with the given prefix', async () => {
		const out = JSON.parse(await curl(flag, '-u', 'kim:se:cret', to('flask%20app/where?q=1')))
		expect(out).toEqual({
			method: 'GET',
			path: '/where',
			query: 'q=1',
			link: `https://localhost:${scene.port}/instance/execute/flask%20app/page`,
			uri: '/instance/execute/flask%20app/where?q=1',
			client: '127.0.0.1',
			authorization: `Basic ${btoa('kim:se:cret')}`,
			cookie: null
		})
	})

	test('its redirect and its cookie stay within its prefix', async () => {
		const jar = join(folder, `jar-${version}`)
		const out = JSON.parse(await curl(flag, '-L', '-c', jar, '-b', jar, to('flask%20app/login')))
		expect(out).toMatchObject({path: '/welcome', query: 'next=1', cookie: 'session=1'})
		expect(await readFile(jar, 'utf8')).toMatch(/\t\/instance\/execute\/flask%20app\/?\tTRUE\t0\tsession\t1/)
		expect(JSON.parse(await curl(flag, '-b', jar, to('node/other'))).hash).toBe(hashed(Buffer.alloc(0)))
	})

	test('an upload to Python and a stream from it arrive whole', async () => {
		const up = await curl(flag, '--data-binary', `@${join(folder, 'big')}`, to('flask%20app/upload'))
		expect(up).toBe(hashed(big))
		const lines = (await curl(flag, to('flask%20app/stream'))).split('\n')
		expect(lines).toHaveLength(1001)
		expect(lines[999]).toBe('line 999')
	})
})

test.runIf(hasCurl && hasPython)('many clients at once, of both versions, each get their own bytes', async () => {
	const bodies = Array.from({length: 12}, () => randomBytes(400_000))
	const answers = await Promise.all(
		bodies.map(async (body, index) => {
			const file = join(folder, `body-${index}`)
			await writeFile(file, body)
			const flag = index % 2 === 0 ? '--http1.1' : '--http2'
			return JSON.parse(await curl(flag, '--data-binary', `@${file}`, scene.url(`node/${index}`)))
		})
	)
	expect(answers.map(({hash, url}) => [hash, url])).toEqual(bodies.map((body, index) => [hashed(body), `/${index}`]))
	expect(scene.troubles).toEqual([])
})
