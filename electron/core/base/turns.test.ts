import {createTurns} from './turns.ts'

test('nothing begins before the one before it has ended, however that ended', async () => {
	const turn = createTurns()
	const told: string[] = []
	const first = Promise.withResolvers<void>()
	const one = turn(async () => {
		told.push('one begins')
		await first.promise
		told.push('one ends')
		throw new Error('one failed')
	})
	const two = turn(async () => {
		told.push('two')
		return 2
	})
	await Promise.resolve()
	first.resolve()
	await expect(one).rejects.toThrow('one failed')
	expect(await two).toBe(2)
	expect(told).toEqual(['one begins', 'one ends', 'two'])
})
