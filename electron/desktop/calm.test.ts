import {createCalm} from './calm.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function reachedAfter(callsAt: number[]) {
	const began = Date.now()
	const {heard, reached} = createCalm()
	for (const ms of callsAt) setTimeout(heard, ms)
	const at = reached.then(() => Date.now() - began)
	await vi.advanceTimersByTimeAsync(20_000)
	return at
}

test.each([
	{callsAt: [], ms: 10_000},
	{callsAt: [3000, 3100, 3400], ms: 3900},
	{callsAt: Array.from({length: 50}, (_, call) => 100 + call * 400), ms: 2100}
])('what waits for the first screen waits for its calls, not for a time: $ms', async ({callsAt, ms}) => {
	expect(await reachedAfter(callsAt)).toBe(ms)
})
