/** TAXII for clients: behind the forwarding server with its access control, limits and log. */
import {once} from 'node:events'
import {get, type IncomingMessage} from 'node:http'
import {Agent, request} from 'node:https'
import {text} from 'node:stream/consumers'

import {indicatorServiceSchema} from '#model/instance.ts'

import {testFolder} from '#base/testing/folder.ts'
import {testClock, type TestClock} from '#core/service/api/testing/clock.ts'
import {hashToken} from '../../forwarder/access/password.ts'
import type {RequestRecord} from '../../forwarder/record-types.ts'
import {startForwarder} from '../../forwarder/server.ts'
import {configOf, type InstanceWish} from '../../forwarder/testing/heads.ts'
import {testCredentials} from '../../forwarder/tls/testing/credentials.ts'
import type {Forwarder} from '../../forwarder/types.ts'
import {startIndicatorService, type RunningIndicators} from './service.ts'
import {taxiiType} from './taxii.ts'

const token = 'a-token-of-the-platform'
const hash = (number: number) => number.toString(16).padStart(64, '0')

let folder: string
let clock: TestClock
let listed: Iterable<number>
let service: RunningIndicators
let forwarder: Forwarder | undefined
let agent: Agent
let records: RequestRecord[]

beforeEach(async () => {
	folder = testFolder()
	clock = testClock()
	listed = []
	records = []
	const sources = [{kind: 'file_list', connection: 'c', guid: 'g'}]
	service = await startIndicatorService({
		definition: indicatorServiceSchema.parse({service: 'indicators', collections: [{name: 'files', sources}]}),
		...{instance: {id: 'i', name: 'ti'}, folder, host: '127.0.0.1', port: 0, clock},
		fetchFileList: async function* fetchFileList() {
			for (const number of listed) yield hash(number)
		},
		onTrouble: () => {}
	})
	// The build of its start.
	await service.publish()
})
afterEach(async () => {
	agent.destroy()
	await forwarder?.stop(0)
	await service.stop()
})

async function forward(wish: Partial<InstanceWish> = {}) {
	const credentials = await testCredentials()
	const access = {kind: 'bearer', header: 'Authorization', verifiers: [hashToken(token)]} as const
	forwarder = await startForwarder({
		listen: {host: '127.0.0.1', port: 0},
		config: configOf([{name: 'ti', listenPort: service.port, access, ...wish}]),
		credentials,
		onRequest: record => void records.push(record)
	})
	agent = new Agent({keepAlive: true, ca: credentials.authority, maxSockets: 1})
}

interface Page {
	more?: boolean
	next?: string
	api_roots?: string[]
	objects?: {id: string; modified: string; revoked?: boolean}[]
}

async function ask(path: string, given: string | null = token) {
	const headers = {accept: taxiiType, ...(given !== null && {authorization: `Bearer ${given}`})}
	const at = {host: '127.0.0.1', port: forwarder?.listen.port, path: `/instance/execute/ti${path}`, headers, agent}
	const answer = await new Promise<{status: number; body: string}>((resolve, reject) => {
		request(at, response => {
			text(response).then(body => resolve({status: response.statusCode ?? 0, body}), reject)
		})
			.on('error', reject)
			.end()
	})
	// The service's answer; a refusal of the forwarding server is JSON too, or empty.
	return {status: answer.status, page: answer.status === 200 ? (JSON.parse(answer.body) as Page) : {}}
}

/** Every page from the first on; `between` runs after each. */
async function walk(between: (place: number) => Promise<unknown> = async () => {}) {
	const all: {id: string; modified: string; revoked?: boolean}[] = []
	let next = ''
	for (let place = 0; ; place += 1) {
		const {status, page} = await ask(`/indicators/collections/files/objects/?limit=1000${next}`)
		expect(status).toBe(200)
		all.push(...(page.objects ?? []))
		if (page.more !== true) return all
		next = `&next=${page.next ?? ''}`
		await between(place)
	}
}

test('100,000 indicators walked by pages while the list changes: none missed, no version twice, each page in the log', async () => {
	await forward()
	const all = Array.from({length: 100_000}, (_, number) => number)
	listed = all
	await service.publish()
	const seen = await walk(async place => {
		if (place % 20 !== 0) return
		await clock.advance(1000)
		// Removes some listed before and some not; adds others.
		listed = [...all.filter(number => number % 997 !== place), 200_000 + place]
		await service.publish()
	})
	const versions = new Set(seen.map(({id, modified}) => `${id} ${modified}`))
	expect(versions.size).toBe(seen.length)
	const last = await walk()
	expect(last.filter(({id, modified}) => !versions.has(`${id} ${modified}`))).toEqual([])
	expect(last.filter(({revoked = false}) => revoked).length).toBeGreaterThan(0)
	expect(last.length).toBeGreaterThan(100_000)
	const pages = records.filter(({instance, status, path}) => instance === 'ti' && status === 200 && path.includes('objects'))
	expect(pages.length).toBeGreaterThanOrEqual(200)
})

test('who has no token reads nothing, and too many requests are refused; the addresses lead back through the server', async () => {
	await forward({limits: {ratePerSecond: 0.001, burst: 3}})
	expect((await ask('/taxii2/', null)).status).toBe(401)
	expect((await ask('/taxii2/', 'another')).status).toBe(401)
	const {page} = await ask('/taxii2/')
	const port = forwarder?.listen.port ?? 0
	expect(page.api_roots).toEqual([`https://127.0.0.1:${port}/instance/execute/ti/indicators/`])
	expect((await ask('/taxii2/')).status).toBe(429)
	expect(records.map(({status}) => status)).toEqual([401, 401, 200, 429])
	// Nor does a page by a name that leads here, past the access control.
	const [response] = (await once(get({port: service.port, headers: {host: 'a.example'}}), 'response')) as [IncomingMessage]
	expect(response.resume().statusCode).toBe(421)
})
