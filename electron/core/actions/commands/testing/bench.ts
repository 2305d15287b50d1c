/** A profile, a runner and a sandbox. */
import {startSandbox, type SandboxOptions} from '#sandbox/server.ts'

import {createApiClient} from '#core/service/api/client.ts'
import type {Timeouts} from '#core/service/api/types.ts'
import {openTestProfile} from '#core/app/testing/real-profile.ts'
import {testPorts} from '#base/testing/ports.ts'
import {until} from '#base/testing/until.ts'
import {changeExecutor, sentChange} from '../approving.ts'
import {createRunner} from '../runner.ts'
import type {CommandRequest, RunnerServices} from '../types.ts'

export type Bench = Awaited<ReturnType<typeof openBench>>

/** Time advances by itself through every pause, for the service too. */
export async function openBench(service: Partial<SandboxOptions>, timeouts: Partial<Timeouts> = {}) {
	const ports = testPorts({eager: true})
	const sandbox = await startSandbox({port: 0, ...service, now: ports.clock.now})
	const profile = openTestProfile(ports, options => createApiClient({...options, timeouts}))
	const {connections, log, locks, guards, escrow, approvals} = profile
	await connections.registerSandbox(sandbox)
	const services: RunnerServices = {clock: ports.clock, connections, log, locks, guards, escrow, approvals}
	let runner = createRunner(services)
	/** Runs a command with a reason and some runner services replaced. */
	const run = (name: string, args: CommandRequest['args'] = {}, more: Partial<CommandRequest> = {}) =>
		runner.run({name, args, surface: 'cli', agreement: {reason: 'Beaconing'}, ...more})
	const execute = changeExecutor({run: request => runner.run(request)})
	approvals.carryOutWith('change', execute, approval => sentChange(log, approval))
	return {
		ports,
		sandbox,
		profile,
		run,
		/** Of what a command lists. */
		guids: async (name: string, args?: CommandRequest['args']) => ((await run(name, args)).data as {guid: string}[]).map(({guid}) => guid),
		replace(change: Partial<RunnerServices>) {
			runner = createRunner({...services, ...change})
		},
		running: () => runner.running('sandbox'),
		/** Entries about commands, newest first. */
		entries: async () => (await log.query({limit: 100})).entries.filter(({kind}) => kind.startsWith('command.')),
		sent: (method?: string) =>
			sandbox.requests.filter(one => method === undefined || one.method === method).map(one => `${one.method} ${one.path}`),
		reached: (method: string) => until(method, () => sandbox.requests.some(one => one.method === method), Infinity),
		async close() {
			await profile.stop()
			await sandbox.stop()
			ports.remove()
		}
	}
}
