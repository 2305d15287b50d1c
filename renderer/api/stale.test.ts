import {createStale} from './stale.ts'

test('an answer that takes long is asked for again nine times as long after it, and at the end once more', async () => {
	vi.useFakeTimers()
	const path = (name: string): unknown => new Proxy(() => name, {get: (_, next) => path(`${name} ${String(next)}`)})
	let asked = 0
	const invalidateQueries = ({queryKey}: {queryKey: unknown}) => {
		if (queryKey === ' editor rows key') asked += 1
		return new Promise(done => setTimeout(done, 5000))
	}
	const stale = createStale({invalidateQueries} as never, path('') as never)
	for (let news = 0; news < 90; news += 1) {
		stale.jobs()
		await vi.advanceTimersByTimeAsync(1000)
	}
	expect(asked).toBe(2)
	await vi.advanceTimersByTimeAsync(90_000)
	expect(asked).toBe(3)
	vi.useRealTimers()
})
