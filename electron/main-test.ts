/**
 * The desktop entry of the tests: it takes the debugging switch with which Playwright steers the window, and nothing else
 * differs. No package holds this file (`build/package.mjs`), and the ordinary entry knows no way to take the switch.
 */
import {fileURLToPath} from 'node:url'

import {app} from 'electron'

import {keepCompiled} from './compiled.ts'

keepCompiled(process.env)
const [{weakeningSwitches}, {runDesktop}] = await Promise.all([import('./desktop/decisions.ts'), import('./program.ts')])

const debugging = 'remote-debugging-port'

/** Playwright calls it when it has taken hold; a window that is made meanwhile may come up half attached and stay blank. */
const steered = new Promise<void>(resolve => void Object.assign(globalThis, {__playwright_run: resolve}))

runDesktop({
	environment: process.env,
	beside: path => fileURLToPath(new URL(path, import.meta.url)),
	refused: weakeningSwitches.filter(name => name !== debugging),
	ready: async () => {
		await app.whenReady()
		if (app.commandLine.hasSwitch(debugging)) await steered
	}
})
