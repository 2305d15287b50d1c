import {findCommand} from '#shared/commands/catalogue.ts'
import {CordonError} from '#contract/errors.ts'

import type {Database} from '#core/store/database.ts'
import {isAlive, ownIdentity} from '#core/store/process-identity.ts'
import type {WriteLocks} from './types.ts'

interface LockRow {
	command: string
	pid: number
	started: string
}

/** Locks in `profile.db`. One that a dead process left is taken over; `stop` releases those of this process. */
export function openWriteLocks(database: Database): WriteLocks & {stop(): void} {
	const own = ownIdentity()
	const releases = new Set<() => void>()
	/** Nobody here holds these any more, but the disk refused to let them go. */
	const leftBehind = new Set<string>()

	return {
		acquire: ({connection, target, command, intent}) => {
			const key = `${connection} ${target}`
			database.transaction(() => {
				if (!leftBehind.has(key)) refuseTaken(database, connection, target)
				database.run(
					'INSERT OR REPLACE INTO write_lock (connection, target, command, intent, pid, started) VALUES (?, ?, ?, ?, ?, ?)',
					connection,
					target,
					command,
					intent,
					own.pid,
					own.started
				)
			})
			const release = () => {
				if (!releases.delete(release)) return
				leftBehind.add(key)
				database.run('DELETE FROM write_lock WHERE connection = ? AND target = ? AND intent = ?', connection, target, intent)
				leftBehind.delete(key)
			}
			leftBehind.delete(key)
			releases.add(release)
			return release
		},
		isHeld: (connection, target) => !leftBehind.has(`${connection} ${target}`) && holderOf(database, connection, target) !== undefined,
		stop: () => {
			for (const release of releases) release()
		}
	}
}

function refuseTaken(database: Database, connection: string, target: string) {
	const held = holderOf(database, connection, target)
	if (held === undefined) return
	const where = held.pid === process.pid ? '' : ` in another process (${held.pid})`
	const what = findCommand(held.command)?.title ?? held.command
	throw new CordonError('busy', `"${what}" is still under way${where} for ${target}: nothing was sent.`)
}

/** `undefined` also when its process is gone. */
function holderOf(database: Database, connection: string, target: string) {
	const held = database.get<LockRow>('SELECT command, pid, started FROM write_lock WHERE connection = ? AND target = ?', connection, target)
	return held !== undefined && isAlive(held) ? held : undefined
}
