/** A plan of 10,000 targets between page and console: created, shown, saved, loaded, started and stopped. */

import {startSandbox, type Sandbox} from '#sandbox/server.ts'
import {whole} from '#shared/streams.ts'

import {computedMs} from '#base/testing/cpu.ts'
import {connection, openWireWorld, type WirePage, type WireWorld} from './testing/wire-world.ts'

const many = 10_000
/** Size of the largest plan's frame; the page reads one within a quarter of a second. */
const largestFrame = 5 << 20
/** Size of frames repeated while a job runs. */
const smallFrame = 64 << 10
/** What each step may compute. */
const withinMs = 20_000

let sandbox: Sandbox
let world: WireWorld
let page: WirePage

beforeAll(async () => {
	sandbox = await startSandbox({port: 0, computers: 16_000, seed: 'large', agentDelayMs: 3_600_000, quota: 100_000})
	world = await openWireWorld(sandbox)
	page = await world.openPage()
})

afterAll(async () => {
	page.socket.close()
	await world.stop()
	await sandbox.stop()
})

interface Measured<T> {
	answer: T
	ms: number
	/** The largest message received meanwhile. */
	bytes: number
}

async function measured<T>(call: Promise<T>): Promise<Measured<T>> {
	const [started, before] = [computedMs(), page.frames.length]
	const answer = await call
	const ms = computedMs() - started
	return {answer, ms, bytes: Math.max(0, ...page.frames.slice(before).map(frame => Buffer.byteLength(frame)))}
}

function workstations() {
	const {fleet, tenant} = sandbox.world
	const ready = tenant.hosts.filter(
		host => /^(?:workstation|laptop)$/.test(host.role) && fleet.available(host) && fleet.isolation(host).status === 'not_isolated'
	)
	return ready.slice(0, many).map(({guid}) => guid)
}

test('of computers: it is agreed to and stopped, and what a page polls stays small', async () => {
	const {client} = page
	const targets = [...workstations()]
	expect(targets).toHaveLength(many)
	const action = {kind: 'isolate', reason: 'Worm', ticket: null} as const
	const planned = await measured(client.jobs.plan({connection, action, targets}))
	const plan = planned.answer
	expect(plan).toMatchObject({confirmation: {kind: 'count', expected: many}, leftOut: [], waves: [1, 5, 9994]})
	expect(planned.bytes).toBeLessThan(largestFrame)
	const saved = await measured(client.jobs.savePlan({id: plan.id}))
	expect(saved.bytes).toBeLessThan(largestFrame)
	const readBack = await measured(client.jobs.importPlan({connection, text: saved.answer.text}))
	expect(readBack.answer).toEqual(plan)
	const started = await measured(client.jobs.apply({plan: plan.id, confirm: '10,000', surface: 'screen'}))
	const stopped = await measured(client.jobs.stop({id: plan.id}))
	expect(stopped.answer.targets).toBe(many)
	const polled = await measured(client.jobs.get({id: plan.id}))
	const listed = await measured(client.jobs.list({connection, offset: 0, limit: 100}))
	const rows = await measured(client.jobs.receipts({job: plan.id, offset: 9_900, limit: 100}))
	expect(rows.answer).toMatchObject({matching: many, offset: 9_900})
	for (const {bytes} of [started, stopped, polled, listed, rows]) expect(bytes).toBeLessThan(smallFrame)
	const exported = await measured(whole(client.jobs.export({id: plan.id, format: 'csv'})))
	expect(exported.bytes).toBeLessThan(2 * smallFrame)
	expect(exported.answer.text.trimEnd().split('\r\n')).toHaveLength(many + 1)
	const steps = {planned, saved, readBack, started, stopped, polled, listed, rows, exported}
	for (const [step, {ms}] of Object.entries(steps)) expect([step, ms < withinMs]).toEqual([step, true])
})

test('of hashes with notes: the same, through one message of the page', async () => {
	const {client} = page
	const list = sandbox.world.tenant.lists.at(-1)?.guid ?? ''
	const targets = Array.from({length: many}, (_, index) => ({
		id: (index + 1).toString(16).padStart(8, '0').repeat(8),
		note: `from the feed of the national team, line ${index}`
	}))
	const action = {kind: 'add_hashes', list, reason: 'case 7'} as const
	const planned = await measured(client.jobs.plan({connection, action, targets}))
	const {id} = planned.answer
	expect(planned.answer.targets).toHaveLength(many)
	const saved = await measured(client.jobs.savePlan({id}))
	const readBack = await measured(client.jobs.importPlan({connection, text: saved.answer.text}))
	expect(readBack.answer).toEqual(planned.answer)
	const started = await measured(client.jobs.apply({plan: id, confirm: String(many), surface: 'screen'}))
	const stopped = await measured(client.jobs.stop({id}))
	const polled = await measured(client.jobs.get({id}))
	for (const {bytes} of [started, stopped, polled]) expect(bytes).toBeLessThan(smallFrame)
	const steps = {planned, saved, readBack, started, stopped, polled}
	for (const [step, {ms}] of Object.entries(steps)) expect([step, ms < withinMs]).toEqual([step, true])
})

test('that leaves most of its targets out does not send them again at each look at the job', async () => {
	const {client} = page
	const [first = '', ...unknown] = [...workstations().slice(-1), ...Array.from({length: 9_999}, () => crypto.randomUUID())]
	const action = {kind: 'isolate', reason: 'Worm', ticket: null} as const
	const {answer: plan} = await measured(client.jobs.plan({connection, action, targets: [first, ...unknown]}))
	expect(plan.leftOut).toHaveLength(9_999)
	const confirm = 'expected' in plan.confirmation ? String(plan.confirmation.expected) : undefined
	await client.jobs.apply({plan: plan.id, confirm, surface: 'screen'})
	await client.jobs.stop({id: plan.id})
	const polled = await measured(client.jobs.get({id: plan.id}))
	expect(polled.bytes).toBeLessThan(smallFrame)
})
