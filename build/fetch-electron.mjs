/**
 * Fetches the Electron that `npm start` opens the window with; Node 24, started by `build/lib/electron.mjs` with
 * `--use-env-proxy`. Exit codes: 0 installed, 1 not available, 130 cancelled.
 */
import {readFileSync} from 'node:fs'

import {createTeller, downloadElectron} from './lib/electron-download.mjs'
import {at} from './lib/paths.mjs'
import {runTool} from './lib/run.mjs'
import {say} from './lib/say.mjs'

const cancelled = 130
/** Ctrl+C, Escape, b and q: a terminal in raw mode delivers Ctrl+C as a byte. */
const cancelling = new Set([0x03, 0x1b, ...Buffer.from('bBqQ')])
const json = name => JSON.parse(readFileSync(at('node_modules', 'electron', name), 'utf8'))
const {version} = json('package.json')
const abort = new AbortController()

function listen() {
	process.on('SIGINT', () => abort.abort())
	const {stdin} = process
	if (!stdin.isTTY) return () => {}
	stdin.setRawMode(true)
	stdin.on('data', keys => [...keys].some(key => cancelling.has(key)) && abort.abort())
	return () => {
		stdin.setRawMode(false)
		stdin.pause()
	}
}

/** Node for Intel on a Mac with Apple's processor still gets the window for the latter, as with Electron's own script. */
function architecture() {
	if (process.platform !== 'darwin' || process.arch !== 'x64') return process.arch
	return runTool('sysctl', ['-in', 'sysctl.proc_translated'], {quiet: true}).output.trim() === '1' ? 'arm64' : 'x64'
}

/** Electron's own script finds the archive in the cache. */
function install(arch) {
	const env = {...process.env, ELECTRON_INSTALL_ARCH: arch}
	const {ok, output} = runTool(process.execPath, [at('node_modules', 'electron', 'install.js')], {quiet: true, env})
	if (!ok) throw new Error(`Electron was downloaded, but not installed.\n${output}`)
}

const stopListening = listen()
try {
	const arch = architecture()
	say(`Fetching Electron ${version} for the desktop window, once.`)
	say(process.stdin.isTTY ? 'Press B to open the console in a browser instead.' : 'Ctrl+C opens a browser instead.')
	const tell = createTeller({write: text => process.stderr.write(text), isTerminal: process.stderr.isTTY === true})
	const cacheRoot = process.env.electron_config_cache
	const details = {version, arch, platform: process.platform, checksums: json('checksums.json'), cacheRoot}
	await downloadElectron(details, {signal: abort.signal, onProgress: tell})
	stopListening()
	install(arch)
} catch (error) {
	stopListening()
	if (process.stderr.isTTY) process.stderr.write('\n')
	say(error.message)
	process.exitCode = abort.signal.aborted ? cancelled : 1
}
