import {mostQuotaWaitMs, waitingAtMost} from './acting.ts'

test('the patience of work is that of all it calls, and not of what goes on after it', async () => {
	const over = Promise.withResolvers<void>()
	const begun = await waitingAtMost(5, async () => [mostQuotaWaitMs(), over.promise.then(mostQuotaWaitMs)])
	over.resolve()
	expect(await Promise.all([...begun, mostQuotaWaitMs()])).toEqual([5, undefined, undefined])
})
