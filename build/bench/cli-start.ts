/** Compares the cold start of the command line with that of `node -e 0`, in turn, in one run. */
import {spawnSync} from 'node:child_process'

import {median, type Figure} from './measure.ts'
import {cli, withTenant} from './processes.ts'

const runs = 21

export async function benchCliStart(): Promise<readonly Figure[]> {
	return await withTenant(200, async profile => {
		// The first run fills Node's compile cache, as a person's first run does.
		cli(profile, ['svc_get_version', '--json'])
		const bare: number[] = []
		const ours: number[] = []
		for (let run = 0; run < runs; run += 1) {
			bare.push(nodeAlone())
			const {status, ms} = cli(profile, ['svc_get_version', '--json'])
			if (status !== 0) throw new Error(`svc_get_version ended with ${status}`)
			ours.push(ms)
		}
		return [
			{name: '`node -e 0`', unit: 'ms', values: bare},
			{name: '`cordon svc_get_version`', unit: 'ms', values: ours},
			{name: 'ratio of the medians', unit: 'x', values: [median(ours) / median(bare)], target: 'at most 5'}
		]
	})
}

function nodeAlone() {
	const began = performance.now()
	spawnSync(process.execPath, ['-e', '0'])
	return performance.now() - began
}
