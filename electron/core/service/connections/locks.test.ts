import {spawn} from 'node:child_process'
import {once} from 'node:events'

import type {Database} from '#core/store/database.ts'
import {createWorld, profileDatabase, type World} from '#core/store/testing/world.ts'
import {openWriteLocks} from './locks.ts'

let world: World
let database: Database
let second: Database

beforeEach(() => {
	world = createWorld()
	database = profileDatabase(world)
	second = profileDatabase(world)
})

describe('write locks', () => {
	const lock = {connection: 'c1', target: 'computer 1', command: 'svc_put_computers_isolation', intent: 'i1'}

	test('exclude a second change of the same object, in every process', () => {
		const [one, two] = [openWriteLocks(database), openWriteLocks(second)]
		const release = one.acquire(lock)
		expect(() => two.acquire({...lock, intent: 'i2'})).toThrow(
			expect.objectContaining({code: 'busy', message: '"Isolate a computer" is still under way for computer 1: nothing was sent.'})
		)
		two.acquire({...lock, target: 'computer 2', intent: 'i3'})()
		release()
		const again = two.acquire({...lock, intent: 'i2'})
		release()
		expect(() => one.acquire(lock)).toThrow('still under way')
		again()
	})

	test('of a process that was killed are taken over', async () => {
		const locks = openWriteLocks(database)
		locks.acquire(lock)
		const child = spawn(process.execPath, ['-e', ''])
		await once(child, 'exit')
		database.run("UPDATE write_lock SET pid = ?, started = ''", child.pid ?? 0)
		expect(() => locks.acquire({...lock, intent: 'i2'})()).not.toThrow()
	})

	test('that the disk did not release do not block their own process', () => {
		const locks = openWriteLocks(database)
		const release = locks.acquire(lock)
		database.exec("CREATE TRIGGER stuck BEFORE DELETE ON write_lock BEGIN SELECT RAISE(ABORT, 'disk'); END")
		expect(release).toThrow(expect.objectContaining({code: 'storage'}))
		database.exec('DROP TRIGGER stuck')
		const again = locks.acquire(lock)
		expect(() => locks.acquire(lock)).toThrow('still under way')
		again()
		expect(database.all('SELECT * FROM write_lock')).toEqual([])
	})

	test('name the other process, and end with their own', () => {
		const locks = openWriteLocks(database)
		locks.acquire(lock)
		database.run("UPDATE write_lock SET pid = 1, started = ''")
		expect(() => locks.acquire({...lock, intent: 'i2'})).toThrow('in another process (1)')
		locks.stop()
		locks.acquire({...lock, intent: 'i2'})()
	})
})
