/** Playbooks on a profile as a program opens it, on the time of this computer. */
import {createRunner} from '#core/actions/commands/runner.ts'
import type {Runner} from '#core/actions/commands/types.ts'
import {openProfile} from '#core/app/profile.ts'
import {systemClock, systemRandom} from '#core/base/system.ts'
import {memorySecrets} from '#core/base/testing/ports.ts'
import {createEngine} from '#core/engine/engine.ts'
import {createApiClient} from '#core/service/api/client.ts'
import type {PlaybookDocument} from '../document.ts'
import {openPlaybooks, type Playbooks} from '../playbooks.ts'

interface Service {
	readonly url: string
	readonly clientId: string
	readonly apiKey: string
}

interface RealPlaybooks {
	readonly playbooks: Playbooks
	/** Its id. */
	readonly connection: string
	stop(): Promise<void>
}

/** `around` sees each command. */
export function openRealPlaybooks(
	folder: string,
	service: Service,
	library: () => readonly PlaybookDocument[],
	around: (run: Runner['run']) => Runner['run'] = run => run,
): RealPlaybooks {
	const ports = {
		host: 'cli',
		...{profile: folder, operator: 'kim', clock: systemClock, random: systemRandom},
		...{secrets: memorySecrets(), proxyEnvironment: {}, notify: () => undefined},
	} as const
	const profile = openProfile(ports, {createClient: createApiClient, userAgent: 'Cordon/test'})
	const {connections, log, locks, guards, custody} = profile
	const {id: connection} = connections.addTransient({
		...{name: 'service', ...service, insecure: true, colour: 'grey', environment: 'test'},
		...{readOnly: false, proxy: null, ca: null},
	})
	const onTrouble = (message: string, error: unknown): void => void process.stderr.write(`${message} ${String(error)}\n`)
	const runs = createEngine({store: profile.runs, clock: systemClock, random: systemRandom, onTrouble})
	const playbooks = openPlaybooks({
		...{runs, connections, log, clock: systemClock, operator: 'kim', onTrouble, library},
		database: () => profile.database,
		runner: {run: around(createRunner({clock: systemClock, connections, log, locks, guards, custody}).run)},
	})
	return {
		...{playbooks, connection},
		stop: async () => {
			await runs.stop()
			await profile.stop()
		},
	}
}
