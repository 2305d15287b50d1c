#!/usr/bin/env node
/** The entry of `cordon`, the command line. The only place of the command line that sees the process. */
import {homedir, userInfo} from 'node:os'
import {setFlagsFromString} from 'node:v8'

import {keepCompiled} from './compiled.ts'

// The forwarding server. A small young generation, set before it grows while the program loads: it is collected often and at
// little cost, and with it the bytes of bodies, which V8 otherwise lets wait until it looks through everything. The second flag
// keeps it from doing that for the sake of bodies alone.
if (process.argv.includes('forward')) setFlagsFromString('--semi-space-growth-factor=1 --heap-growing-percent=300')

keepCompiled(process.env)

// Loaded only now, so that the cache holds for it.
const {runCli} = await import('./cli/main.ts')
const {localFiles} = await import('./cli/files.ts')
const {CordonError} = await import('#shared/contract/errors.ts')

const stop = new AbortController()
const cut = new AbortController()
let reload: (() => void) | undefined
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(name, () => {
		if (name === 'SIGHUP' && reload !== undefined) return reload()
		// A change that was sent is awaited after the first request to stop; the second cuts it off, the third asks no more.
		if (cut.signal.aborted) process.exit(130)
		;(stop.signal.aborted ? cut : stop).abort(new CordonError('cancelled', 'Cancelled.'))
	})
}

const code = await runCli(process.argv.slice(2), {
	stdin: process.stdin,
	stdout: process.stdout,
	stderr: process.stderr,
	environment: process.env,
	platform: process.platform,
	home: homedir(),
	folder: process.cwd(),
	files: localFiles,
	operator: userName(),
	signal: stop.signal,
	cut: cut.signal,
	onReload: listener => {
		reload = listener
		return () => (reload = undefined)
	},
})
process.exit(code)

/** A service may run as a user who is a number only. */
function userName(): string {
	try {
		return userInfo().username
	} catch {
		return String(process.getuid?.() ?? 'unknown')
	}
}
