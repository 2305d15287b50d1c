import {settingsSchema} from '#model/settings.ts'
import {invalidArgument} from '#contract/errors.ts'

import type {SettingsStore} from '../connections/types.ts'
import {unmanaged, type Managed} from '../managed/managed.ts'
import type {Database} from '#core/store/database.ts'

/** Compiling the schema takes longer than a start uses it. */
const small = {jitless: true} as const

/** Settings of the profile, read fresh each time, so that window and command line agree; what an administrator holds is over them. */
export function openSettings(database: Database, managed: Managed = unmanaged): SettingsStore {
	const listeners = new Set<() => void>()
	return {
		get: () => managed.settings.applied(readSettings(database)),
		set: change => {
			const given = Object.entries(managed.settings.admitted(change)).filter(([, value]) => value !== undefined)
			const settings = database.transaction(() => {
				const merged = checked({...readSettings(database), ...Object.fromEntries(given)})
				for (const [name, value] of Object.entries(merged)) store(database, name, value)
				return merged
			})
			for (const listener of listeners) listener()
			return managed.settings.applied(settings)
		},
		onChange: listener => {
			const own = () => listener()
			listeners.add(own)
			return () => listeners.delete(own)
		}
	}
}

/** A stored value that no longer fits, of an older or newer version, counts as not set. */
function readSettings(database: Database) {
	const rows = database.all<{name: string; value: string}>('SELECT name, value FROM setting')
	const stored = rows.flatMap(({name, value}) => usable(name, value))
	return settingsSchema.parse(Object.fromEntries(stored), small)
}

function usable(name: string, text: string): readonly (readonly [string, unknown])[] {
	const value: unknown = JSON.parse(text)
	return settingsSchema.safeParse({[name]: value}, small).success ? [[name, value]] : []
}

function checked(merged: unknown) {
	const result = settingsSchema.safeParse(merged)
	if (result.success) return result.data
	const issue = result.error.issues[0]
	const field = String(issue?.path[0] ?? 'settings')
	throw invalidArgument(`The setting ${field} cannot have that value.`, field)
}

function store(database: Database, name: string, value: unknown) {
	const text = JSON.stringify(value)
	database.run(
		'INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value',
		name,
		text
	)
}
