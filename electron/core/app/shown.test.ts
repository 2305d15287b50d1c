import {testClock} from '#base/testing/clock.ts'
import {createShown} from './shown.ts'

test('a connection is shown for as long as a page tells so, also when the clock was set back', () => {
	let now = 1_000_000
	const {tell, ids} = createShown({...testClock(), now: () => now})
	expect([tell('one'), tell('two'), tell('one')]).toEqual([true, true, false])
	now += 150_000
	expect([tell('one'), ids()]).toEqual([false, ['one', 'two']])
	now += 60_000
	expect(ids()).toEqual(['one'])
	now -= 3_600_000
	expect(ids()).toEqual([])
})
