import type {Database} from './database.ts'

/** Changes with every commit of another connection to the file (https://sqlite.org/pragma.html#pragma_data_version). */
export function foreignVersion(database: Database) {
	return database.get<{data_version: number}>('PRAGMA data_version')?.data_version ?? 0
}

/** Changes with commits of others, and with changes of our own. */
export function versionOf(database: Database) {
	const own = database.get<{changes: number}>('SELECT total_changes() AS changes')?.changes ?? 0
	return `${foreignVersion(database)} ${own}`
}
