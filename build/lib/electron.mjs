import {spawnSync} from 'node:child_process'
import {existsSync, readdirSync, statSync} from 'node:fs'
import {dirname, join} from 'node:path'

import {at} from './paths.mjs'
import {readIfThere} from './read-json.mjs'
import {runInPlace} from './run.mjs'
import {say} from './say.mjs'

/** The program's path in Electron's archives. */
const binaryNames = {linux: 'electron', darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe'}

/** Path of Electron's binary, or `undefined`. Never loads the package `electron`: that would start a download. */
export function electronBinary() {
	const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
	const name = override === undefined ? readIfThere(at('node_modules', 'electron', 'path.txt')) : binaryNames[process.platform]
	if (name === undefined) return undefined
	const path = join(override ?? at('node_modules', 'electron', 'dist'), name)
	return existsSync(path) ? path : undefined
}

/**
 * Downloads the binary, with progress; the operator may cancel. Remembers nothing: the next start tries again, unless
 * `ELECTRON_SKIP_BINARY_DOWNLOAD` is set.
 */
export async function fetchElectron(node) {
	const {ELECTRON_SKIP_BINARY_DOWNLOAD: skip, ELECTRON_OVERRIDE_DIST_PATH: override} = process.env
	if (![undefined, '', '0'].includes(skip) || override !== undefined) return undefined
	// Only this switch makes Node use the proxy of the environment.
	const code = await runInPlace(node, ['--use-env-proxy', '--no-warnings', at('build', 'fetch-electron.mjs')])
	const binary = code === 0 ? electronBinary() : undefined
	if (binary === undefined) say('The console opens in a browser; the next start tries again. ELECTRON_SKIP_BINARY_DOWNLOAD=1 keeps it from that.')
	return binary
}

const headlessOnly = new Set(['--headless', '--json', '--no-open', '--port', '--passphrase-file', '--help'])

/** Whether one of the arguments belongs to the headless console alone. */
export function wantsHeadless(args) {
	return args.some(arg => headlessOnly.has(arg.split('=', 1)[0]))
}

/** Why no desktop window can open here, or `undefined`. */
export function whyNoWindow({platform = process.platform, environment = process.env, uid = process.getuid?.()} = {}) {
	if (platform !== 'linux') return undefined
	if ((environment.DISPLAY ?? '') === '' && (environment.WAYLAND_DISPLAY ?? '') === '') return 'there is no display'
	// Chromium runs as root only without its sandbox, and the window never runs without it.
	return uid === 0 ? 'the window does not run as root' : undefined
}

const profiles = '/etc/apparmor.d'
const here = {
	platform: process.platform,
	stat: path => statSync(path, {throwIfNoEntry: false}),
	/** `true` also where it cannot be tested: Electron then tries. */
	makesNamespaces: () => {
		const {error, status} = spawnSync('unshare', ['--user', '--map-root-user', 'true'], {stdio: 'ignore'})
		return error !== undefined || status === 0
	},
	hasProfile: binary =>
		existsSync(profiles) &&
		readdirSync(profiles, {withFileTypes: true}).some(entry => entry.isFile() && readIfThere(join(profiles, entry.name))?.includes(binary))
}

/**
 * Why that Electron cannot have its sandbox here, with what to do, or `undefined`. It would end in a trap: many systems,
 * such as Ubuntu since 23.10, let only listed programs make namespaces, and its other way needs a file of root's.
 * @param {string} binary
 * @param {{ platform: string, stat: (path: string) => { uid: number, mode: number } | undefined,
 *   makesNamespaces: () => boolean, hasProfile: (binary: string) => boolean }} [system]
 */
export function whyNoSandbox(binary, {platform, stat, makesNamespaces, hasProfile} = here) {
	if (platform !== 'linux') return undefined
	const helper = join(dirname(binary), 'chrome-sandbox')
	const found = stat(helper)
	const isRoots = found !== undefined && found.uid === 0 && (found.mode & 0o4001) === 0o4001
	if (isRoots || makesNamespaces() || hasProfile(binary)) return undefined
	const quoted = `'${helper.replaceAll("'", `'\\''`)}'`
	return {reason: 'this system does not let Electron make its sandbox', fix: `sudo chown root ${quoted} && sudo chmod 4755 ${quoted}`}
}
