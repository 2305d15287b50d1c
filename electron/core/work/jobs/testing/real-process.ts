/** The job engine on a profile as a program opens it, on the time of this computer. */
import {createRunner} from '#core/actions/commands/runner.ts'
import {quotaPlanner, judgeForJobs} from '../guard-rules.ts'
import {openConnectionInventory} from '#core/replicas/computers/replica.ts'
import {openRealProfile} from '#core/app/testing/real-profile.ts'
import {systemClock, systemRandom} from '#base/system.ts'
import {openJobs} from '../jobs.ts'

/** `folder` is the profile; its connection is the same in every process. Whoever wants to see each call brings a client of his own. */
export async function openRealProcess(
	folder: string,
	service: Parameters<typeof openRealProfile>[1],
	createClient?: Parameters<typeof openRealProfile>[2]
) {
	const {profile, connection, runs, onTrouble} = openRealProfile(folder, service, createClient)
	const {connections, log, locks, guards, escrow, database} = profile
	const client = connections.client(connection)
	const inventory = openConnectionInventory({profile: folder, clock: systemClock, connection, client})
	const common = {clock: systemClock, connections, log, inventory: () => inventory}
	const jobs = openJobs({
		...{...common, runs, store: profile.runs, profile: folder, random: systemRandom, operator: 'kim', onTrouble},
		runner: createRunner({...common, locks, guards, escrow}),
		judge: judgeForJobs(guards, common.inventory),
		planner: quotaPlanner({...common, database})
	})
	return {
		jobs,
		/** Its id. */
		connection,
		inventory,
		async stop() {
			await jobs.close()
			await inventory.stop()
			await profile.stop()
		}
	}
}
