/** Saved views of the computers list and of the events, kept in the profile for each connection. */
import {eventViewSchema, type EventView} from '#contract/event-views.ts'
import type {ZodType} from 'zod'

import {savedViewSchema, type SavedView} from '#model/saved-view.ts'

import type {Database} from '#core/store/database.ts'

export function openViews(database: Database) {
	database.run('DELETE FROM saved_view WHERE connection NOT IN (SELECT id FROM connection)')
	const viewsOf = <View extends SavedView | EventView>(schema: ZodType<View>) => {
		const list = (connection: string) => readViews(database, connection, schema)
		return {
			/** In the order in which they were made. */
			list,
			/** Adds it or takes the place of the one with its id. Returns all. */
			save: (connection: string, view: View) => {
				store(database, connection, view)
				return list(connection)
			},
			remove: (connection: string, id: string) => {
				database.run('DELETE FROM saved_view WHERE connection = ? AND id = ?', connection, id)
				return list(connection)
			}
		}
	}
	const own = viewsOf(savedViewSchema)
	return {
		...own,
		save: (connection: string, view: SavedView) =>
			database.transaction(() => {
				for (const other of view.isDefault ? own.list(connection) : [])
					if (other.isDefault && other.id !== view.id) store(database, connection, {...other, isDefault: false})
				return own.save(connection, view)
			}),
		/** Those of the events, likewise. */
		events: viewsOf(eventViewSchema)
	}
}

function store(database: Database, connection: string, view: SavedView | EventView) {
	database.run(
		`INSERT INTO saved_view (connection, id, view) VALUES (?, ?, ?)
     ON CONFLICT (connection, id) DO UPDATE SET view = excluded.view`,
		connection,
		view.id,
		JSON.stringify(view)
	)
}

/** One that this version does not understand, or of the other kind, is left out, and stays where it is. */
function readViews<View>(database: Database, connection: string, schema: ZodType<View>) {
	return database.all<{view: string}>('SELECT view FROM saved_view WHERE connection = ? ORDER BY number', connection).flatMap(({view}) => {
		const read = schema.safeParse(JSON.parse(view))
		return read.success ? [read.data] : []
	})
}
