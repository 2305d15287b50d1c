/** The last output lines of programs, recorded by the running console for other processes on the profile. */
import type {InstanceDetail} from '#contract/instances.ts'

import type {Database} from '#core/store/database.ts'

export type OutputLine = InstanceDetail['output'][number]

/** Lines kept per instance. */
const mostOutput = 200

/** Oldest first, by instance. Skips instances removed meanwhile. */
export function addOutput(database: Database, printed: ReadonlyMap<string, readonly OutputLine[]>): void {
	if (printed.size === 0) return
	database.transaction(() => {
		for (const [instance, lines] of printed) {
			for (const line of lines)
				database.run(
					`INSERT INTO instance_output (instance, line)
           SELECT $instance, $line WHERE EXISTS (SELECT 1 FROM instance WHERE id = $instance)`,
					{instance, line: JSON.stringify(line)},
				)
			database.run(
				`DELETE FROM instance_output WHERE instance = $instance AND number <=
           (SELECT number FROM instance_output WHERE instance = $instance ORDER BY number DESC LIMIT 1 OFFSET $most)`,
				{instance, most: mostOutput},
			)
		}
	})
}

/** Oldest first. */
export function outputOf(database: Database, instance: string): readonly OutputLine[] {
	const rows = database.all<{line: string}>('SELECT line FROM instance_output WHERE instance = ? ORDER BY number', instance)
	// Written by `addOutput`.
	return rows.map(({line}) => JSON.parse(line) as OutputLine)
}

/** Lines to be written: no more per instance than are kept. */
export function waitingOutput() {
	let waiting = new Map<string, OutputLine[]>()
	return {
		add(instance: string, line: OutputLine) {
			const known = waiting.get(instance) ?? []
			known.push(line)
			// Only now and then: moving all of them costs more than keeping a few extra.
			waiting.set(instance, known.length >= 2 * mostOutput ? known.slice(-mostOutput) : known)
		},
		take(): ReadonlyMap<string, readonly OutputLine[]> {
			const all = new Map([...waiting].map(([instance, lines]) => [instance, lines.slice(-mostOutput)]))
			waiting = new Map()
			return all
		},
	}
}
