import {testClock} from '#core/service/api/testing/clock.ts'
import {makeChanges} from './changes.ts'

test('a file that another program holds for a while is watched on', async () => {
	const clock = testClock()
	const told: unknown[] = []
	let version = () => 1
	const changes = makeChanges(
		clock,
		() => version(),
		() => 0
	)
	changes.listen(change => told.push(change))
	version = () => expect.unreachable('database is locked')
	await clock.advance(1000)
	version = () => 2
	await clock.advance(1000)
	expect(told).toEqual([{guid: null}])
	changes.stop()
})
