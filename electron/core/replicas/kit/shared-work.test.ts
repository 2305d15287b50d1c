import {tellWait, waitingAtMost} from '#base/acting.ts'
import {turns} from '#base/testing/until.ts'
import {makeShared} from './shared-work.ts'

test('of those who share work each waits for the API limit as long as it may, whoever began', async () => {
	const shared = makeShared<string>()
	const [limit, over, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<string>()]
	const join = (ms?: number) =>
		waitingAtMost(ms, () =>
			shared.join(async () => {
				await limit.promise
				tellWait(5000, new Error('limit'))
				await over.promise
				tellWait(0, new Error('limit'))
				return end.promise
			}, undefined)
		)
	const begun = join(1000)
	const patient = [join(), join(9000)]
	limit.resolve()
	await expect(begun).rejects.toThrow('limit')
	await expect(join(0)).rejects.toThrow('limit')
	over.resolve()
	await turns(2)
	patient.push(join(0))
	end.resolve('read')
	expect(await Promise.all(patient)).toEqual(['read', 'read', 'read'])
})
