/** Playbooks: the engine's cost per step, kills with SIGKILL, and generated playbooks in great number. */

import {compose, type Line} from '#core/playbooks/compose.ts'
import {killPlaybooks} from '#core/playbooks/testing/kill-loop.ts'
import {playMany} from '#core/playbooks/testing/model.ts'
import {openRealPlaybooks} from '#core/playbooks/testing/real-process.ts'

import {startField} from '#sandbox/testing/running.ts'

import {type Figure, memoryInUse} from './measure.ts'
import {startSandbox} from './processes.ts'
import {benchFolder} from './folder.ts'

const runs = 1000
const steps = 10

/** The engine's work, its syncs included, lies between one command's end and the next one's beginning. */
export async function benchPlaybooks(): Promise<readonly Figure[]> {
	const folder = benchFolder()
	const service = await startSandbox(200, ['--quota', '1000000'])
	const {url = '', client_id: clientId = '', api_key: apiKey = ''} = service.ready
	const lines = Array.from({length: steps}, (_none, index): Line => ['do', `Read ${index + 1}`, 'GET /version'])
	const drill = compose({name: 'Drill', description: 'Reads.', labels: ['drill'], inputs: {}, lines})
	const own: number[] = []
	let before = Number.NaN
	const {playbooks, connection, stop} = openRealPlaybooks(
		folder,
		{url, clientId, apiKey},
		() => [drill],
		run => async request => {
			own.push(performance.now() - before)
			const result = await run(request)
			before = performance.now()
			return result
		}
	)
	try {
		const memory: ReturnType<typeof memoryInUse>[] = []
		const from = performance.now()
		for (let run = 1; run <= runs; run += 1) {
			before = Number.NaN
			const {id} = await playbooks.start({playbook: 'Drill', connection, variables: {}})
			const {state} = await playbooks.settled(id)
			if (state !== 'completed') throw new Error(`The run ended as ${state}.`)
			if (run % 100 === 0) memory.push(memoryInUse())
		}
		const seconds = (performance.now() - from) / 1000
		const costs = own.filter(cost => !Number.isNaN(cost)).toSorted((a, b) => a - b)
		return [
			{name: 'runs of ten steps a second, one after another', unit: 'x', values: [runs / seconds]},
			{name: 'own cost of a step', unit: 'ms', values: costs},
			{name: 'own cost of a step, 99 of 100 are below', unit: 'ms', values: [costs[Math.floor(costs.length * 0.99)] ?? 0], target: 'under 3'},
			...[200, 1000].flatMap((after): readonly Figure[] => {
				const {heap = Number.NaN, resident = Number.NaN} = memory[after / 100 - 1] ?? {}
				const part = `after ${after} runs`
				return [
					{name: `heap in use ${part}`, unit: 'MB', values: [heap], ...(after === 1000 && {target: 'the same'})},
					{name: `resident memory ${part}`, unit: 'MB', values: [resident]}
				]
			})
		]
	} finally {
		await stop()
		await service.stop()
	}
}

export async function benchPlaybooksKill(): Promise<readonly Figure[]> {
	const figures: Figure[] = []
	for (const together of [1, 2]) {
		const field = await startField({computers: 300, seed: 'kill', agentDelayMs: 20})
		const {killed, computers, listings, states, wrong} = await killPlaybooks(field, 50, together, Math.random)
		await field.sandbox.stop()
		if (wrong.length > 0 || states.join() !== 'completed') throw new Error(`${states.join(', ')}. Not once: ${wrong.join(', ')}`)
		const how = together === 1 ? 'one process' : 'two processes'
		figures.push(
			{name: `${how}: kills`, unit: 'x', values: [killed], target: 'at least 50'},
			{name: `${how}: computers isolated once`, unit: 'rows', values: [computers], target: 'all'},
			{name: `${how}: hashes on lists once`, unit: 'rows', values: [listings], target: 'all'}
		)
	}
	return figures
}

export async function benchPlaybooksModel(): Promise<readonly Figure[]> {
	const sums = {'made-up playbooks': 0, kills: 0, 'changes, each once': 0, 'changes behind an approval': 0, 'runs completed': 0}
	await playMany(Number(process.env['CORDON_RUNS'] ?? 1000), ({run, killed, expected}) => {
		const gates = [...expected.changes.values()]
		sums['made-up playbooks'] += 1
		sums.kills += killed
		sums['changes, each once'] += gates.length
		sums['changes behind an approval'] += gates.filter(before => before.length > 0).length
		sums['runs completed'] += run.state === 'completed' ? 1 : 0
	})
	return Object.entries(sums).map(([name, value]) => ({name, unit: 'x', values: [value]}))
}
