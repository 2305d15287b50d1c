/** Playbooks on a profile as a program opens it, in real time. */
import {createRunner} from '#core/actions/commands/runner.ts'
import type {Runner} from '#core/actions/commands/types.ts'
import {openRealProfile} from '#core/app/testing/real-profile.ts'
import {systemClock} from '#base/system.ts'
import type {PlaybookDocument} from '../document.ts'
import {openPlaybooks, type Playbooks} from '../playbooks.ts'

interface RealPlaybooks {
	playbooks: Playbooks
	/** Its id. */
	connection: string
	stop(): Promise<void>
}

/** `around` sees each command. */
export function openRealPlaybooks(
	folder: string,
	service: Parameters<typeof openRealProfile>[1],
	library: () => readonly PlaybookDocument[],
	around: (run: Runner['run']) => Runner['run'] = run => run
): RealPlaybooks {
	const {profile, connection, runs, onTrouble} = openRealProfile(folder, service)
	const {connections, log, locks, guards, escrow} = profile
	const runner = createRunner({clock: systemClock, connections, log, locks, guards, escrow})
	const playbooks = openPlaybooks({
		...{runs, connections, log, clock: systemClock, operator: 'kim', onTrouble, library},
		database: () => profile.database,
		runner: {...runner, run: around(runner.run)}
	})
	return {
		...{playbooks, connection},
		stop: async () => {
			await runs.stop()
			await profile.stop()
		}
	}
}
