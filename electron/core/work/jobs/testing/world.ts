/** What the tests of the job engine stand on: a real sandbox, a profile on the disk, and time that runs through every pause. */
import {startSandbox, type Sandbox, type SandboxOptions} from '#sandbox/server.ts'
import {groupOf, readyComputers} from '#sandbox/testing/running.ts'

import {CordonError} from '#contract/errors.ts'
import type {GuardRules} from '#model/guard.ts'
import type {JobAction} from '#model/job.ts'

import type {ApiAnswer, ApiClient, ApiRequest} from '#core/service/api/types.ts'
import {createRunner} from '#core/actions/commands/runner.ts'
import {quotaPlanner, judgeForJobs} from '../guard-rules.ts'
import {openConnectionInventory} from '#core/replicas/computers/replica.ts'
import type {Clock} from '#base/ports.ts'
import {openTestProfile} from '#core/app/testing/real-profile.ts'
import type {ProcessIdentity} from '#core/store/process-identity.ts'
import {testPorts, type TestPorts} from '#base/testing/ports.ts'
import {createEngine} from '#core/engine/engine.ts'
import {lifeOf, type Life} from '#core/engine/testing/process.ts'
import type {Op, RunStore} from '#core/engine/port.ts'
import type {EngineOptions} from '#core/engine/types.ts'
import {openJobs} from '../jobs.ts'
import type {JobServices, PlanRequest} from '../types.ts'

/** What is otherwise than usual in a process. */
type Change = Partial<Omit<JobServices, 'log'>> &
	Pick<EngineOptions, 'self'> & {
		log?: Partial<JobServices['log']>
		/** Before anything of it is written to the store of the engine. */
		beforeWrite?: (ops: readonly Op[]) => Promise<void>
	}

/** One process on the profile. */
export type Process = Awaited<ReturnType<typeof startProcess>>

/** One call as the process made it; the numbers count what began and ended, over all processes. */
export interface Traced {
	method: string
	path: string
	/** The job that its comment names. */
	job: string | null
	began: number
	/** By the clock; Unix milliseconds. */
	beganAt: number
	/** `null`: the outcome is unknown. */
	ended: {at: number; time: number; code: string | null} | null
}

export type Moment = 'before a change' | 'after a change'

export const isolate: JobAction = {kind: 'isolate', reason: 'beaconing', ticket: 'INC-1', code: 'generated', lease: {hours: 24, auto: false}}
export const release: JobAction = {kind: 'release', reason: 'clean', ticket: null}

export type World = Awaited<ReturnType<typeof openWorld>>

/** The service runs on the time of the test. */
export async function openWorld(service: Partial<SandboxOptions>) {
	const ports = testPorts({eager: true})
	const sandbox = await startSandbox({port: 0, ...service, now: ports.clock.now})
	const alive = new Set<string>()
	const processes: Process[] = []
	const tracer = createTracer(ports.clock.now)
	const {fleet} = sandbox.world
	const status = (guid: string) => {
		sandbox.world.settle(ports.clock.now())
		const host = fleet.find(guid)
		return host === undefined ? 'gone' : fleet.isolation(host).status
	}
	const taken = (guid: string) => sandbox.requests.filter(request => isTaken(request) && request.path.includes(guid)).length
	/** Starts another process on the same profile; those that crashed count as dead. */
	const start = async (change: Change = {}) => {
		const self = {pid: 1, started: `run-${processes.length + 1}`}
		alive.add(self.started)
		const one = await startProcess({ports, sandbox, self, alive, change, tracer})
		processes.push(one)
		return one
	}
	return {
		sandbox,
		ports,
		/** Every call of every process, in order. */
		trace: tracer.trace,
		start,
		/** Another one, which goes on with what was left behind. */
		async recovered(change?: Change) {
			const one = await start(change)
			await one.jobs.recover()
			return one
		},
		/** To a group where none of them is. */
		moveOf(targets: readonly string[]) {
			const used = new Set(targets.map(guid => groupOf(sandbox, guid)))
			const group = sandbox.world.tenant.groups.find(({guid}) => !used.has(guid))?.guid ?? ''
			return {kind: 'move', group, reason: 'tidying up'} as const
		},
		/** GUIDs of workstations that are online and can be isolated. */
		ready: (count: number) => readyComputers(sandbox, count),
		status,
		/** How many changes of a computer the service took (2xx). */
		taken,
		/** The same of several, where they agree. */
		took: (guids: readonly string[]) => agreed(guids.map(taken)),
		are: (guids: readonly string[]) => agreed(guids.map(status)),
		sent: (method: string) => sandbox.requests.filter(request => request.method === method).length,
		/** Resolves when all that was put on the wire until now has arrived: connections are taken in their order. */
		async arrived() {
			// Two, for the second begins when the service has read what was there with the first.
			for (let round = 0; round < 2; round += 1) await (await fetch(`${sandbox.url}/sandbox/none`)).text()
		},
		async stop() {
			for (const one of processes) await one.stop()
			await sandbox.stop()
			ports.remove()
		}
	}
}

