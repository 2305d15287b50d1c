/** A 300-computer isolation whose process is killed at least 50 times: every computer ends isolated, exactly once. */

import {killLoop} from '#core/work/jobs/testing/kill-loop.ts'
import {startSandbox} from '#sandbox/server.ts'
import {readyComputers} from '#sandbox/testing/running.ts'

import {table} from './measure.ts'
import {benchFolder} from './folder.ts'

const computers = 300
const kills = 50

export async function benchKill() {
	const folder = benchFolder()
	const sandbox = await startSandbox({port: 0, computers: 2000, agentDelayMs: 50, seed: 'kill', quota: 1_000_000})
	try {
		const {fleet} = sandbox.world
		const targets = readyComputers(sandbox, computers)
		const from = performance.now()
		const end = await killLoop({folder, service: sandbox, targets, kills, mostChanges: 2, random: Math.random})
		const seconds = (performance.now() - from) / 1000
		const taken = (guid: string) =>
			sandbox.requests.filter(({method, path, status}) => method === 'PUT' && path.includes(guid) && status === 200).length
		const isolated = targets.filter(guid => {
			const host = fleet.find(guid)
			return host !== undefined && fleet.isolation(host).status === 'isolated'
		})
		const wrong = targets.filter(guid => taken(guid) !== 1)
		const sent = sandbox.requests.filter(({method}) => method === 'PUT').length
		const figures = table([
			{name: 'processes killed', unit: 'x', values: [end.killed], target: `at least ${kills}`},
			{name: 'computers isolated', unit: 'rows', values: [isolated.length], target: String(targets.length)},
			{name: 'receipts that say so', unit: 'rows', values: [end.counts.done], target: String(targets.length)},
			{name: 'computers not changed exactly once', unit: 'rows', values: [wrong.length], target: '0'},
			{name: 'changes sent, those refused with 409 among them', unit: 'calls', values: [sent]},
			{name: 'time, starts of the processes included', unit: 's', values: [seconds]}
		])
		if (wrong.length > 0 || isolated.length < targets.length || end.counts.done < targets.length || end.killed < kills)
			throw new Error(`The kill loop found a fault:\n${figures}\n${JSON.stringify({...end, receipts: undefined})}`)
		return figures
	} finally {
		await sandbox.stop()
	}
}
