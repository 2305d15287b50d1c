import {carryOutApproved} from '#core/app/approved.ts'
import {createRunner} from '#core/actions/commands/runner.ts'
import {quotaPlanner, judgeForJobs} from '#core/work/jobs/guard-rules.ts'
import {openConnectionInventory} from '#core/replicas/computers/replica.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import {refuseReadOnly} from '#core/work/jobs/approve.ts'
import {openJobs, type Jobs} from '#core/work/jobs/jobs.ts'
import {lookBefore} from '#core/work/undo/before.ts'
import {undoProgram} from '#core/work/undo/program.ts'
import {createEngine, type Engine} from '#core/engine/engine.ts'
import type {Automations} from '#core/playbooks/automation.ts'
import type {Playbooks} from '#core/playbooks/playbooks.ts'

import type {Sub} from './argv.ts'
import type {ConsoleDependencies} from './console-parts.ts'
import {knownHere} from './known-hashes.ts'
import type {Output} from './output.ts'
import type {Session} from './session.ts'

/** Parts that the jobs and their companions share. */
export interface JobDependencies {
	inventory: (connection: string) => Inventory
	runs: Engine
	/** Created here where no console answers. */
	playbooks: () => Promise<Playbooks>
	automations: () => Promise<Automations>
}

/**
 * A read-only connection refuses what would send before any request to the service; a plan may still be made, to be shown or
 * saved.
 */
export function refuseBeforeReading({options}: Sub, {profile}: Session, connection: string) {
	if (options.has('plan') || options.has('dry-run')) return
	const {connections} = profile
	refuseReadOnly({connections}, connections.find(connection))
}

function partsOf({inventories, runs, playbooks, automations}: ConsoleDependencies) {
	return {...{inventory: inventories.open, runs}, playbooks: () => Promise.resolve(playbooks), automations: () => Promise.resolve(automations)}
}

export async function withJobs<T>(session: Session, output: Output, work: (jobs: Jobs, deps: JobDependencies) => Promise<T>): Promise<T> {
	const {ports, profile, console} = session
	// The console's jobs outlive the command line: close nothing here.
	if (console !== undefined) return await work(console.jobs, partsOf(console))
	const {clock} = ports
	const {connections, log, locks, guards, escrow, approvals, database} = profile
	const opened = new Map<string, Inventory>()
	const inventory = (id: string) => {
		const known = opened.get(id)
		if (known !== undefined) return known
		const client = connections.client(id)
		const made = openConnectionInventory({profile: ports.profile, clock, connection: id, client})
		opened.set(id, made)
		return made
	}
	const here = knownHere(session)
	const onTrouble = (message: string) => output.say(message)
	// Undoing a removal puts the hash on a list again, and the guard rules judge that like any other addition.
	const knownHashes = here.known
	const runner = createRunner({
		...{clock, connections, log, locks, guards, escrow, approvals, inventory, knownHashes, onTrouble},
		// Playbooks, and what was approved.
		lookBefore: lookBefore({clock, client: connections.client, inventory, directory: () => {}})
	})
	const runs = createEngine({store: profile.runs, clock, random: ports.random, onTrouble})
	const jobs = openJobs({
		...{runs, store: profile.runs, profile: ports.profile, clock, random: ports.random, operator: ports.operator},
		...{approvals, connections, log, runner, inventory, onTrouble},
		judge: judgeForJobs(guards, inventory, here.known),
		planner: quotaPlanner({database, clock, connections})
	})
	runs.register(undoProgram({clock, log, runner, jobs}))
	carryOutApproved(approvals, {log, runner, jobs, runs})
	try {
		const {operator} = ports
		const playbooks = async () => {
			const [{openPlaybooks}, {library}, {playbookSecrets}] = await Promise.all([
				import('#core/playbooks/playbooks.ts'),
				import('#core/playbooks/library.ts'),
				import('#core/playbooks/secrets.ts')
			])
			return openPlaybooks({
				...{clock, connections, log, runner, runs, operator, library, onTrouble, approvals},
				origins: connection => guards.rules(connection).origins,
				secretOf: playbookSecrets(ports, log).read,
				...{publishers: () => approvals.keys.trusted('publish'), database: () => database}
			})
		}
		const automations = async () => {
			const {openAutomations} = await import('#core/playbooks/automation.ts')
			return openAutomations({
				...{clock, operator, connections, log, onTrouble, random: ports.random, playbooks: await playbooks()},
				...{database: () => database, rolesOf: () => [], notify: () => {}}
			})
		}
		return await work(jobs, {inventory, runs, playbooks, automations})
	} finally {
		await jobs.close()
		await here.stop()
		for (const copy of opened.values()) await copy.stop()
	}
}
