import {inTurn} from './Announcer.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('news waits for the answer to an act, and for other news; an answer never waits', () => {
	const told: string[] = []
	const say = inTurn(text => told.push(text), 3000)
	say('GUID copied')
	say('A job ended', true)
	say('An instance stopped', true)
	expect(told).toEqual(['GUID copied'])
	say('Note saved')
	expect(told).toEqual(['GUID copied', 'Note saved'])
	vi.advanceTimersByTime(2999)
	expect(told).toHaveLength(2)
	vi.advanceTimersByTime(1)
	expect(told.at(-1)).toBe('A job ended')
	vi.advanceTimersByTime(3000)
	expect(told.at(-1)).toBe('An instance stopped')
	vi.advanceTimersByTime(3000)
	say('Rate limited', true)
	expect(told).toEqual(['GUID copied', 'Note saved', 'A job ended', 'An instance stopped', 'Rate limited'])
})
