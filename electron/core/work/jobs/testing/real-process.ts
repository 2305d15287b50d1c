/** The job engine on a profile as a program opens it, on the time of this computer. */
import {createApiClient} from '#core/service/api/client.ts'
import {createRunner} from '#core/actions/commands/runner.ts'
import {budgetPlanner, judgeForJobs} from '../guard-rules.ts'
import {openConnectionInventory} from '#core/replicas/computers/replica.ts'
import type {Inventory} from '#core/replicas/computers/types.ts'
import {openProfile} from '#core/app/profile.ts'
import {systemClock, systemRandom} from '#core/base/system.ts'
import {memorySecrets} from '#core/base/testing/ports.ts'
import {createEngine} from '#core/engine/engine.ts'
import {openJobs} from '../jobs.ts'
import type {Jobs} from '../types.ts'

export interface RealProcess {
	readonly jobs: Jobs
	/** Its id. */
	readonly connection: string
	readonly inventory: Inventory
	stop(): Promise<void>
}

/** `folder` is the profile; its connection is the same in every process. Whoever wants to see each call brings a client of his own. */
export async function openRealProcess(
	folder: string,
	service: {readonly url: string; readonly clientId: string; readonly apiKey: string},
	createClient: typeof createApiClient = createApiClient,
): Promise<RealProcess> {
	const ports = {
		host: 'cli',
		profile: folder,
		operator: 'kim',
		secrets: memorySecrets(),
		clock: systemClock,
		random: systemRandom,
		proxyEnvironment: {},
		notify: () => undefined,
	} as const
	const profile = openProfile(ports, {createClient, userAgent: 'Cordon/test'})
	const {connections, log, locks, guards, custody, database} = profile
	const {id: connection} = connections.addTransient({
		...{name: 'service', ...service},
		...{insecure: service.url.startsWith('http:'), colour: 'grey', environment: 'test', readOnly: false, proxy: null, ca: null},
	})
	const client = connections.client(connection)
	const inventory = openConnectionInventory({profile: folder, clock: systemClock, connection, client})
	const onTrouble = (message: string, error: unknown): void => void process.stderr.write(`${message} ${String(error)}\n`)
	const runs = createEngine({store: profile.runs, clock: systemClock, random: systemRandom, onTrouble})
	const jobs = openJobs({
		...{runs, store: profile.runs},
		profile: folder,
		clock: systemClock,
		random: systemRandom,
		operator: 'kim',
		connections,
		log,
		runner: createRunner({clock: systemClock, connections, log, locks, guards, custody, inventory: () => inventory}),
		inventory: () => inventory,
		judge: judgeForJobs(guards, () => inventory),
		planner: budgetPlanner({database, clock: systemClock, connections}),
		leases: custody.leases,
		onTrouble,
	})
	return {
		jobs,
		connection,
		inventory,
		async stop() {
			await jobs.close()
			await inventory.stop()
			await profile.stop()
		},
	}
}
