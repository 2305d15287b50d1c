import {abortRounds} from './testing/aborts.ts'

/** The long form, ten thousand rounds, is `npm run bench -- aborts`. */
test.runIf(process.platform === 'linux')('clients and instances that leave at any moment leave nothing behind', async () => {
	const report = await abortRounds(300)
	expect(report).toMatchObject({rounds: 300, hanging: 0, alive: true})
	expect(report.leaked).toBeLessThanOrEqual(0)
})
