/** The X server's windows, the system's own dialogs among them, and keys pressed there. */
import {execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {promisify} from 'node:util'

import {expect} from '../fixtures.ts'

const run = promisify(execFile)

/** The id of the process's visible window with this title; empty while there is none. */
export async function visibleWindow(pid: number, title: RegExp, around: Readonly<Record<string, string>> = {}) {
	const env = {...process.env, ...around}
	const args = ['search', '--onlyvisible', '--all', '--pid', String(pid), '--name', title.source]
	// xdotool exits with 1 when it finds nothing.
	const {stdout} = await run('xdotool', args, {env}).catch((error: {stdout: string; code: unknown}) => {
		if (error.code === 1) return error
		throw error
	})
	return stdout.trim().split('\n', 1)[0] ?? ''
}

/** A display of a test's own: keys go to the focused window, and other tests open windows too. */
export type Display = Awaited<ReturnType<typeof startDisplay>>

export async function startDisplay() {
	const words = ['-displayfd', '1', '-screen', '0', '1600x1000x24', '-noreset', '-nolisten', 'tcp']
	const server = spawn('Xvfb', words, {stdio: ['ignore', 'pipe', 'ignore']})
	const [number] = (await once(createInterface({input: server.stdout}), 'line')) as [string] // the argument of this event
	const environment = {DISPLAY: `:${number}`}
	const press = (...keys: readonly string[]) => run('xdotool', keys, {env: {...process.env, ...environment}})
	return {
		environment,
		/**
		 * Focuses the process's window with this title, presses the first key, types the text, presses the last key until the
		 * window is gone.
		 */
		typeInto: async (pid: number | undefined, title: RegExp, first: string, text: string, last: string) => {
			let id = ''
			const look = async () => (id = await visibleWindow(pid ?? 0, title, environment))
			await expect.poll(look).toMatch(/^\d+$/)
			await press('windowfocus', '--sync', id, 'key', '--clearmodifiers', first, 'type', text)
			// The dialog ignores the key while it looks for the typed folder.
			await expect
				.poll(async () => {
					await press('key', last)
					return await look()
				})
				.toBe('')
		},
		stop: async () => {
			const ended = once(server, 'exit')
			server.kill()
			await ended
		}
	}
}
