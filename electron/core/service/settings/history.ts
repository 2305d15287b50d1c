import {redactLine} from '#base/redact.ts'
import type {Database} from '#core/store/database.ts'

const kept = 500

/**
 * Lines of the in-app command line, newest last. Values of secret arguments are taken out before a line is kept. Keeps the
 * newest 500 lines; a line that repeats the last one is kept once.
 */
export function openHistory(database: Database) {
	const read = (sql: string) => database.all<{line: string}>(sql).map(row => row.line)
	return {
		lines: () => read('SELECT line FROM history ORDER BY number'),
		remember: (line: string) => {
			const clean = redactLine(line.trim())
			if (clean === '') return
			database.transaction(() => {
				if (read('SELECT line FROM history ORDER BY number DESC LIMIT 1')[0] === clean) return
				database.run('INSERT INTO history (line) VALUES (?)', clean)
				database.run('DELETE FROM history WHERE number <= (SELECT max(number) FROM history) - ?', kept)
			})
		}
	}
}
