/** Large jobs against a service that takes 100 ms an answer: calls made, and the time beside the least possible. */
import {hash} from 'node:crypto'

import {createApiClient} from '#core/service/api/client.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import {openRealProcess} from '#core/work/jobs/testing/real-process.ts'
import {startSandbox as openSandbox, type Sandbox} from '#sandbox/server.ts'
import {readyComputers} from '#sandbox/testing/running.ts'
import type {JobAction} from '#model/job.ts'

import {markdown} from './measure.ts'
import {startSandbox, type Running} from './processes.ts'
import {benchFolder} from './folder.ts'

const latencyMs = 100
const fleetSize = 5000
const atOnce = 4
const computers = Number(process.env['CORDON_BENCH_ISOLATIONS'] ?? 1000)
const hashes = Number(process.env['CORDON_BENCH_HASHES'] ?? 10_000)

interface Measured {
	title: string
	targets: number
	done: number
	planSeconds: number
	planCalls: number
	/** Each waits until its agents have answered. */
	waves: number
	seconds: number
	changes: number
	readings: number
}

export async function benchJobs() {
	const rows: (readonly unknown[])[] = []
	for (const measure of [measureIsolations, measureHashes]) {
		const one = await measure()
		if (one.done !== one.targets) throw new Error(`${one.title}: ${one.done} of ${one.targets} are done.`)
		rows.push(rowOf(one))
	}
	return markdown('job | done | plan | calls of the plan | changes | readings | time | at least | ratio', rows)
}

/** The slowest agent of a wave answers about that late. */
const agentsSeconds = 6

/** Every change takes the latency once, and four run at once. */
function rowOf({title, targets, done, planSeconds, planCalls, waves, seconds, changes, readings}: Measured) {
	const least = (targets * latencyMs) / atOnce / 1000 + waves * agentsSeconds
	return [
		title,
		done,
		`${planSeconds.toFixed(1)} s`,
		planCalls,
		changes,
		readings,
		`${seconds.toFixed(1)} s`,
		`${least.toFixed(1)} s`,
		(seconds / least).toFixed(2)
	]
}

async function measureIsolations(): Promise<Measured> {
	const targets = await fromTenant(sandbox => readyComputers(sandbox, computers))
	const lease = {hours: 24, auto: false} as const
	const action = {kind: 'isolate', reason: 'drill', ticket: null, code: 'generated', lease} as const
	return await measured(`isolate ${computers.toLocaleString('en-US')} computers`, action, targets)
}

async function measureHashes(): Promise<Measured> {
	const list = await fromTenant(({world}) => world.tenant.lists.at(-1)?.guid ?? '')
	const targets = Array.from({length: hashes}, (_none, index) => hash('sha256', `bench ${index}`, 'hex'))
	const action = {kind: 'add_hashes', list, reason: 'drill'} as const
	return await measured(`put ${hashes.toLocaleString('en-US')} hashes on a list`, action, targets)
}

/** The tenant is the same at each start, so a sandbox of our own can look up the other process's data. */
async function fromTenant<T>(pick: (sandbox: Sandbox) => T) {
	const own = await openSandbox({port: 0, computers: fleetSize, seed: 'bench'})
	try {
		return pick(own)
	} finally {
		await own.stop()
	}
}

/** The service is a process of its own, so that its cost is not ours. */
async function measured(title: string, action: JobAction, targets: readonly string[]) {
	const folder = benchFolder()
	const service = await startSandbox(fleetSize, ['--quota', '1000000', '--weather', `* *=latency:${latencyMs}`])
	try {
		return await measuredOn(service, folder, {title, action, targets})
	} finally {
		await service.stop()
	}
}

interface Work {
	title: string
	action: JobAction
	targets: readonly string[]
}

async function measuredOn({ready}: Running, folder: string, {title, action, targets}: Work): Promise<Measured> {
	const calls = countCalls()
	const service = {url: ready['url'] ?? '', clientId: ready['client_id'] ?? '', apiKey: ready['api_key'] ?? ''}
	const {jobs, connection, stop} = await openRealProcess(folder, service, calls.createClient)
	try {
		const from = performance.now()
		const plan = await jobs.plan({connection, action, targets})
		const planned = performance.now()
		const planCalls = calls.take().readings
		const confirm = 'expected' in plan.confirmation ? String(plan.confirmation.expected) : undefined
		await jobs.apply({plan: plan.id, confirm, surface: 'cli'})
		const {counts} = await jobs.settled(plan.id)
		const seconds = (performance.now() - planned) / 1000
		const planSeconds = (planned - from) / 1000
		const waves = action.kind === 'isolate' ? plan.waves.length : 0
		return {title, targets: targets.length, done: counts.done, planSeconds, planCalls, waves, seconds, ...calls.take()}
	} finally {
		await stop()
	}
}

/** The calls made since the last reading. */
function countCalls() {
	let [changes, readings] = [0, 0]
	const createClient: typeof createApiClient = options => {
		const client = createApiClient(options)
		const send = client.call.bind(client)
		const call: ApiClient['call'] = (request, how) => {
			if (request.method === 'GET' || request.method === 'OPTIONS') readings += 1
			else changes += 1
			return send(request, how)
		}
		return Object.assign(client, {call})
	}
	return {
		createClient,
		take() {
			const taken = {changes, readings}
			;[changes, readings] = [0, 0]
			return taken
		}
	}
}
