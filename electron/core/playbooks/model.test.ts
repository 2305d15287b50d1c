import {playMany} from './testing/model.ts'

test("no change without approval, none twice, all logged, and the document's own end", async () => {
	const [numRuns, states] = [Number(process.env['CORDON_RUNS'] ?? 12), new Set<string>()]
	await playMany(numRuns, ({run}) => states.add(run.state))
	expect([...states].filter(state => state !== 'completed' && state !== 'failed')).toEqual([])
})
