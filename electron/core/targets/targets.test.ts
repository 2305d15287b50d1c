/** Against real receivers: a file, an HTTP server, and Debian's rsyslog with TLS. */
import {createServer, type IncomingMessage, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {open} from 'node:fs/promises'
import {appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {setImmediate, setTimeout as pause} from 'node:timers/promises'
import {createServer as createTlsServer, type TLSSocket} from 'node:tls'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'

import type {ServiceEvent} from '#model/event.ts'
import type {TargetInput} from '#model/target.ts'

import {isInner} from '#base/outbound.ts'
import {systemClock as clock} from '#base/system.ts'
import {testFolder} from '#base/testing/folder.ts'
import {openPort} from '#base/testing/port.ts'
import {makeAuthority} from '#core/service/api/testing/certificates.ts'
import {tryLockFile} from '#core/store/lock-file.ts'
import {until} from '#base/testing/until.ts'
import {openFileTarget} from './file.ts'
import {frameOf, openSyslog} from './syslog.ts'
import {rsyslogMissing, startRsyslog} from './testing/rsyslog.ts'
import {eventually, makeTargetWorld, type TargetWorld} from './testing/world.ts'
import {webhookSignature} from './webhook.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const many = 10_000
const sample = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
let world: TargetWorld
beforeEach(async () => {
	vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
	world = await makeTargetWorld()
})
afterEach(async () => {
	vi.unstubAllEnvs()
	await Promise.all(receivers.splice(0).map(closed))
	await world.stop()
})

const never = new AbortController().signal
const ofLog = {source: 'log', generation: ''} as const
const logOnly = {log: {text: ''}, format: 'as_is'} as const

function numbers(messages: readonly string[]) {
	return messages.flatMap(message => /"message":"n(\d+)"/.exec(message)?.[1] ?? []).map(Number)
}

/** First occurrence of each number. */
function firsts(all: readonly number[]) {
	return [...new Set(all)]
}

const upTo = (count: number): readonly number[] => Array.from({length: count}, (_, place) => place)

async function add(definition: TargetInput, more: object = {}) {
	const saved = await world.targets().save({definition, ...more})
	await world.targets().sendAll()
	return saved
}

const hook = (url: string) => add({name: 'hook', to: {kind: 'webhook', url}, ...logOnly})
const file = (path: string, more: object = {}) => add({name: 'file', to: {kind: 'file', path, ...more}, ...logOnly})
const nowhere = {kind: 'file', path: '/tmp/never'} as const
const first = async () => (await world.targets().list())[0]
const isOpen = () => eventually('it is open', async () => (await first())?.state.phase === 'live')
const waits = () => eventually('it is told', async () => (await first())?.state.phase === 'waiting')
const problemTells = (what: string) => eventually('it says why', async () => (await first())?.state.problem?.includes(what) === true)
const backlog = async () => (await world.targets().list()).reduce((sum, row) => sum + row.backlog, 0)

const drained = (): Promise<unknown> => eventually('everything is confirmed', async () => (await backlog()) === 0)

function event(number: number, at: number, change: object = {}): ServiceEvent {
	const id = 6_839_681_950_832_132_113n + BigInt(number)
	return {id, timestamp: at, event_type: 'Scan Started', event_type_id: 554_696_714, ...change}
}

describe('a file', () => {
	test('gets what is stored, as it was stored, and is rotated', async () => {
		const folder = testFolder()
		await file(join(folder, 'out'), {rotateBytes: 65_536, keep: 100})
		await world.notes(0, 1000)
		await drained()
		await world.targets().stop()
		const files = readdirSync(folder)
		const order = files.toSorted((one, other) => Number(other.split('.')[1] ?? 0) - Number(one.split('.')[1] ?? 0))
		const lines = order.flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n'))
		expect(numbers(lines)).toEqual(upTo(1000))
		expect(files.length).toBeGreaterThan(1)
	})

	test('that cannot be renamed gets each entry once, and says why', async () => {
		const path = join(testFolder(), 'stays.jsonl')
		mkdirSync(`${path}.1/full`, {recursive: true})
		await file(path, {rotateBytes: 65_536, keep: 1})
		await world.notes(0, 300)
		await drained()
		expect(written(path)).toEqual(upTo(300))
		await problemTells(`${path}.1`)
	})

	test('goes on once the disk of the profile has room again', async () => {
		const path = join(testFolder(), 'out')
		await file(path)
		await isOpen()
		world.profile.database.exec('PRAGMA query_only = ON')
		await world.notes(0, 1)
		await eventually('it is told', () => world.told.some(text => text.includes('could not be written down')))
		world.profile.database.exec('PRAGMA query_only = OFF')
		await drained()
		expect(firsts(written(path))).toEqual([0])
	})

	test('that waits takes no more memory with every look', async () => {
		await file(join(testFolder(), 'out'))
		const used = async (looks: number) => {
			for (let look = 0; look < looks; look += 1) {
				world.targets().wake()
				await world.profile.log.newest()
				await setImmediate()
			}
			// What is over tells others so after a turn.
			for (let round = 0; round < 5; round += 1) {
				collect()
				await setImmediate()
			}
			return process.memoryUsage().heapUsed
		}
		const before = await used(2000)
		expect((await used(12_000)) - before).toBeLessThan(1_500_000)
	})

	test('a test during a large batch waits for its end', async () => {
		const path = join(testFolder(), 'out')
		await world.notes(0, 200, {text: 'x'.repeat(5000)})
		await add({name: 'file', to: {kind: 'file', path}, ...logOnly}, {fromBeginning: true})
		await until('its first bytes', () => existsSync(path) && statSync(path).size > 0, Infinity)
		await world.targets().test('file', never)
		await drained()
		const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
		expect(lines.flatMap(line => /n(\d+)/.exec(JSON.parse(line).message)?.[1] ?? []).map(Number)).toEqual(upTo(200))
		expect(lines.filter(line => line.includes('"test":true'))).toHaveLength(1)
	})

	test.each([
		['{"theirs":1}', '{"theirs":1}\n'],
		['text', 'text\n'],
		['{"a":1}\n{"b', '{"a":1}\n']
	])('that ends in %j keeps all but half an object of its own', async (before, after) => {
		const path = join(testFolder(), 'there')
		writeFileSync(path, before)
		await file(path)
		await isOpen()
		expect(readFileSync(path, 'utf8')).toBe(after)
	})

	test('events go by the filter of Events, in the order in which they came, whenever they happened', async () => {
		const path = join(testFolder(), 'events')
		const now = Math.floor(Date.now() / 1000)
		await world.store.receive([event(1, now - 10)])
		const events = {connection: world.connection, filter: 'severity:high'}
		await add({name: 'file', to: {kind: 'file', path}, events})
		await world.store.receive([event(2, now - 10, {severity: 'High', detection: 'W32.Auto'})])
		await world.store.receive([event(3, now - 5000, {severity: 'High'}), event(4, now)])
		await world.restart()
		await drained()
		const found = readFileSync(path, 'utf8').trim().split('\n')
		expect(found.map(line => /"unmapped":\{"id":(\d+)/.exec(line)?.[1])).toEqual(['6839681950832132115', '6839681950832132116'])
		expect(JSON.parse(found[0] ?? '')).toMatchObject({
			...{class_uid: 2004, type_uid: 200_401, severity_id: 4, time: (now - 10) * 1000},
			metadata: {version: '1.8.0'},
			finding_info: {title: 'W32.Auto'}
		})
	})

	test('leaves others their turns while nothing of a long backlog is for it', async () => {
		const {connection, store} = world
		await store.receive(upTo(4000).map(number => event(number, 1000 + number)))
		const events = {connection, filter: 'severity:critical'}
		await world.targets().save({definition: {name: 'file', to: {kind: 'file', path: join(testFolder(), 'out')}, events}, fromBeginning: true})
		const turns: number[] = []
		const sending = world.targets().sendAll()
		while ((await backlog()) > 0) {
			turns.push(await backlog())
			await setImmediate()
		}
		await sending
		expect(new Set(turns).size).toBeGreaterThan(10)
	})

	test('gets the log beside a backlog of events, and when their connection is gone', async () => {
		const path = join(testFolder(), 'both')
		const {connection, profile, store} = world
		await store.receive(upTo(500).map(number => event(number, 1000 + number)))
		await world.notes(0, 1)
		await add({name: 'both', to: {kind: 'file', path}, events: {connection}, ...logOnly}, {fromBeginning: true})
		await drained()
		const lines = () => readFileSync(path, 'utf8').split('\n')
		expect(lines().findIndex(line => line.includes('"n0"'))).toBeLessThan(250)
		await profile.connections.remove(connection)
		await world.notes(1, 1)
		await eventually('it arrives', () => numbers(lines()).includes(1))
		expect(world.told).toEqual([])
	})

	test('is off while no running process sends to it, whatever the last one said', async () => {
		const {target} = await world.targets().save({definition: {name: 'file', to: nowhere, ...logOnly}})
		world.profile.database.run(`UPDATE target SET state = '{"phase":"live"}'`)
		expect((await first())?.state.phase).toBe('off')
		tryLockFile(join(world.folder, `target-${target.id}.lock`))
		expect((await first())?.state.phase).toBe('live')
	})

	test('is tested beside another process without a cut in what it writes', async () => {
		const path = join(testFolder(), 'shared')
		const {target} = await world.targets().save({definition: {name: 'file', to: {kind: 'file', path}, enabled: false, ...logOnly}})
		writeFileSync(path, '{"half')
		tryLockFile(join(world.folder, `target-${target.id}.lock`))
		await world.targets().test('file', never)
		expect(readFileSync(path, 'utf8')).toMatch(/^{"half{"test":true.*}\n$/)
	})

	/** Meanwhile another does something to the file. */
	async function sent(path: string, host: object, meanwhile: () => void) {
		const session = await openFileTarget({kind: 'file', path, rotateBytes: 1, keep: 1}, host as never)
		await using handle = await open(path, 'a')
		vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'datasync').mockImplementationOnce(async () => meanwhile())
		await session.send({...ofLog, items: [{body: '1'} as never], upTo: 1})
	}

	test.each(['', '{"other":1}\n'])('on a full disk has no part of a batch but where %j of others is behind', async other => {
		const path = join(testFolder(), 'shared')
		const fill = () => (appendFileSync(path, other), expect.fail('full'))
		await expect(sent(path, {isWritten: true}, fill)).rejects.toThrow('full')
		expect(readFileSync(path, 'utf8')).toBe(other && `1\n${other}`)
	})

	test.each(['moved', 'rotating'])('that another profile has %s keeps what it moved', async how => {
		const path = join(testFolder(), 'shared')
		await sent(path, {delivered() {}}, () => {
			if (how === 'moved') renameSync(path, `${path}.1`)
			writeFileSync(how === 'moved' ? path : `${path}.${how}`, 'other')
		})
		expect(readFileSync(how === 'moved' ? `${path}.1` : path, 'utf8')).toBe('1\n')
	})

	test('cuts no line that another profile is writing', async () => {
		const path = join(testFolder(), 'shared')
		writeFileSync(path, '{"a":')
		await file(path)
		await pause(100)
		appendFileSync(path, '1}\n')
		await isOpen()
		expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n')
	})

	test('of another connection begins with later events', async () => {
		await world.store.receive([event(1, 1000)])
		const from = (connection: string) => ({name: 'file', to: nowhere, enabled: false, events: {connection, filter: ''}})
		const {target} = await world.targets().save({definition: from('one'), fromBeginning: true})
		expect(await backlog()).toBe(1)
		await world.targets().save({id: target.id, definition: from('one')})
		expect(await backlog()).toBe(1)
		await world.targets().save({id: target.id, definition: from('two')})
		expect(await backlog()).toBe(0)
	})

	test('errors are reported before anything is stored', async () => {
		const refused = async (definition: unknown, reason: string): Promise<void> =>
			expect(world.targets().save({definition: definition as TargetInput})).rejects.toThrow(reason)
		const all = {name: 'file', to: nowhere}
		await refused({...all, log: null}, 'sends nothing')
		await refused({...all, to: {kind: 'file', path: 'here'}, log: {}}, 'not absolute')
		await refused({...all, to: {kind: 'file', path: join(world.folder, 'x')}, log: {}}, 'folder of')
		await refused({...all, events: {connection: world.connection, filter: 'severity:'}}, 'filter')
		await refused({...all, to: {kind: 'webhook', url: 'http://example.com/'}, log: {}}, 'https://')
		expect(await world.targets().list()).toEqual([])
		await world.targets().save({definition: {...all, log: {}}})
		await refused({...all, name: 'FILE', log: {}}, 'already')
		const {entries} = await world.profile.log.query({kinds: ['forwarding.changed'], limit: 10})
		expect(entries.map(({message}) => message)).toEqual(['Added the target file.'])
		await world.targets().save({definition: {...all, name: 'pipe', to: {kind: 'file', path: '/dev/null'}, log: {}}})
		await expect(world.targets().test('pipe', never)).rejects.toThrow('not a regular file')
	})
})

interface Receiver {
	server: Server
	url: string
	got: {headers: IncomingMessage['headers']; body: string}[]
	/** Resolves when this many were received, without a time limit. */
	reached(count: number): Promise<void>
}

const receivers: Receiver[] = []

type Answering = (body: string) => number

async function receiver(answer: Answering, words = '', port = 0, got: Receiver['got'] = []): Promise<Receiver> {
	const waiting: {count: number; go: () => void}[] = []
	const server = createServer((request, response) => {
		void text(request).then(body => {
			const status = answer(body)
			if (status === 200) got.push({headers: request.headers, body})
			for (const {count, go} of waiting) if (got.length >= count) go()
			response.writeHead(status, status === 302 ? {location: 'http://127.0.0.1:9/'} : {}).end(words)
		})
	})
	await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
	// A TCP server that listens has an address with a port.
	const reached = (count: number): Promise<void> => new Promise(go => (got.length >= count ? go() : waiting.push({count, go})))
	const made = {server, got, reached, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`}
	receivers.push(made)
	return made
}

const heard = ({got}: Receiver) => numbers(got.map(({body}) => body))
const written = (path: string) => numbers(readFileSync(path, 'utf8').split('\n'))

async function closed({server}: Receiver) {
	const done = new Promise(resolve => server.close(resolve))
	server.closeAllConnections()
	await done
}

function signedBy(secret: string | null, {headers, body}: Receiver['got'][number]) {
	const [id, time] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])]
	expect(headers['webhook-signature']).toBe(webhookSignature(secret ?? '', id, time, body))
	return id
}

describe('a webhook', () => {
	test('10,000 entries reach a receiver that is killed again and again: none lost, order kept', async () => {
		let at = await receiver(() => 200)
		const {port} = new URL(at.url)
		await hook(at.url)
		await world.notes(0, many)
		for (const share of [0.1, 0.2, 0.3]) {
			await at.reached(many * share)
			await closed(at)
			await waits()
			expect(await backlog()).toBeGreaterThan(0)
			at = await receiver(() => 200, '', Number(port), at.got)
			await world.restart()
		}
		await at.reached(many)
		expect(firsts(heard(at))).toEqual(upTo(many))
		await drained()
	})

	test('is live again once it takes entries, and each outage is told', async () => {
		let status = 503
		const phases: string[] = []
		const at = await receiver(() => {
			phases.push(...world.profile.database.all<{phase: string}>("SELECT state ->> 'phase' AS phase FROM target").map(one => one.phase))
			return status
		})
		await hook(at.url)
		for (const number of [0, 1]) {
			status = 503
			await world.notes(number, 1)
			await waits()
			status = 200
			await drained()
			expect((await first())?.state).toMatchObject({phase: 'live', problem: null})
		}
		expect(phases).toEqual(['live', 'connecting', 'live', 'connecting'])
		expect(world.told).toHaveLength(2)
	})

	test('is live again, too, once it refuses an entry for good', async () => {
		let status = 503
		await hook((await receiver(() => status)).url)
		await Promise.all([world.notes(0, 1), waits()])
		status = 422
		await isOpen()
		expect((await first())?.state).toMatchObject({problem: null, refused: 1})
	})

	test('is tried again when it says so, and after an hour where it wants no more', async () => {
		let status = 503
		const at = await receiver(() => status)
		const tenMinutesOn = () => new Date(Date.now() + 600_000).toUTCString()
		at.server.prependListener('request', (_request, response) => response.setHeader('retry-after', status === 429 ? tenMinutesOn() : '900'))
		await hook(at.url)
		await world.notes(0, 1)
		for (const [answer, ms] of Object.entries({429: 500_000, 503: 800_000, 410: 3_500_000})) {
			status = Number(answer)
			await world.restart()
			await problemTells(answer)
			expect(Date.parse((await first())?.state.nextTryAt ?? '') - Date.now()).toBeGreaterThan(ms)
		}
	})

	test('an approval that waits is a signed notice', async () => {
		const at = await receiver(() => 200)
		const {secret} = await hook(at.url)
		const asked = {kind: 'step', title: 'Drill: Ask', details: [], content: {}, surface: 'playbook'} as const
		const {id: approval} = world.profile.approvals.propose({...asked, connection: world.connection})
		world.targets().wake()
		const notice = () => at.got.find(({body}) => body.includes('Approval requested'))
		await eventually('it arrives', async () => notice() !== undefined)
		const {headers = {}, body = ''} = notice() ?? {}
		signedBy(secret, {headers, body})
		expect(JSON.parse(body)).toMatchObject({data: {message: expect.stringContaining(': Drill: Ask.'), data: {approval}}})
	})

	test('each is signed, and what is refused for good is set aside by name while the rest goes on', async () => {
		const at = await receiver(body => (body.includes('"message":"n1"') ? 422 : 200))
		const {secret} = await hook(at.url)
		await world.notes(0, 3)
		await drained()
		expect(heard(at)).toEqual([0, 2])
		for (const {headers, body} of at.got) {
			const id = signedBy(secret, {headers, body})
			expect(JSON.parse(body)).toMatchObject({specversion: '1.0', id, source: 'urn:cordon:log'})
		}
		const [refused] = world.targets().refused('hook', 10)
		expect(refused?.reason).toContain('422')
		expect(numbers([refused?.body ?? ''])).toEqual([1])
		expect(world.told.join()).toContain(`refused the entry ${refused?.id}`)
		expect((await first())?.state).toMatchObject({refused: 1})
		await world.restart()
		await world.notes(1, 1)
		await drained()
		expect(world.told).toHaveLength(2)
	})

	test('that closes a kept connection at its next use is not said to be away', async () => {
		const at = await receiver(() => 200)
		const used = new Set<unknown>()
		at.server.on('request', request =>
			request.on('end', () => void (used.has(request.socket) ? request.socket.resetAndDestroy() : used.add(request.socket)))
		)
		await hook(at.url)
		await world.notes(0, 1)
		await drained()
		await world.notes(1, 1)
		await drained()
		expect(firsts(heard(at))).toEqual([0, 1])
		expect(world.told).toEqual([])
	})

	test('what a receiver says with its refusal is shown on one line', async () => {
		const at = await receiver(() => 401, `<title>Wrong\r\nkey</title>\u202e ${sample}${'x'.repeat(5000)}`)
		await add({name: 'hook', to: {kind: 'webhook', url: at.url}, ...logOnly}, {secret: sample})
		await world.notes(0, 1)
		await waits()
		const {problem} = (await first())?.state ?? {}
		expect(problem).toMatch(/^The receiver answered 401\. It said: “Wrong key ‹U\+202E› (?!whsec).{1,300}”\.$/)
		await expect(world.targets().test('hook', never)).rejects.toThrow(problem)
		expect(world.told.join()).toContain(problem)
	})

	test('whose secret is lost is disabled all the same, and enabled again makes none that nobody sees', async () => {
		await hook((await receiver(() => 200)).url)
		const read = vi.spyOn(world.secrets, 'read').mockRejectedValue(new Error())
		expect(await world.targets().setEnabled('hook', false)).toMatchObject({definition: {enabled: false}})
		read.mockResolvedValue(undefined)
		await world.targets().setEnabled('hook', true)
		await world.notes(0, 1)
		await waits()
		expect((await first())?.state.problem).toContain('give it a new one')
	})

	test('has taken an entry with its status, however its answer goes on', async () => {
		const at = await receiver(() => 200, 'x'.repeat(5000))
		at.server.prependListener('request', (_request, response) => void Object.assign(response, {end: (words: string) => response.write(words)}))
		await hook(at.url)
		await world.notes(0, 2)
		await drained()
		expect(heard(at)).toEqual([0, 1])
	})

	test('a redirect is not followed, and nothing behind it is lost', async () => {
		let status = 302
		const at = await receiver(() => status)
		await hook(at.url)
		await world.notes(0, 2)
		await problemTells('redirects are not')
		status = 200
		await world.restart()
		await drained()
		expect(heard(at)).toEqual([0, 1])
	})

	test('the address and, whatever the environment says, the certificate are checked on connection', async () => {
		const {id} = (await hook('https://localhost:9/')).target
		await expect(world.targets().test('hook', never)).rejects.toThrow('private address')
		const url = `https://localhost:${await openPort(createTlsServer(await (await makeAuthority()).issue('localhost')).unref())}`
		await add({name: 'hook', to: {kind: 'webhook', url, private: true}, ...logOnly}, {id})
		await expect(world.targets().test('hook', never)).rejects.toThrow('certificate')
		expect(['10.1.2.3', '127.0.0.1', '169.254.169.254', '::1', 'fe80::1', '::ffff:10.0.0.1'].every(isInner)).toBe(true)
		expect(['192.0.2.1', '8.8.8.8', '2001:db8::1', '::ffff:8.8.8.8'].some(isInner)).toBe(false)
	})

	test('the example of the standard', () => {
		const signed = webhookSignature(sample, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')
		expect(signed).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
	})
})

const missing = rsyslogMissing()
if (missing !== null) process.stderr.write(`SKIPPED: syslog over TLS. ${missing}.\n`)

describe.skipIf(missing !== null)('syslog', () => {
	test('10,000 entries reach an rsyslog that is killed again and again: none lost, order kept', async () => {
		const rsyslog = await startRsyslog()
		const to = {kind: 'syslog', host: 'localhost', port: rsyslog.port, ca: rsyslog.ca, private: true} as const
		await add({name: 'siem', to, ...logOnly})
		expect((await world.targets().test('siem', never)).ms).toBeGreaterThanOrEqual(0)
		for (let part = 0; part < 4; part += 1) {
			await world.notes((part * many) / 4, many / 4)
			await eventually('some of it is there', () => numbers(rsyslog.lines()).length > (part * many) / 4 + 100)
			await rsyslog.kill()
			await waits()
			await rsyslog.start()
			await world.restart()
		}
		await drained()
		expect(firsts(numbers(rsyslog.lines()))).toEqual(upTo(many))
		expect(rsyslog.lines().at(-1)).toMatch(/^\[cordon@32473 id="[0-9A-Z]{26}" source="log" seq="\d+"\] ?\{"seq"/)
		await rsyslog.stop()
	})

	test('a message too long for a receiver is set aside, and an untrusted certificate is refused', async () => {
		const rsyslog = await startRsyslog()
		const to = {kind: 'syslog', host: 'localhost', port: rsyslog.port, private: true, mostBytes: 600} as const
		await add({name: 'siem', to, ...logOnly})
		await expect(world.targets().test('siem', never)).rejects.toThrow('certificate')
		await add({name: 'siem', to: {...to, ca: rsyslog.ca}, ...logOnly}, {id: (await first())?.id})
		await world.profile.log.append({kind: 'note', surface: 'cli', message: 'x'.repeat(600)})
		await world.notes(0, 1)
		await drained()
		expect(world.targets().refused('siem', 9)).toMatchObject([{reason: 'It is longer than 600 bytes.'}])
		expect(numbers(rsyslog.lines())).toEqual([0])
		await rsyslog.stop()
	})
})

test('whose authority expired since it was saved can still be renamed and switched on', async () => {
	const {cert: ca} = await makeAuthority()
	const saved = {name: 'siem', to: {kind: 'syslog', host: 'localhost', port: 6514, ca}, enabled: false, ...logOnly} as const
	const {target} = await add(saved)
	const later = clock.now() + 3 * 86_400_000
	const ahead = vi.spyOn(clock, 'now').mockReturnValue(later)
	onTestFinished(() => ahead.mockRestore())
	await add({...saved, name: 'renamed'}, {id: target.id})
	expect((await world.targets().setEnabled('renamed', true)).definition.enabled).toBe(true)
	await expect(add({...saved, name: 'other'})).rejects.toThrow('no longer valid')
})

test.each([
	['asks for a certificate', {requestCert: true, rejectUnauthorized: true}, () => undefined],
	['closes what it accepted', {}, (socket: TLSSocket) => socket.end()]
])('a test fails at a syslog receiver that %s', async (_what, options, accepted) => {
	const authority = await makeAuthority()
	const server = createTlsServer({...(await authority.issue('localhost')), ca: authority.cert, ...options}, socket => {
		accepted(socket.on('error', () => undefined).resume())
	})
	const port = await openPort(server)
	await add({name: 'siem', to: {kind: 'syslog', host: 'localhost', port, ca: authority.cert, private: true}, ...logOnly})
	await expect(world.targets().test('siem', never)).rejects.toThrow('The test of siem failed.')
	server.close()
})

test('a syslog receiver may close an idle connection, and one that does not read is told', async () => {
	const authority = await makeAuthority()
	const sockets: TLSSocket[] = []
	const issued = await authority.issue('localhost')
	const server = createTlsServer(issued, socket => void sockets.push(socket.on('error', () => undefined)))
	const port = await openPort(server)
	const failed: Error[] = []
	const host = {clock, signal: never, secret: undefined, delivered: () => undefined, refuse: expect.unreachable}
	const session = await openSyslog(
		{kind: 'syslog', host: 'localhost', port, ca: authority.cert, private: true, mostBytes: 2_000_000},
		{...host, fail: error => void failed.push(error)},
		{longestMs: 90_000, settleMs: 0, patienceMs: 500}
	)
	await eventually('one is open', () => sockets.length === 1)
	sockets[0]?.end()
	await eventually('another is open', () => sockets.length === 2)
	expect(failed).toEqual([])
	const item = {position: 1, id: 'a', kind: 'note', at: '', severity: 0, body: 'x'.repeat(1_000_000)}
	await expect(session.send({...ofLog, items: upTo(30).map(() => item), upTo: 1})).rejects.toThrow('does not read')
	await session.close()
	for (const socket of sockets) socket.destroy()
	server.close()
})

test('a message of syslog has its length, its severity and its id', () => {
	const item = {position: 7, id: 'a"b', kind: 'event', at: '2026-01-01T00:00:00.000Z', severity: 4, body: '{"é":1}'}
	const [, length, text = ''] = /^(\d+) (.*)$/.exec(String(frameOf(item, 'events', 8192))) ?? []
	expect(Number(length)).toBe(Buffer.byteLength(text))
	expect(text).toMatch(/^<130>1 2026-01-01T00:00:00.000Z \S+ cordon - event \[cordon@32473 id="a\\"b" source="events" seq="7"\] \{"é":1\}$/)
	expect(existsSync('/tmp/never')).toBe(false)
})
