import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {request} from 'node:https'
import {join} from 'node:path'

import {instanceDefinitionSchema, type InstanceInput} from '#model/instance.ts'

import {defaultLimits} from '../forwarder/limits.ts'
import {testCredentials} from '../forwarder/tls/testing/credentials.ts'
import type {RequestRecord} from '../forwarder/record-types.ts'
import type {AccessRule} from '../forwarder/types.ts'
import {freePort} from '#base/testing/port.ts'
import {testFolder} from '#base/testing/folder.ts'
import {identityOf} from '#core/store/process-identity.ts'
import {systemClock, systemRandom} from '#base/system.ts'
import {until} from '#base/testing/until.ts'
import type {FileInstance, FileListen} from './config-file/types.ts'
import {runForwarding, type AloneOptions, type ForwardingAlone} from './run-alone.ts'
import {testProgram} from './testing/definitions.ts'
import {upstream} from './testing/upstream.ts'

let folder: string
let alone: ForwardingAlone | undefined
let records: RequestRecord[]
let healths: string[]

beforeEach(() => {
	folder = testFolder()
	records = []
	healths = []
})

afterEach(async () => {
	await alone?.stop(0)
	alone = undefined
})

function instance(input: InstanceInput & {listenPort: number}, access: AccessRule = {kind: 'none'}): FileInstance {
	return {definition: {...instanceDefinitionSchema.parse(input), listenPort: input.listenPort}, access}
}

function fileOf(instances: FileInstance[], listen: Partial<FileListen> = {}): AloneOptions['file'] {
	return {
		parameters: {'instance.execute.external': 'true'},
		instances,
		listen: {
			host: null,
			port: 0,
			lan: false,
			hostnames: [],
			trustedProxies: [],
			credentials: null,
			certificate: null,
			metricsPort: 0,
			limits: defaultLimits,
			log: 'none',
			...listen
		}
	}
}

async function run(file: AloneOptions['file'], more: Partial<AloneOptions> = {}) {
	alone = await runForwarding({
		file,
		folder,
		clock: systemClock,
		random: systemRandom,
		environment: {},
		fetchFileList: () => expect.fail('no service is asked'),
		onRequest: record => void records.push(record),
		onHealth: (name, {state}) => void healths.push(`${name} ${state}`),
		onTrouble: (message, error) => expect.fail(`${message} ${String(error)}`),
		...more
	})
	return alone
}

function call(name: string, port: number, ca: string) {
	return new Promise((resolve, reject) => {
		const asked = request({host: '127.0.0.1', port, path: `/instance/execute/${name}`, ca, agent: false}, response => {
			let body = ''
			response.on('data', chunk => (body += String(chunk)))
			response.on('end', () => resolve(`${response.statusCode ?? 0} ${body}`))
		})
		asked.on('error', reject)
		asked.end()
	})
}

function authority({authorityPath}: ForwardingAlone) {
	return readFileSync(authorityPath ?? '', 'utf8')
}

