import {startRunning} from '../testing/running.ts'
import {fuzzRequests, startNodeOpinion} from './testing/fuzz.ts'

/** One minute together with the answers, whose file runs in parallel. The long form is `npm run bench -- fuzz`. */
const ms = 30_000

it(
	'whatever is let through, the instance reads as we do',
	async () => {
		const running = await startRunning()
		const opinion = await startNodeOpinion()
		try {
			const {problem, passed} = await fuzzRequests(running, opinion, ms, Date.now())
			expect(problem).toBeNull()
			expect(passed).toBeGreaterThan(20)
		} finally {
			await opinion.stop()
			await running.stop()
		}
	},
	ms * 3
)
