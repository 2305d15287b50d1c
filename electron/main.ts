/** The desktop entry. */
import {fileURLToPath} from 'node:url'

import {app} from 'electron'

import {keepCompiled} from './compiled.ts'

keepCompiled(process.env)
const [{weakeningSwitches}, {runDesktop}] = await Promise.all([import('./desktop/decisions.ts'), import('./program.ts')])

runDesktop({
	environment: process.env,
	beside: path => fileURLToPath(new URL(path, import.meta.url)),
	refused: weakeningSwitches,
	ready: () => app.whenReady()
})