function agreed(values: readonly unknown[]) {
	return new Set(values).size === 1 ? values[0] : values
}

function isTaken({method, status}: Sandbox['requests'][number]) {
	return method !== 'GET' && method !== 'OPTIONS' && status >= 200 && status < 300
}

interface ProcessDependencies {
	ports: TestPorts
	sandbox: Sandbox
	self: ProcessIdentity
	alive: Set<string>
	change: Change
	tracer: Tracer
}

type Tracer = ReturnType<typeof createTracer>

function createTracer(now: () => number) {
	const trace: Traced[] = []
	let count = 0
	const code = (error: unknown) => (error instanceof CordonError ? error.code : 'internal')
	return {
		trace,
		call: async ({method, path, body}: ApiRequest, work: () => Promise<ApiAnswer>, isDead: () => boolean) => {
			const job = /Cordon job (\w+)/.exec(JSON.stringify(body ?? ''))?.[1] ?? null
			const traced: Traced = {method, path: path.join('/'), job, began: (count += 1), beganAt: now(), ended: null}
			trace.push(traced)
			try {
				const answer = await work()
				if (!isDead()) traced.ended = {at: (count += 1), time: now(), code: null}
				return answer
			} catch (error) {
				if (!isDead()) traced.ended = {at: (count += 1), time: now(), code: code(error)}
				throw error
			}
		}
	}
}

