#!/usr/bin/env node
import {setFlagsFromString} from 'node:v8'

import {keepCompiled} from './compiled.ts'

// For the forwarding server: a small young generation is collected often and cheaply, and frees bodies that V8 otherwise
// keeps until a full collection. The second flag avoids full collections for the sake of bodies alone. V8 wants both before
// it grows.
if (process.argv.includes('forward')) setFlagsFromString('--semi-space-growth-factor=1 --heap-growing-percent=300')

keepCompiled(process.env)

// An older one cannot read what is loaded next.
if (Number.parseInt(process.versions.node, 10) < 24) {
	process.stderr.write(`cordon: Cordon needs Node 24 or newer, and this is Node ${process.versions.node}. Run it with another one.\n`)
	process.exit(2)
}

// Loaded only now, so that the compile cache covers it.
const {runCli} = await import('./cli/main.ts')
const {localFiles, standardOutput} = await import('./cli/files.ts')
const {homeFolder, userName} = await import('#base/system.ts')
const {CordonError} = await import('#contract/errors.ts')

const stop = new AbortController()
const cut = new AbortController()
let reload: (() => void) | undefined
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(name, () => {
		if (name === 'SIGHUP' && reload !== undefined) return reload()
		// The first request to stop awaits a change that was sent, the second cuts it off, the third exits at once.
		if (cut.signal.aborted) process.exit(130)
		;(stop.signal.aborted ? cut : stop).abort(new CordonError('cancelled', 'Cancelled.'))
	})
}

const code = await runCli(process.argv.slice(2), {
	stdin: process.stdin,
	stdout: standardOutput(),
	stderr: process.stderr,
	environment: process.env,
	platform: process.platform,
	home: homeFolder(),
	folder: workingFolder(),
	files: localFiles,
	operator: userName(),
	signal: stop.signal,
	cut: cut.signal,
	onReload: listener => {
		reload = listener
		return () => (reload = undefined)
	}
})
process.exit(code)

/** It may have been removed: then no relative name leads anywhere. */
function workingFolder() {
	try {
		return process.cwd()
	} catch {
		return '/'
	}
}
