import {expect, it} from 'vitest'

import {startRunning} from '../testing/running.ts'
import {fuzzRequests, startNodeOpinion} from './fuzz.ts'

/** With the answers, whose file runs beside this one, a minute. The long form is `npm run bench -- fuzz`. */
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
	ms * 3,
)
