/** Whether the local API is on: stored in the profile, used by every process, applied by the one that serves. */
import {usageError} from '#contract/errors.ts'
import {usualApiPort, type DoorChange, type DoorState} from '#model/door.ts'
import type {Surface} from '#model/incident.ts'

import type {NewEntry} from '#core/record/incidents/types.ts'
import type {Database} from '#core/store/database.ts'

interface Stored {
	enabled: number
	port: number | null
}

export function storedDoor(database: Database, note: (entry: NewEntry) => void) {
	const state = (): DoorState => {
		const {enabled, port} = database.get<Stored>('SELECT enabled, port FROM api_door') ?? {enabled: 0, port: usualApiPort}
		return {on: enabled === 1, port, address: null, problem: null}
	}
	return {
		state,
		set: async ({on, port = state().port}: DoorChange, surface: Surface) => {
			const message = `The local API was switched ${on ? 'on' : 'off'}.`
			database.transaction(() => {
				database.run('INSERT OR REPLACE INTO api_door (one, enabled, port) VALUES (1, ?, ?)', on ? 1 : 0, port)
				note({kind: 'session.changed', surface, message, data: {on, port}})
			})
			return state()
		},
		test: async () => {
			throw usageError('No console of this profile runs: start it, and the local API answers.')
		}
	}
}
