/** The last output lines of programs, recorded by the running console for other processes on the profile. */
import type {InstanceDetail} from '#contract/instances.ts'

import type {Database} from '#core/store/database.ts'
import {dropOlder} from './kept-rows.ts'

export type OutputLine = InstanceDetail['output'][number]

/** Oldest first, by instance. Skips instances removed meanwhile. */
export function addOutput(database: Database, printed: ReadonlyMap<string, readonly OutputLine[]>) {
	if (printed.size === 0) return
	database.transaction(() => {
		for (const [instance, lines] of printed) {
			for (const line of lines)
				database.run(
					`INSERT INTO instance_output (instance, line)
           SELECT $instance, $line WHERE EXISTS (SELECT 1 FROM instance WHERE id = $instance)`,
					{instance, line: JSON.stringify(line)}
				)
			dropOlder(database, 'instance_output', instance)
		}
	})
}

/** Oldest first. */
export function outputOf(database: Database, instance: string): readonly OutputLine[] {
	const rows = database.all<{line: string}>('SELECT line FROM instance_output WHERE instance = ? ORDER BY number', instance)
	// Written by `addOutput`.
	return rows.map(({line}) => JSON.parse(line) as OutputLine)
}
