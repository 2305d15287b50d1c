/**
 * Delays of the host's event loop while it loads 100,000 computers, stores events, runs a job of 1,000 and a second process
 * writes. An idle Node's beside it shows what the machine itself adds.
 */
import {spawn, type ChildProcess} from 'node:child_process'
import {existsSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'

import {openPage, type Client} from '../../electron/headless/testing/wire-world.ts'

import {markdown} from './measure.ts'
import {cliBeside, enter, withHost, withTenant, type Running} from './processes.ts'
import {benchFolder} from './folder.ts'

const computers = Number(process.env['CORDON_BENCH_COMPUTERS'] ?? 100_000)
const targets = Number(process.env['CORDON_BENCH_ISOLATIONS'] ?? 1000)
const events = Number(process.env['CORDON_BENCH_EVENTS'] ?? 60_000)
const probe = join(import.meta.dirname, 'loop-probe.mjs')
const most = {usual: 50, ever: 200}

interface Delays {
	/** Milliseconds. */
	median: number
	/** Of 99.9 % of all turns. */
	most: number
	max: number
}

export async function benchLoop() {
	const folder = benchFolder()
	return await withTenant(computers, async profile => {
		const idle = watched(join(folder, 'idle'))
		const file = join(folder, 'host')
		const measure = async (host: Running) => verdictOn(await measurePhases({host, file, idle, profile}))
		return await withHost(profile, measure, ['--import', probe], {CORDON_LOOP_FILE: file}).finally(() => idle.child.kill())
	})
}

interface Watched {
	child: ChildProcess
	file: string
}

function watched(file: string): Watched {
	const args = ['--import', probe, '-e', 'setInterval(() => {}, 60_000)']
	return {child: spawn(process.execPath, args, {stdio: 'ignore', env: {...process.env, CORDON_LOOP_FILE: file}}), file}
}

interface Hosted {
	host: Running
	file: string
	idle: Watched
	profile: string
}

interface Phase {
	name: string
	seconds: number
	host: Delays
	idle: Delays
}

async function measurePhases(hosted: Hosted) {
	const {host, profile} = hosted
	const phases: Phase[] = []
	const during = async (name: string, work: () => Promise<unknown>) => {
		await Promise.all([delaysOf(host.pid, hosted.file), delaysOf(hosted.idle.child.pid ?? 0, hosted.idle.file)])
		const from = performance.now()
		await work()
		const seconds = (performance.now() - from) / 1000
		const own = await delaysOf(host.pid, hosted.file)
		phases.push({name, seconds, host: own, idle: await delaysOf(hosted.idle.child.pid ?? 0, hosted.idle.file)})
	}
	const {client, socket} = await openPage(...(await enter(host)))
	const [connection = ''] = (await client.connections.list()).map(({id}) => id)
	await during(`${computers.toLocaleString('en')} computers are loaded`, () => allComputers(client, connection))
	await during(`${events.toLocaleString('en')} events are stored`, () => storeEvents(client, connection))
	const over = new AbortController()
	const beside = writeBeside(profile, over.signal)
	await during(`a job of ${targets.toLocaleString('en')} isolations, and a second process writes`, () => runJob(client, connection))
	over.abort()
	await beside
	socket.close()
	return phases
}

async function writeBeside(profile: string, over: AbortSignal) {
	while (!over.aborted) {
		const {status, stderr} = await cliBeside(profile, ['log', 'note', 'written beside'])
		if (status !== 0) throw new Error(`cordon log note ended with ${status}: ${stderr}`)
	}
}

/** Tells the process to write, and reads. */
async function delaysOf(pid: number, file: string) {
	rmSync(file, {force: true})
	process.kill(pid, 'SIGUSR2')
	while (!existsSync(file)) await sleep(20)
	return JSON.parse(readFileSync(file, 'utf8')) as Delays // the probe's own form
}

async function until(isSo: () => Promise<boolean>) {
	while (!(await isSo())) await sleep(500)
}

async function allComputers(client: Client, connection: string) {
	const question = {connection, filter: '', sort: {column: 'hostname', descending: false}, offset: 0, limit: 1} as const
	await until(async () => (await client.computers.query(question)).all >= computers)
}

async function storeEvents(client: Client, connection: string) {
	const {stored} = await client.events.refresh({connection, days: 30})
	if (stored < events) throw new Error(`${stored} events were stored instead of ${events}.`)
}

async function workstations(client: Client, connection: string) {
	const question = {connection, filter: 'WS- isolation:not_isolated last_seen<1h'}
	const sort = {column: 'hostname', descending: false} as const
	const guids: string[] = []
	while (guids.length < targets) {
		const limit = Math.min(500, targets - guids.length)
		const {rows} = await client.computers.query({...question, sort, offset: guids.length, limit})
		if (rows.length === 0) throw new Error(`Only ${guids.length} of ${targets} computers can be isolated.`)
		guids.push(...rows.map(({guid}) => guid))
	}
	return guids
}

async function runJob(client: Client, connection: string) {
	const guids = await workstations(client, connection)
	const lease = {hours: 24, auto: false} as const
	const action = {kind: 'isolate', reason: 'drill', ticket: null, code: 'generated', lease} as const
	const plan = await client.jobs.plan({connection, action, targets: guids})
	const confirm = 'expected' in plan.confirmation ? String(plan.confirmation.expected) : undefined
	await client.jobs.apply({plan: plan.id, ...(confirm !== undefined && {confirm})})
	// A few computers may go offline: the watch over them lasts, and is of no weight.
	await until(async () => {
		const {counts} = (await client.jobs.get({id: plan.id})).summary
		return counts.waiting + counts.sending === 0 && counts.accepted * 20 < guids.length
	})
}

function verdictOn(phases: readonly Phase[]) {
	const cells = ({median, most: usual, max}: Delays) => [median, usual, max].map(ms => ms.toFixed(1))
	const text = markdown(
		'while | time | host, median, ms | 99.9 % | most | idle Node, median, ms | 99.9 % | most',
		phases.map(({name, seconds, host, idle}) => [name, `${seconds.toFixed(1)} s`, ...cells(host), ...cells(idle)])
	)
	const late = phases.filter(({host}) => host.most > most.usual || host.max > most.ever)
	if (late.length > 0) throw new Error(`The event loop was held up while ${late.map(({name}) => name).join(', ')}:\n${text}`)
	return text
}
