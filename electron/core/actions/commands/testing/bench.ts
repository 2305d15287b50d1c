/** A profile, a runner and a sandbox. */
import {startSandbox, type Sandbox, type SandboxOptions} from '#sandbox/server.ts'

import {CordonError} from '#contract/errors.ts'
import type {CommandResult} from '#shared/commands/result.ts'
import type {LogEntry} from '#model/incident.ts'

import {createApiClient} from '#core/service/api/client.ts'
import type {ClientOptions, Timeouts} from '#core/service/api/types.ts'
import {openProfile, type Profile} from '#core/app/profile.ts'
import {testPorts, type TestPorts} from '#base/testing/ports.ts'
import {changeExecutor, sentChange} from '../approving.ts'
import {createRunner} from '../runner.ts'
import type {CommandRequest, RunnerServices} from '../types.ts'

export interface Bench {
	ports: TestPorts
	sandbox: Sandbox
	profile: Profile
	/** Runs a command with a reason and some runner services replaced. */
	run(name: string, args?: CommandRequest['args'], more?: Partial<CommandRequest>): Promise<CommandResult>
	replace(change: Partial<RunnerServices>): void
	running(): number
	/** Entries about commands, newest first. */
	entries(): Promise<readonly LogEntry[]>
	sent(method?: string): readonly string[]
	reached(method: string): Promise<void>
	close(): Promise<void>
}

/** Time advances by itself through every pause, for the service too. */
export async function openBench(service: Partial<SandboxOptions>, timeouts: Partial<Timeouts> = {}): Promise<Bench> {
	const ports = testPorts({eager: true})
	const sandbox = await startSandbox({port: 0, ...service, now: ports.clock.now})
	const createClient = (options: ClientOptions) => createApiClient({...options, timeouts})
	const profile = openProfile(ports, {createClient, userAgent: 'Cordon/test'})
	const {connections, log, locks, guards, escrow, approvals} = profile
	await connections.registerSandbox(sandbox)
	const services: RunnerServices = {clock: ports.clock, connections, log, locks, guards, escrow, approvals}
	let runner = createRunner(services)
	const execute = changeExecutor({run: request => runner.run(request)})
	approvals.carryOutWith('change', execute, approval => sentChange(log, approval))
	return {
		ports,
		sandbox,
		profile,
		run: (name, args = {}, more = {}) => runner.run({name, args, surface: 'cli', agreement: {reason: 'Beaconing'}, ...more}),
		replace(change) {
			runner = createRunner({...services, ...change})
		},
		running: () => runner.running('sandbox'),
		entries: async () => (await log.query({limit: 100})).entries.filter(({kind}) => kind.startsWith('command.')),
		sent: method =>
			sandbox.requests.filter(one => method === undefined || one.method === method).map(one => `${one.method} ${one.path}`),
		async reached(method) {
			while (!sandbox.requests.some(one => one.method === method)) await new Promise(resolve => setImmediate(resolve))
		},
		async close() {
			await profile.stop()
			await sandbox.stop()
			ports.remove()
		},
	}
}

export async function refused(work: Promise<unknown>): Promise<CordonError> {
	try {
		await work
	} catch (error) {
		if (error instanceof CordonError) return error
		throw error
	}
	throw new Error('It did not fail.')
}
