import {basename} from 'node:path'

import {CordonError} from '#contract/errors.ts'

import type {Database} from './database.ts'

/** SQL of one step, or code for what SQL cannot do. Steps are only ever added at the end. */
export type Migration = string | ((database: Database) => void)

/**
 * Applies the missing steps, as counted by `user_version`. Two processes may do so at once: the second waits for the first and
 * finds nothing to do. Throws `storage` when a newer program wrote the file.
 */
export function migrate(database: Database, steps: readonly Migration[]) {
	if (checkedVersion(database, steps.length) === steps.length) return
	database.transaction(
		() => {
			// Checked again: another process may have migrated while this one waited for the lock.
			for (const step of steps.slice(checkedVersion(database, steps.length))) apply(database, step)
			database.exec(`PRAGMA user_version = ${steps.length}`)
		},
		{durable: true}
	)
}

function checkedVersion(database: Database, newest: number) {
	const found = database.get<{user_version: number}>('PRAGMA user_version')?.user_version ?? 0
	if (found <= newest) return found
	const name = basename(database.path)
	throw new CordonError('storage', `${name} was written by a newer version of Cordon (format ${found}, this one knows ${newest}).`, {
		fix: 'Use the newer version, or another profile.'
	})
}

function apply(database: Database, step: Migration) {
	if (typeof step === 'string') database.exec(step)
	else step(database)
}