describe('the forwarding server alone', () => {
	test('serves what its file says with a certificate of its own authority', async () => {
		const made = await run(fileOf([instance({name: 'edl', listenPort: await upstream()})]))
		expect(made).toMatchObject({listen: {host: '127.0.0.1'}, problem: null})
		expect(await call('edl', made.listen.port, authority(made))).toBe('200 hello')
		await until('the record', () => records.length === 1)
		expect(made.counters().requests.total).toBe(1)
		await until('health', () => made.health('edl')?.state === 'healthy')
	})

	test('ends what a server left behind that was killed, before it starts its own', async () => {
		const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {stdio: 'ignore', detached: true})
		const ended = once(left, 'exit')
		const programs = {edl: identityOf(left.pid ?? 0)}
		mkdirSync(join(folder, 'programs'))
		writeFileSync(join(folder, 'programs', '1.json'), JSON.stringify({owner: {pid: 1, started: 'x'}, programs}))
		const told: string[] = []
		await run(fileOf([]), {onTrouble: message => void told.push(message)})
		expect(told).toEqual([expect.stringContaining(`Process ${left.pid} was left`)])
		await ended
	})

	test('runs managed instances, and ends them with itself', async () => {
		const listenPort = await freePort()
		const program = testProgram()
		const made = await run(fileOf([instance({name: 'own', listenPort, program})]))
		await until('health', () => made.health('own')?.state === 'healthy')
		expect(await call('own', made.listen.port, authority(made))).toMatch(/^200 /)
		await made.stop(100)
		await expect(fetch(`http://127.0.0.1:${listenPort}/`)).rejects.toThrow('fetch failed')
		expect(healths).toEqual(['own starting', 'own healthy', 'own stopped'])
	})

	test('takes another file without dropping its port, and goes elsewhere when that is said', async () => {
		const listenPort = await upstream()
		const made = await run(fileOf([instance({name: 'one', listenPort})]))
		const {port} = made.listen
		const ca = authority(made)
		await made.reload(fileOf([instance({name: 'two', listenPort})]))
		expect(made.listen.port).toBe(port)
		expect(await call('one', port, ca)).toMatch(/^404 /)
		expect(await call('two', port, ca)).toBe('200 hello')
		const other = await freePort()
		await made.reload(fileOf([instance({name: 'two', listenPort})], {port: other}))
		expect(made.listen.port).toBe(other)
		expect(await call('two', other, ca)).toBe('200 hello')
	})

	test('removes the data of a list that its file no longer names, and nothing else', async () => {
		const sources = [{kind: 'text' as const, text: '192.0.2.1'}]
		const program = {kind: 'builtin' as const, builtin: {service: 'list' as const, type: 'ip' as const, sources}}
		const one = instance({name: 'one', listenPort: await freePort(), program})
		const two = instance({name: 'two', listenPort: await freePort(), program})
		mkdirSync(join(folder, 'lists', 'of another server'), {recursive: true})
		const made = await run(fileOf([one, two]))
		const lists = () => readdirSync(join(folder, 'lists')).toSorted()
		const isHealthy = (name: string) => made.health(name)?.state === 'healthy'
		await until('both', () => isHealthy('one') && isHealthy('two'))
		await made.reload(fileOf([one]))
		await until('the end of its data', () => !lists().includes('two'))
		await made.reload(fileOf([]))
		await made.reload(fileOf([one]))
		await until('the one that is back', () => isHealthy('one'))
		expect(lists()).toEqual(['of another server', 'one'])
	})

	test('stays as it was when the new port is taken', async () => {
		const listenPort = await upstream()
		const made = await run(fileOf([instance({name: 'one', listenPort})]))
		const ca = authority(made)
		const {port} = made.listen
		const file = fileOf([instance({name: 'two', listenPort})], {port: listenPort})
		await expect(made.reload(file)).rejects.toMatchObject({code: 'taken'})
		expect(made.listen.port).toBe(port)
		expect(await call('one', made.listen.port, ca)).toBe('200 hello')
	})

	test('shows the certificate that its file names, and tells once that it ends soon', async () => {
		const credentials = await testCredentials()
		const told: string[] = []
		const clock = {...systemClock, now: () => Date.now() + 380 * 86_400_000}
		const file = fileOf([instance({name: 'edl', listenPort: await upstream()})], {credentials})
		const made = await run(file, {clock, onTrouble: message => void told.push(message)})
		expect(made.authorityPath).toBeNull()
		expect(await call('edl', made.listen.port, credentials.authority)).toBe('200 hello')
		await made.reload(file)
		expect(told).toEqual([expect.stringMatching(/^Your certificate ends on [\d-]+: replace it\.$/)])
	})

	test('says so when its port is taken, and leaves nothing behind', async () => {
		const port = await upstream()
		await expect(run(fileOf([], {port}))).rejects.toMatchObject({code: 'taken', message: expect.stringContaining('is held by')})
	})
})
