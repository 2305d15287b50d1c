import type {Database} from '#core/store/database.ts'

export type Meta = ReturnType<typeof makeMeta>

export function makeMeta(database: Database) {
	return {
		read: <T>(key: string) => {
			const text = database.get<{value: string}>('SELECT value FROM meta WHERE key = ?', key)?.value
			return text === undefined ? undefined : (JSON.parse(text) as T)
		},
		write: (key: string, value: unknown) => void database.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', key, JSON.stringify(value))
	}
}

export type Serials = ReturnType<typeof makeSerials>

/** Stores a serial number that is above the last one: it rises with each edit, whatever the clock says. */
export function makeSerials(database: Database) {
	return {
		see: (policy: string, serial: unknown, at: number) => {
			if (typeof serial !== 'number') return
			const guid = policy.toLowerCase()
			const sql = 'SELECT serial FROM serial WHERE policy = ? AND serial >= ?'
			if (database.get(sql, guid, serial) !== undefined) return
			database.run('INSERT OR REPLACE INTO serial VALUES (?, ?, ?)', guid, at, serial)
		}
	}
}

export function serialsOf(database: Database, guid: string): readonly {serial: number; seenAt: string}[] {
	const sql = 'SELECT serial, seen_at FROM serial WHERE policy = ? ORDER BY serial DESC'
	const rows = database.all<{serial: number; seen_at: number}>(sql, guid)
	return rows.map(({serial, seen_at: at}) => ({serial, seenAt: new Date(at).toISOString()}))
}
