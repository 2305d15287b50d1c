import {startRunning} from '../testing/running.ts'
import {fuzzAnswers, fuzzRequests, startNodeOpinion} from './testing/fuzz.ts'

/** Both wait most of the time, so they run at once. The long form is `npm run bench -- fuzz`. */
const ms = 30_000

describe.concurrent('nearly valid bytes', () => {
	it('whatever is let through, the instance reads as we do', async () => {
		const [running, opinion] = [await startRunning(), await startNodeOpinion()]
		const {problem, passed} = await fuzzRequests(running, opinion, ms, Date.now())
		await opinion.stop()
		await running.stop()
		expect(problem).toBeNull()
		expect(passed).toBeGreaterThan(20)
	})

	it('whatever an instance answers, its client can read it, and nobody else gets any', async () => {
		const running = await startRunning()
		const {problem, passed} = await fuzzAnswers(running, ms, Date.now())
		await running.stop()
		expect(problem).toBeNull()
		expect(passed).toBeGreaterThan(20)
	})
})