async function startProcess({ports, sandbox, self, alive, change, tracer}: ProcessDependencies) {
	const profile = openTestProfile(ports)
	const {locks, guards, escrow, database} = profile
	await profile.connections.registerSandbox(sandbox)
	const life = mortal(tracer)
	const clock: Clock = {...ports.clock, ...life.all({sleep: ports.clock.sleep})}
	const {append, appendOnce, query, about, entry, newest} = profile.log
	const log = {...profile.log, ...life.all({append, appendOnce, query, about, entry, newest})}
	const connections = {...profile.connections, client: (id: string) => life.client(profile.connections.client(id))}
	const client = connections.client('sandbox')
	const inventory = openConnectionInventory({profile: ports.profile, clock, connection: 'sandbox', client})
	const troubles: string[] = []
	const runner = createRunner({clock, connections, log, locks, guards, escrow, inventory: () => inventory})
	const {self: own = self, beforeWrite, log: ownLog, ...others} = change
	const {isAlive = ({started}: ProcessIdentity) => alive.has(started)} = change
	const onTrouble = (message: string, error: unknown) => void troubles.push(`${message} ${String(error)}`)
	const store = mortalStore(profile.runs, life, beforeWrite)
	const runs = createEngine({store, clock, random: ports.random, onTrouble, self: own, isAlive, watchEveryMs: 5})
	const jobs = openJobs({
		...{runs, store, clock, connections, log: {...log, ...ownLog}, operator: 'kim', profile: ports.profile, random: ports.random},
		runner: life.all({run: runner.run}),
		inventory: () => inventory,
		judge: judgeForJobs(guards, () => inventory),
		planner: quotaPlanner({database, clock, connections}),
		onTrouble,
		...others,
		isAlive
	})
	/** Of a job on the connection of the test. */
	const plan = async (action: JobAction, targets: PlanRequest['targets'], more: Partial<PlanRequest> = {}) =>
		await jobs.plan({connection: 'sandbox', action, targets, ...more})
	/** Plans, confirms as the tier asks, and starts. Returns the id of the job. */
	const begin: (...how: Parameters<typeof plan>) => Promise<string> = async (action, targets, more = {}) => {
		const {id, confirmation} = await plan(action, targets, more)
		const confirm = 'expected' in confirmation ? String(confirmation.expected) : undefined
		await jobs.apply({plan: id, confirm, surface: 'cli'})
		return id
	}
	let stopped = false
	const crash = async () => {
		stopped = true
		life.kill()
		alive.delete(self.started)
		await profile.connections.stop()
		await profile.stop()
		await inventory.stop()
	}
	const {calls, changesUnderWay, dieAt} = life
	return {
		...{profile, inventory, jobs, troubles, calls, changesUnderWay, dieAt, begin, plan},
		/** The same, to its end. */
		carryOut: async (...how: Parameters<typeof plan>) => await jobs.settled(await begin(...how)),
		/** As a kill does it: nothing more is written, and what is on its way may or may not arrive. */
		crash,
		/** Begins a job and dies with its first change. Returns its id. */
		async leave(action: JobAction, targets: PlanRequest['targets'], moment: Moment = 'before a change') {
			const died = dieAt(moment)
			const id = await begin(action, targets)
			await died
			await crash()
			return id
		},
		setRules: (change: (rules: GuardRules) => Partial<GuardRules>) => {
			const rules = guards.rules('sandbox')
			const confirm = profile.connections.find('sandbox').name
			guards.setRules({connection: 'sandbox', rules: {...rules, ...change(rules)}, confirm, surface: 'cli'})
		},
		/** What each note about a job begins with, newest first. */
		notesOf: async (job: string) => {
			const {entries} = await profile.log.query({kinds: ['note'], limit: 100})
			return entries.filter(({data}) => data?.['job'] === job).map(({message}) => message.split(':')[0] ?? '')
		},
		/** At the end of a job: how many targets are done; the phase of one that is not. */
		async doneOf(id: string) {
			const {phase, counts} = await jobs.settled(id)
			return phase === 'done' ? counts.done : phase
		},
		async stop() {
			if (stopped) return
			stopped = true
			await jobs.close()
			await inventory.stop()
			await profile.stop()
		}
	}
}

/** Whether a step is about to be written so. */
export function isWriting(ops: readonly Op[], tag: string) {
	return ops.some(op => op.kind === 'steps' && op.steps.some(step => step.tag === tag))
}

function mortalStore({apply, close, ...reads}: RunStore, {all}: Life, beforeWrite: Change['beforeWrite']): RunStore {
	const write: typeof apply = async ops => {
		await beforeWrite?.(ops)
		return await apply(ops)
	}
	return {...all({...reads, apply: write}), close}
}

function mortal(tracer: Tracer) {
	let changing = 0
	let fate: {moment: Moment; struck: () => void} | null = null
	/** Method and path of what it asked the service, in order. */
	const calls: string[] = []
	const life = lifeOf(() => {})
	const strike = (moment: Moment) => {
		if (life.isDead() || fate?.moment !== moment) return
		life.kill()
		fate.struck()
	}
	const change = async <T>(work: () => Promise<T>) => {
		strike('before a change')
		return await life.alive(async () => {
			changing += 1
			try {
				return await work()
			} finally {
				changing -= 1
				strike('after a change')
			}
		})
	}
	return {
		...life,
		/** Changes that were handed to the client and have not come back. */
		changesUnderWay: () => changing,
		/** Dies with its next change: before that is sent, or when it has arrived and its answer is not heard. */
		dieAt: (moment: Moment) => new Promise<void>(struck => (fate = {moment, struck})),
		calls,
		client: (client: ApiClient): ApiClient => ({
			...client,
			call: (request, options) => {
				if (!life.isDead()) calls.push(`${request.method} ${request.path.join('/')}`)
				const call = () => tracer.call(request, () => client.call(request, options), life.isDead)
				const isReading = request.method === 'GET' || request.method === 'OPTIONS'
				return isReading ? life.alive(call) : change(call)
			}
		})
	}
}
