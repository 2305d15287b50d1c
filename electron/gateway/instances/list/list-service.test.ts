import {createHash} from 'node:crypto'
import {readdirSync, readlinkSync, writeFileSync} from 'node:fs'
import {request} from 'node:http'
import {connect} from 'node:net'
import {join} from 'node:path'
import {buffer} from 'node:stream/consumers'
import {gunzipSync} from 'node:zlib'

import {test} from 'vitest'
import type {z} from 'zod'

import {listServiceSchema} from '#model/instance.ts'

import {testFolder} from '#base/testing/folder.ts'
import {testClock} from '#core/service/api/testing/clock.ts'
import {until} from '#base/testing/until.ts'
import {startListService, type ListServiceOptions, type RunningList} from './service.ts'

let folder: string
let running: RunningList[]
beforeEach(() => {
	folder = testFolder()
	running = []
})
afterEach(() => Promise.all(running.map(list => list.stop())))

type Input = Omit<z.input<typeof listServiceSchema>, 'service' | 'sources'>

function listOf(source: z.input<typeof listServiceSchema>['sources'][number], input: Partial<Input> = {}) {
	return listServiceSchema.parse({service: 'list', type: 'ip', sources: [source], ...input})
}

const definition = (text: string, input?: Partial<Input>) => listOf({kind: 'text', text}, input)

async function start(given: Partial<ListServiceOptions> & Pick<ListServiceOptions, 'definition'>) {
	const troubles: string[] = []
	const list = await startListService({
		instance: {id: '1', name: 'blocked'},
		folder: join(folder, 'list'),
		host: '127.0.0.1',
		port: 0,
		clock: testClock(),
		fetchFileList: async function* () {},
		onTrouble: message => void troubles.push(message),
		...given
	})
	running.push(list)
	return {...list, troubles}
}

async function refreshed(given: Parameters<typeof start>[0]) {
	const list = await start(given)
	await list.refresh()
	return list
}

const built = (text: string, input: Partial<Input> = {}) => refreshed({definition: definition(text, input)})
/** A list of two addresses. */
const builtTwo = () => built('192.0.2.1\n192.0.2.2')

function builds() {
	return readdirSync(join(folder, 'list')).filter(name => name.startsWith('build-'))
}

interface Answer {
	status: number
	headers: Readonly<Record<string, string | string[] | undefined>>
	body: Buffer
}

function get(port: number, path: string, asked: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const sent = request({port, host: '127.0.0.1', path, headers: asked, method}, response => {
			const {statusCode: status = 0, headers} = response
			buffer(response).then(body => resolve({status, headers, body}), reject)
		})
		sent.on('error', reject)
		sent.end()
	})
}

const statusOf = async (...asked: Parameters<typeof get>) => (await get(...asked)).status

async function text(port: number, path: string) {
	const {status, body} = await get(port, path)
	return status === 200 ? body.toString() : `${status} ${body.toString().trim()}`
}

describe('formats', () => {
	const addresses = '192.0.2.9\n192.0.2.8 # scanner\n\n# comment\n192.0.2.9\n198.51.100.0/24\n2001:db8::1\nbad'

	test('text has one value a line, sorted and once, without a last line feed', async () => {
		const {port} = await built(addresses)
		expect(await text(port, '/')).toBe('192.0.2.8\n192.0.2.9\n198.51.100.0/24\n2001:db8::1')
	})

	test('JSON and CSV name the kind of each value, as the original does', async () => {
		const {port} = await built(addresses)
		expect(JSON.parse(await text(port, '/?v=JSON'))).toEqual([
			{value: '192.0.2.8', indicator_type: 'IP'},
			{value: '192.0.2.9', indicator_type: 'IP'},
			{value: '198.51.100.0/24', indicator_type: 'CIDR'},
			{value: '2001:db8::1', indicator_type: 'IPv6'}
		])
		expect(await text(port, '/csv?n=2')).toBe('value,indicator_type\n"192.0.2.8","IP"\n"192.0.2.9","IP"')
	})

	test('an invalid value that is kept is quoted in CSV and is no formula', async () => {
		const {port} = await built('192.0.2.1\n=1+"2"', {dropInvalid: false})
		expect(await text(port, '/csv')).toBe('value,indicator_type\n"192.0.2.1","IP"\n"\'=1+""2""","IP"')
		expect(await text(port, '/?di=true')).toBe('192.0.2.1')
	})

	test('an empty list says so in text, unless that is not wanted', async () => {
		const {port} = await built('# nothing', {allowEmpty: true})
		expect(await text(port, '/')).toBe('# Empty List')
		expect(await text(port, '/?ce=false')).toBe('')
		expect(await text(port, '/json')).toBe('[]')
		expect(await text(port, '/csv')).toBe('value,indicator_type')
	})
})

