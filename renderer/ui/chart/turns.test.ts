import {inTurn} from './Picture.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('each is drawn in a task of its own, in the order in which they came', () => {
	const drawn: string[] = []
	for (const name of ['lanes', 'bars']) inTurn(() => void drawn.push(name))
	expect(drawn).toEqual([])
	vi.advanceTimersToNextTimer()
	expect(drawn).toEqual(['lanes'])
	vi.advanceTimersToNextTimer()
	expect(drawn).toEqual(['lanes', 'bars'])
	expect(vi.getTimerCount()).toBe(0)
})

test('a cancelled drawing is skipped, and a failed one does not stop the others', () => {
	const drawn: string[] = []
	inTurn(() => {
		throw new Error('no canvas')
	})
	const callOff = inTurn(() => void drawn.push('gone'))
	inTurn(() => void drawn.push('bars'))
	callOff()
	expect(() => vi.runAllTimers()).toThrow('no canvas')
	vi.runAllTimers()
	expect(drawn).toEqual(['bars'])
})
