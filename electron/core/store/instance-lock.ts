import {join} from 'node:path'

import {CordonError, messageOf} from '#contract/errors.ts'

import {readConsoleFile} from './console-file.ts'
import {isHeld, tryLockFile} from './lock-file.ts'

/**
 * One console per profile. Throws `busy` when another process has it; the command line does not take this lock. Throws `storage`
 * when the folder cannot be written.
 */
export function lockProfile(folder: string) {
	const attempt = attemptLock(join(folder, 'console.lock'))
	if (isHeld(attempt)) return attempt
	const {pid} = attempt.holder
	const file = readConsoleFile(folder)
	// One that was killed left its own.
	const place = file?.pid === pid ? ` It is at ${file.url} for the browser that has entered; for a new entry link, stop it first.` : ''
	throw new CordonError('busy', `Another console (process ${pid}) already runs on the profile ${folder}.${place}`, {
		fix: 'Use that console, stop it, or choose another folder with --profile or CORDON_PROFILE.'
	})
}

/** Throws `storage` as {@link lockProfile} does; whoever holds the lock keeps it. */
export function refuseUnwritable(folder: string) {
	const attempt = attemptLock(join(folder, 'console.lock'))
	if (isHeld(attempt)) attempt.release()
}

function attemptLock(path: string) {
	try {
		return tryLockFile(path)
	} catch (error) {
		const reason = messageOf(error)
		throw new CordonError('storage', `The profile cannot be locked: ${reason}.`, {}, {cause: error})
	}
}
