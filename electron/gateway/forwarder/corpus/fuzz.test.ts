import {startRunning, type Running} from '../testing/running.ts'
import {fuzzAnswers, fuzzRequests, startNodeOpinion, type Fuzzed} from './testing/fuzz.ts'

/** Both wait most of the time, so they run at once. The long form is `npm run bench -- fuzz`. */
const ms = 30_000

async function findsNothing(fuzz: (running: Running) => Promise<Fuzzed>) {
	const running = await startRunning()
	try {
		const {problem, passed} = await fuzz(running)
		expect(problem).toBeNull()
		expect(passed).toBeGreaterThan(20)
	} finally {
		await running.stop()
	}
}

describe.concurrent('nearly valid bytes', () => {
	it('whatever is let through, the instance reads as we do', async () => {
		const opinion = await startNodeOpinion()
		await findsNothing(running => fuzzRequests(running, opinion, ms, Date.now())).finally(opinion.stop)
	})

	it('whatever an instance answers, its client can read it, and nobody else gets any', () =>
		findsNothing(running => fuzzAnswers(running, ms, Date.now())))
})