describe('arguments', () => {
	test.each([
		['/?n=2', '192.0.2.1\n192.0.2.2'],
		['/?s=1&n=2', '192.0.2.2\n192.0.2.3'],
		['/?s=9', '# Empty List'],
		['/?tr=1', '192.0.2.1-192.0.2.4'],
		['/?tr=2', '192.0.2.1\n192.0.2.2/31\n192.0.2.4'],
		['/?tr=0&v=text', '192.0.2.1\n192.0.2.2\n192.0.2.3\n192.0.2.4'],
		['/?v=PAN-OS%20(text)&n=1', '192.0.2.1'],
		['/?v=PAN-OS+(text)&n=1&nocache=1', '192.0.2.1'],
		['/cisco/ip', '192.0.2.1\n192.0.2.2/31\n192.0.2.4'],
		['/panos/ip?n=1', '192.0.2.1']
	])('%s of four addresses', async (path, body) => {
		const {port} = await built('192.0.2.1\n192.0.2.2\n192.0.2.3\n192.0.2.4')
		expect(await text(port, path)).toBe(body)
	})

	test.each([
		['/', 'bad.com/a\nbad.com/b'],
		['/?pr', 'bad.com/a\nbad.com/b'],
		['/?pr=false', 'bad.com/a\nhttp://bad.com/a\nhttps://bad.com/a\nhttps://bad.com/b'],
		['/?sp=false', 'bad.com/a\nbad.com:8080/a\nbad.com/b'],
		['/?sp=0&pr=no', 'bad.com/a\nhttp://bad.com:8080/a\nhttps://bad.com/a\nhttps://bad.com/b'],
		['/?sp=false&pr=true', 'bad.com/a\nbad.com:8080/a\nbad.com/b'],
		['/panos/url?pr=false', 'bad.com/a\nhttp://bad.com/a\nhttps://bad.com/a\nhttps://bad.com/b']
	])('%s of URLs with protocol and port', async (path, body) => {
		const urls = 'https://bad.com/a\nhttp://bad.com:8080/a\nhttps://BAD.com/b\nbad.com/a'
		const {port} = await built(urls, {type: 'url'})
		expect(await text(port, path)).toBe(body)
	})

	const refused = '/?q=type:ip /?t=ip /?n=x /?n=0 /?n=-1 /?s= /?v=mwg /?tr=3 /?sp=maybe /?n=1&n=2 /?__proto__=1'
	test.each(refused.split(' '))('%s is refused, and the argument is named', async path => {
		const {port} = await built('192.0.2.1')
		const {status, body} = await get(port, path)
		expect(status).toBe(400)
		expect(body.toString()).toContain(`"${/\?(\w+)/.exec(path)?.[1]}"`)
	})

	test('a client may ask for less than the size of the list, not for more', async () => {
		const {port, status} = await built('192.0.2.1\n192.0.2.2\n192.0.2.3', {size: 2})
		expect(await text(port, '/?n=3')).toBe('192.0.2.1\n192.0.2.2')
		expect(status().entries).toBe(2)
	})
})

