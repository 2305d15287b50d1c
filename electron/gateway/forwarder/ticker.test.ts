import {startTicker, type Ticker} from './ticker.ts'

const all: Ticker[] = []

function start(...limitsMs: number[]) {
	const ticker = startTicker(limitsMs)
	all.push(ticker)
	return ticker
}

beforeEach(() => void vi.useFakeTimers({toFake: ['setInterval', 'clearInterval', 'performance']}))
afterEach(() => {
	for (const ticker of all.splice(0)) ticker.stop()
	vi.useRealTimers()
})

test.each([
	[[800], 100],
	[[4000, 800, 0], 100],
	[[87], 10],
	[[88], 11],
	[[40], 10],
	[[4000], 500],
	[[60_000], 500],
	[[0], 500],
	[[], 500]
])('limits of %j ms are looked at in steps of %i ms', (limits, stepMs) => {
	expect(start(...limits).stepMs).toBe(stepMs)
})

test('a deadline is never early, and at most two steps late; none is never reached', () => {
	const ticker = start(80)
	expect(ticker.after(0)).toBe(Infinity)
	for (const waited of [0, 1, 9, 10, 19]) {
		vi.advanceTimersByTime(waited)
		const begun = performance.now()
		const deadline = ticker.after(80)
		let reached = 0
		const ticked = {tick: (now: number) => void (reached ||= now >= deadline ? performance.now() : 0)}
		ticker.add(ticked)
		vi.advanceTimersByTime(79 + 2 * ticker.stepMs + 1)
		ticker.remove(ticked)
		expect(reached - begun).toBeGreaterThanOrEqual(80)
	}
})

test('who was removed, and everyone after its stop, hears nothing more', () => {
	const ticker = start(80)
	const [gone, there] = [{tick: vi.fn<(now: number) => void>()}, {tick: vi.fn<(now: number) => void>()}]
	for (const one of [gone, there]) ticker.add(one)
	ticker.remove(gone)
	vi.advanceTimersByTime(10)
	ticker.stop()
	vi.advanceTimersByTime(100)
	expect([gone, there].map(({tick}) => tick.mock.calls.length)).toEqual([0, 1])
	expect(there.tick).toHaveBeenCalledWith(ticker.now)
})
