import {createWorld} from '#core/store/testing/world.ts'
import {startLooking} from './replica.ts'

const hour = 3_600_000

test('after the computer slept it refreshes within half a minute, or at once on request', async () => {
	const {clock} = createWorld()
	let asleep = 0
	let looks = 0
	// A sleep: the wall clock moves on, but not the time measured by the process.
	const refresher = startLooking({...clock, now: () => clock.now() + asleep}, async () => {
		looks += 1
		return hour
	})
	await clock.advance(60_000)
	expect(looks).toBe(1)
	asleep = 2 * hour
	await clock.advance(30_000)
	expect(looks).toBe(2)
	await clock.advance(60_000)
	expect(looks).toBe(2)
	refresher.trigger()
	await clock.advance(0)
	expect(looks).toBe(3)
	// Also without a sleep after the requested time.
	for (let minutes = 0; minutes < 60; minutes += 1) await clock.advance(60_000)
	expect(looks).toBe(4)
	await refresher.stop()
})