describe('headers', () => {
	test('tell size, origin, time and exact checksum, and HEAD tells the same', async () => {
		const {port} = await built('192.0.2.1\n192.0.2.1\nbad', {refreshS: 120})
		for (const path of ['/', '/csv?n=1', '/?v=JSON']) {
			const {headers, body} = await get(port, path)
			expect(headers).toMatchObject({
				etag: `"${createHash('sha256').update(body).digest('hex')}"`,
				'content-length': String(body.length),
				'x-edl-size': '1',
				'x-edl-origin-size': '3',
				'x-edl-created': '2026-01-01T00:00:00.000Z',
				'x-edl-query-time-secs': expect.stringMatching(/^\d+\.\d{3}$/),
				'cache-control': 'max-age=120, stale-if-error=600',
				'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT'
			})
			const head = await get(port, path, {}, 'HEAD')
			expect({...head.headers, date: ''}).toEqual({...headers, date: ''})
			expect(head.body.length).toBe(0)
		}
	})

	test.each([
		['/', 'text/plain; charset=utf-8'],
		['/json', 'application/json; charset=utf-8'],
		['/csv', 'text/csv; charset=utf-8'],
		['/csv?tx', 'text/plain; charset=utf-8']
	])('%s is %s', async (path, type) => {
		const {port} = await built('192.0.2.1')
		expect((await get(port, path)).headers['content-type']).toBe(type)
	})

	test('a client that has the list gets 304, whichever validator it kept', async () => {
		const {port, status} = await built('192.0.2.1')
		const etag = status().etag ?? ''
		const asked = (headers: Record<string, string>) => statusOf(port, '/', headers)
		expect(await asked({'If-None-Match': etag})).toBe(304)
		expect(await asked({'If-None-Match': `"x", W/${etag}`})).toBe(304)
		expect(await asked({'If-None-Match': '"x"', 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT'})).toBe(200)
		expect(await asked({'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT'})).toBe(304)
		expect(await asked({'If-Modified-Since': 'Wed, 31 Dec 2025 23:59:59 GMT'})).toBe(200)
		expect(await asked({'If-Modified-Since': 'yesterday'})).toBe(200)
	})

	test('gzip is another coding of the same list, with a weak tag that still brings 304', async () => {
		const {port} = await builtTwo()
		const {headers, body} = await get(port, '/', {'Accept-Encoding': 'br, gzip;q=0.5'})
		expect(gunzipSync(body).toString()).toBe('192.0.2.1\n192.0.2.2')
		expect(headers).toMatchObject({'content-encoding': 'gzip', vary: 'Accept-Encoding', etag: expect.stringMatching(/^W\/"/)})
		expect(await statusOf(port, '/', {'If-None-Match': String(headers['etag'])})).toBe(304)
		expect((await get(port, '/', {'Accept-Encoding': 'gzip;q=0'})).headers['content-encoding']).toBeUndefined()
	})

	test.each([
		['bytes=0-3', 206, '192.', 'bytes 0-3/19'],
		['bytes=-3', 206, '2.2', 'bytes 16-18/19'],
		['bytes=19-', 416, 'The list is shorter.\n', 'bytes */19'],
		['bytes=0-1,3-4', 200, '192.0.2.1\n192.0.2.2', undefined]
	])('Range: %s gives %i', async (range, status, body, contentRange) => {
		const {port} = await builtTwo()
		const answer = await get(port, '/', {Range: range})
		expect([answer.status, answer.body.toString(), answer.headers['content-range']]).toEqual([status, body, contentRange])
		expect(await statusOf(port, '/', {Range: range, 'If-Range': '"other"'})).toBe(200)
		expect(await get(port, '/', {Range: range}, 'HEAD')).toMatchObject({status: 200, headers: {'content-length': '19'}})
	})
})

describe('addresses', () => {
	test.each(['/', '/plain', '/json', '/panos/ip', '/cisco/ip', '/fortigate/ip', '/csv?n=1'])(
		'the checksums beside %s are those of its bytes, and nothing else',
		async path => {
			const {port} = await builtTwo()
			const body = await text(port, path)
			const [name = '', query = ''] = path.split(/(?=\?)/)
			for (const kind of ['md5', 'sha256']) {
				expect(await text(port, `${name}.${kind}${query}`)).toBe(createHash(kind).update(body).digest('hex'))
			}
		}
	)

	test.each(['/panos/url', '/cisco', '/xml', '/plain.sha1', '/constructor', '/../log', '//'])('%s is not there', async path => {
		const {port} = await built('192.0.2.1')
		expect(await statusOf(port, path)).toBe(404)
	})

	test('a domain list is called dns by Cisco', async () => {
		const {port} = await built('*.bad.com', {type: 'domain'})
		expect(await text(port, '/cisco/dns')).toBe('*.bad.com\nbad.com')
	})

	test('only GET and HEAD are answered', async () => {
		const {port} = await built('192.0.2.1')
		expect(await get(port, '/', {}, 'POST')).toMatchObject({status: 405, headers: {allow: 'GET, HEAD'}})
	})

	test('no page reads it by a name that leads here, which the forwarding server may pass on', async () => {
		const {port} = await built('192.0.2.1')
		const statusOf = async (asked: Record<string, string>) => (await get(port, '/log', asked)).status
		for (const host of ['localhost', '[::1]:9']) expect(await statusOf({host})).toBe(200)
		expect([await statusOf({host: 'a.example'}), await statusOf({host: 'a.example', via: '1.1 x'})]).toEqual([421, 200])
		const withoutHost = connect(port, '127.0.0.1')
		withoutHost.write('GET /plain HTTP/1.0\r\n\r\n')
		expect(String(await buffer(withoutHost))).toContain(' 200 OK')
	})

	test('the log shows what happened to each changed or rejected value', async () => {
		const {port} = await built('192.0.2.77/24\nbad | worse\n10.0.0.1\n192.0.2.1', {never: ['nothing known']})
		expect((await text(port, '/log')).split('\n')).toEqual([
			'Action | Indicator | Raw Indicator | Reason',
			'Note |  | nothing known | of "never" is not a value of any list: it protects nothing',
			'Modified | 192.0.2.0/24 | 192.0.2.77/24 | is written in its usual form',
			'Dropped |  | bad | worse | is not an address, network or range',
			'Dropped |  | 10.0.0.1 | is never published',
			''
		])
	})

	test('the status is JSON', async () => {
		const {port, status} = await built('192.0.2.1\nbad')
		expect(JSON.parse(await text(port, '/status'))).toEqual({type: 'ip', refreshS: 300, ...status()})
		expect(status()).toMatchObject({entries: 1, dropped: 1, problem: null, heldBack: null})
	})
})

describe('fail-static', () => {
	const fileList = (values: () => AsyncIterable<string>, input: Partial<Input> = {}) => ({
		definition: listOf({kind: 'file_list', connection: 'c', guid: 'g'}, {type: 'sha256', ...input}),
		fetchFileList: values
	})
	const hash = (index: number) => createHash('sha256').update(String(index)).digest('hex')
	const hashes = (count: number) =>
		async function* () {
			for (let index = 0; index < count; index += 1) yield hash(index)
		}

	test('before the first build there is 503 with Retry-After, never an empty list', async () => {
		const {promise, resolve} = Promise.withResolvers<undefined>()
		const {port, refresh} = await start(
			fileList(async function* () {
				await promise
				yield hash(1)
			})
		)
		expect(await get(port, '/')).toMatchObject({status: 503, headers: {'retry-after': '10'}})
		expect(await statusOf(port, '/plain.md5')).toBe(503)
		resolve(undefined)
		await refresh()
		expect(await text(port, '/')).toBe(hash(1))
	})

	test('a source that fails halfway keeps the last good list, and the failure is reported', async () => {
		let fails = false
		const list = await refreshed(
			fileList(async function* () {
				yield hash(1)
				if (fails) throw new Error('The service went away.')
				yield hash(2)
			})
		)
		const good = await text(list.port, '/')
		fails = true
		const status = await list.refresh()
		expect(await text(list.port, '/')).toBe(good)
		expect(status.problem).toBe('The list was not rebuilt: the file list g could not be read whole. The service went away.')
		expect(status.entries).toBe(2)
		await list.refresh()
		expect(list.troubles).toHaveLength(1)
		fails = false
		expect((await list.refresh()).problem).toBeNull()
		fails = true
		await list.refresh()
		expect(list.troubles).toHaveLength(2)
	})

	test('a list that would be empty is not published, unless that is allowed', async () => {
		let count = 1
		const values = () => hashes(count)()
		const list = await refreshed(fileList(values, {shrinkGuardPercent: 100}))
		count = 0
		expect((await list.refresh()).problem).toContain('it would be empty')
		expect(await text(list.port, '/')).toBe(hash(0))
		list.reload(fileList(values, {shrinkGuardPercent: 100, allowEmpty: true}).definition)
		await until('the empty list', () => list.status().entries === 0)
		expect(await text(list.port, '/')).toBe('# Empty List')
	})

	test('a list that shrinks too much is held back until it is let through', async () => {
		let count = 10
		const list = await refreshed(fileList(() => hashes(count)()))
		count = 5
		expect((await list.refresh()).heldBack).toBeNull()
		count = 2
		expect((await list.refresh()).heldBack).toMatchObject({entries: 2, lost: 3})
		expect(list.status()).toMatchObject({entries: 5, problem: expect.stringContaining('lose 3 of 5')})
		await list.refresh()
		expect(list.troubles).toHaveLength(1)
		expect((await text(list.port, '/')).split('\n')).toHaveLength(5)
		expect(await list.publish()).toMatchObject({entries: 2, heldBack: null, problem: null})
		expect((await text(list.port, '/')).split('\n')).toHaveLength(2)
	})

	test('a held list is forgotten when the next one is whole again', async () => {
		let count = 10
		const list = await refreshed(fileList(() => hashes(count)()))
		count = 1
		await list.refresh()
		count = 10
		expect((await list.refresh()).heldBack).toBeNull()
		expect(await list.publish()).toMatchObject({entries: 10})
		await until('one build is left', () => builds().length === 1)
	})

	test('the last good list and the held one survive a restart', async () => {
		let count = 4
		const options = fileList(() => hashes(count)())
		const first = await refreshed(options)
		const good = await text(first.port, '/')
		count = 1
		await first.refresh()
		await first.stop()
		const second = await start({
			...options,
			// eslint-disable-next-line require-yield -- it never comes so far
			fetchFileList: async function* () {
				throw new Error('Still away.')
			}
		})
		expect(await text(second.port, '/')).toBe(good)
		expect(second.status()).toMatchObject({entries: 4, heldBack: {entries: 1, lost: 3}})
		expect((await second.publish()).entries).toBe(1)
	})

	test('a record whose files are not whole counts for nothing', async () => {
		const first = await built('192.0.2.1')
		await first.stop()
		const [name = ''] = builds()
		writeFileSync(join(folder, 'list', name, 'text'), '')
		const second = await start({definition: definition('')})
		expect(await statusOf(second.port, '/')).toBe(503)
	})

	test('a list of another type is not served in its place', async () => {
		const list = await built('192.0.2.1')
		list.reload(definition('not a url at all', {type: 'url'}))
		expect(await statusOf(list.port, '/')).toBe(503)
		list.reload(definition('bad.com/x', {type: 'url'}))
		await until('the new list', () => list.status().entries === 1)
		expect(await text(list.port, '/panos/url')).toBe('bad.com/x')
	})

	test('an unreadable or missing file is named', async () => {
		const ofFile = (path: string) => listOf({kind: 'file', path})
		const missing = await start({definition: ofFile(join(folder, 'missing'))})
		expect((await missing.refresh()).problem).toContain(`the file ${join(folder, 'missing')} could not be read whole`)
		missing.reload(ofFile(folder))
		await until('the other problem', () => missing.status().problem?.includes(`${folder} is not a file`))
	})
})

describe('refresh', () => {
	test('happens after its interval, and sooner after a failure', async () => {
		const time = testClock()
		const path = join(folder, 'source')
		const list = await start({definition: listOf({kind: 'file', path}, {refreshS: 600}), clock: time})
		await until('the failure', () => list.status().problem)
		writeFileSync(path, '192.0.2.1\n')
		await until('the pause', () => time.pending().includes(60_000))
		await time.advance(60_000)
		await until('the list', () => list.status().entries === 1)
		writeFileSync(path, '192.0.2.1\n192.0.2.2\n')
		await until('the longer pause', () => time.pending().includes(600_000))
		await time.advance(600_000)
		await until('the longer list', () => list.status().entries === 2)
		expect(await text(list.port, '/log')).toContain('Added | 192.0.2.2 |  | was not in the list before')
	})

	test('the same values keep tag and time, so that clients do not fetch them again', async () => {
		const time = testClock()
		const list = await start({definition: definition('192.0.2.1'), clock: time})
		await list.refresh()
		const before = await get(list.port, '/')
		await time.advance(100_000)
		await list.refresh()
		const after = await get(list.port, '/')
		expect(after.headers['etag']).toBe(before.headers['etag'])
		expect(after.headers['last-modified']).toBe(before.headers['last-modified'])
		expect(after.headers['x-edl-created']).toBe('2026-01-01T00:01:40.000Z')
	})

	test('a list that is fresh is not built again by a restart', async () => {
		const first = await built('192.0.2.1')
		await first.stop()
		const time = testClock()
		const second = await start({definition: definition('192.0.2.1'), clock: time})
		await until('the rest of the interval', () => time.pending().includes(300_000))
		expect(await text(second.port, '/')).toBe('192.0.2.1')
	})

	test('a reader finishes the list it began, whatever is published meanwhile', async () => {
		const many = Array.from({length: 60_000}, (_, index) => `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`)
		const list = await built(many.join('\n'))
		const before = await text(list.port, '/?s=1')
		const slow = new Promise<string>((resolve, reject) => {
			const sent = request({port: list.port, host: '127.0.0.1', path: '/?s=1'}, response => {
				response.once('readable', () => {
					list.reload(definition('192.0.2.1', {shrinkGuardPercent: 100}))
					void until('the short list', () => list.status().entries === 1).then(() => {
						let body = ''
						response.on('data', (chunk: Buffer) => (body += chunk.toString()))
						response.on('end', () => resolve(body))
					})
				})
			})
			sent.on('error', reject)
			sent.end()
		})
		expect(await slow).toBe(before)
		await until('the old files are gone', () => builds().length === 1)
	})
})

test.runIf(process.platform === 'linux').each(['/json', '/json?s=1', '/json?s=1&gzip'])(
	'a client that leaves %s half-way leaves no open file',
	async path => {
		const line = (index: number) => `11.${index >> 16}.${(index >> 8) & 255}.${index & 255}`
		const {port} = await built(Array.from({length: 250_000}, (_, index) => line(index)).join('\n'))
		const coding = path.endsWith('gzip') ? {'Accept-Encoding': 'gzip'} : {}
		for (let round = 0; round < 5; round += 1) {
			await new Promise<void>(resolve => {
				const target = path.replace('&gzip', '')
				const sent = request({port, host: '127.0.0.1', path: target, headers: coding, agent: false}, response => {
					response.once('data', () => sent.destroy())
					response.once('close', resolve)
				})
				sent.on('error', () => {})
				sent.end()
			})
		}
		await expectClosed()
	}
)

async function expectClosed() {
	const openFiles = () => readdirSync('/proc/self/fd').flatMap(opened).length
	expect(await until('all files are closed', () => openFiles() === 0)).toBe(true)
}

/** Paths in the list's folder opened by a descriptor of this process. */
function opened(descriptor: string) {
	try {
		const target = readlinkSync(`/proc/self/fd/${descriptor}`)
		return target.startsWith(folder) ? [target] : []
	} catch {
		return []
	}
}

test('a port in use is reported as such', async () => {
	const {port} = await built('192.0.2.1')
	await expect(
		start({definition: definition('192.0.2.1'), instance: {id: '2', name: 'other'}, folder: join(folder, 'other'), port})
	).rejects.toMatchObject({code: 'taken'})
})
