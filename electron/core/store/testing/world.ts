/** For tests of the profile: a temporary folder, and time that moves only on command. */
import {randomBytes} from 'node:crypto'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {onTestFinished} from 'vitest'

import {testClock} from '#core/service/api/testing/clock.ts'
import {openProfileDatabase} from '../profile-schema.ts'

export type World = ReturnType<typeof createWorld>

/** The folder goes when the test and every `afterEach` are over. */
export function createWorld() {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-profile-'))
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
	return {folder, clock: testClock({start: Date.parse('2026-03-01T12:00:00Z')}), random: (bytes: number): Uint8Array => randomBytes(bytes)}
}

/** Its profile database, as a process opens it; closed when the test is over. */
export function profileDatabase({folder}: Pick<World, 'folder'>) {
	const database = openProfileDatabase(folder)
	onTestFinished(() => database.close())
	return database
}
