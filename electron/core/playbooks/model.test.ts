import {startField} from '#sandbox/testing/running.ts'

import {playMany} from './testing/model.ts'

test("no change without approval, none twice, all logged, and the document's own end", async () => {
	const [numRuns, states] = [Number(process.env['CORDON_RUNS'] ?? 12), new Set<string>()]
	const start = (now: () => number) => startField({computers: 60, seed: 'model', agentDelayMs: 20, now})
	await playMany(start, numRuns, ({run}) => states.add(run.state))
	expect([...states].filter(state => state !== 'completed' && state !== 'failed')).toEqual([])
}, 120_000)
