import {startRunning} from '../testing/running.ts'
import {fuzzAnswers} from './testing/fuzz.ts'

/** One minute together with the requests, whose file runs in parallel. The long form is `npm run bench -- fuzz`. */
const ms = 30_000

it(
	'whatever an instance answers, its client can read it, and nobody else gets any',
	async () => {
		const running = await startRunning()
		try {
			const {problem, passed} = await fuzzAnswers(running, ms, Date.now())
			expect(problem).toBeNull()
			expect(passed).toBeGreaterThan(20)
		} finally {
			await running.stop()
		}
	},
	ms * 3
)
