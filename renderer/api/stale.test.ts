import {createStale} from './stale.ts'

const path = (name: string): unknown => new Proxy(() => name, {get: (_, next) => path(`${name} ${String(next)}`)})
let asked: string[] = []
let stale: ReturnType<typeof createStale>

beforeEach(() => {
	vi.useFakeTimers()
	asked = []
	const invalidateQueries = ({queryKey}: {queryKey: string}) => {
		asked.push(queryKey)
		return new Promise(done => setTimeout(done, 5000))
	}
	stale = createStale({invalidateQueries} as never, path('') as never)
})

afterEach(() => void vi.useRealTimers())

test('an answer that takes long is asked for again nine times as long after it, and at the end once more', async () => {
	const times = () => asked.filter(key => key === ' editor rows key').length
	for (let news = 0; news < 90; news += 1) {
		stale.jobs()
		await vi.advanceTimersByTimeAsync(1000)
	}
	expect(times()).toBe(2)
	await vi.advanceTimersByTimeAsync(90_000)
	expect(times()).toBe(3)
})

test.each(['jobs', 'log'] as const)('news of %s asks what can be undone again, without its previews', async news => {
	stale[news]()
	await vi.advanceTimersByTimeAsync(1000)
	expect(asked.filter(key => key.includes('undo'))).toEqual([' undo list key'])
})
