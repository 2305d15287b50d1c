/** The desktop entry. */
import {fileURLToPath} from 'node:url'

import {app} from 'electron'

import {weakeningSwitches} from './desktop/decisions.ts'
import {runDesktop} from './program.ts'

runDesktop({
	environment: process.env,
	beside: path => fileURLToPath(new URL(path, import.meta.url)),
	refused: weakeningSwitches,
	ready: () => app.whenReady(),
})
