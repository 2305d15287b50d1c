import {settingsSchema} from '#model/settings.ts'

import type {Database} from '#core/store/database.ts'
import {createWorld, profileDatabase, type World} from '#core/store/testing/world.ts'
import {openHistory} from './history.ts'
import {openSettings} from './settings.ts'

let world: World
let database: Database
beforeEach(() => {
	world = createWorld()
	database = profileDatabase(world)
})

test('settings begin with their defaults, and a change leaves the others alone', () => {
	const settings = openSettings(database)
	expect(settings.get()).toEqual(settingsSchema.parse({}))
	settings.set({theme: 'dark', activeConnection: 'c1'})
	const {singleKeys: _, ...change} = {singleKeys: true, timeZone: 'utc' as const}
	expect(settings.set(change)).toEqual({...settingsSchema.parse({}), theme: 'dark', activeConnection: 'c1', timeZone: 'utc'})
	expect(openSettings(database).get().theme).toBe('dark')
})

test('a stored value that no longer fits counts as not set', () => {
	database.run(`INSERT INTO setting VALUES ('theme', '"sepia"'), ('forgotten', '1'), ('timeZone', '"utc"')`)
	expect(openSettings(database).get()).toEqual({...settingsSchema.parse({}), timeZone: 'utc'})
})

test('a value that does not fit is refused with its name', () => {
	// As it would come from a caller that did not check.
	const bad = {theme: 'sepia'} as unknown as {theme: 'dark'}
	expect(() => openSettings(database).set(bad)).toThrow(expect.objectContaining({code: 'invalid_argument', details: {field: 'theme'}}))
})

test('listeners are notified of changes until they stop', () => {
	const settings = openSettings(database)
	let heard = 0
	const stop = settings.onChange(() => (heard += 1))
	settings.set({theme: 'dark'})
	stop()
	settings.set({theme: 'light'})
	expect(heard).toBe(1)
})

test('history keeps the newest 500 lines in order, without repetitions and without codes', () => {
	const history = openHistory(database)
	for (let number = 0; number < 510; number += 1) history.remember(`svc_get_version ${number}`)
	history.remember('  svc_get_version 509 ')
	history.remember(' ')
	history.remember('svc_put_computers_isolation x unlock_code=tango42')
	const lines = openHistory(database).lines()
	expect(lines).toHaveLength(500)
	expect(lines[0]).toBe('svc_get_version 11')
	expect(lines.at(-2)).toBe('svc_get_version 509')
	expect(lines.at(-1)).not.toContain('tango42')
})
