/** For tests of the profile: a temporary folder, and time that moves only on command. */
import {randomBytes} from 'node:crypto'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {onTestFinished} from 'vitest'

export type World = ReturnType<typeof createWorld>

/** The folder goes when the test and every `afterEach` are over. */
export function createWorld() {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-profile-'))
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
	return {folder, clock: manualClock(Date.parse('2026-03-01T12:00:00Z')), random: (bytes: number): Uint8Array => randomBytes(bytes)}
}

function manualClock(start: number) {
	let time = start
	const sleepers = new Set<{due: number; wake: () => void}>()
	return {
		now: () => time,
		monotonic: () => time - start,
		sleep: (ms: number, signal?: AbortSignal) =>
			new Promise<void>((resolve, reject) => {
				const sleeper = {due: time + ms, wake: resolve}
				sleepers.add(sleeper)
				signal?.addEventListener('abort', () => {
					sleepers.delete(sleeper)
					reject(signal.reason)
				})
			}),
		/** Moves the time and wakes the sleepers that are due; resolves when they ran. */
		advance: async (ms: number) => {
			time += ms
			for (const sleeper of sleepers) {
				if (sleeper.due > time) continue
				sleepers.delete(sleeper)
				sleeper.wake()
			}
			await new Promise(resolve => setImmediate(resolve))
		}
	}
}
