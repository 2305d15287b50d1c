import {cpSync, existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {createInterface} from 'node:readline'

import {playwright} from './browser-tests.mjs'
import {electronBinary} from './electron.mjs'
import {at} from './paths.mjs'
import {runTool} from './run.mjs'
import {say} from './say.mjs'

// Without -noreset the server starts anew when a probe was its last client, and a program that connects meanwhile finds none.
const screen = '-screen 0 1600x1000x24 -noreset'
/** Unlocked, on this session's bus, with its files in this pass's folder. */
const unlock = 'printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null && CORDON_KEYRING=1 exec "$@"'
const keyring = ['sh', '-c', unlock, 'sh']

/**
 * The desktop pass: Playwright's project "desktop" in a real Electron. Where no window can open, the last lines say that it
 * was skipped; with `CORDON_DESKTOP=required` it fails. `args` go to Playwright.
 */
export function desktopTests(args = []) {
	return {
		name: 'Desktop (Playwright in Electron)',
		run: node => {
			const binary = electronBinary()
			const plan = planDesktop({binary})
			return 'skip' in plan ? skipped(plan.skip) : inWindow(node, binary, plan, args)
		}
	}
}

/** How the pass starts here, or why it cannot. Pure. */
export function planDesktop({binary, platform = process.platform, environment = process.env, uid = process.getuid?.(), has = isOnPath}) {
	if (binary === undefined) return {skip: 'Electron is not installed'}
	if (platform !== 'linux') return {before: [], user: undefined}
	const user = environment.CORDON_DESKTOP_USER || undefined
	if (uid === 0 && user === undefined) return {skip: 'the window does not run as root'}
	const display = (environment.DISPLAY ?? '') !== '' || (environment.WAYLAND_DISPLAY ?? '') !== ''
	if (!display && !has('xvfb-run')) return {skip: 'there is no display, and no xvfb-run that would make one'}
	return {
		user: uid === 0 ? user : undefined,
		before: [
			...(uid === 0 ? ['runuser', '-u', user, '--'] : []),
			...(has('dbus-run-session') ? ['dbus-run-session', '--'] : []),
			...(has('dbus-run-session') && has('gnome-keyring-daemon') ? keyring : []),
			...(has('xvfb-run') ? ['xvfb-run', '-a', '-s', screen] : [])
		]
	}
}

/** The debugger's address of an Electron that was started with one, and whose stderr is a pipe. */
export async function debuggerOf(child) {
	for await (const line of createInterface({input: child.stderr, signal: AbortSignal.timeout(60_000)})) {
		const address = /^DevTools listening on (\S+)/.exec(line)?.[1]
		if (address === undefined) continue
		// Nobody reads on, and a full pipe would block the program.
		child.stderr.resume()
		return address
	}
	throw new Error('Electron ended before its window opened.')
}

function skipped(reason) {
	const isRequired = process.env.CORDON_DESKTOP === 'required'
	const note = `THE DESKTOP PASS ${isRequired ? 'COULD NOT RUN' : 'WAS SKIPPED'}: ${reason}.`
	say(`  ${note}`)
	return {passed: 0, failed: isRequired ? 1 : 0, skipped: isRequired ? 0 : 1, notes: [note]}
}

/** The pass writes only into a folder of its own, which belongs to its user. */
export function inWindow(node, binary, {before, user}, args, more = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-desktop-'))
	try {
		if (user !== undefined) runTool('chown', [user, folder])
		const env = {
			...process.env,
			...(user === undefined ? {} : {HOME: folder, XDG_RUNTIME_DIR: folder, USER: user, LOGNAME: user}),
			XDG_DATA_HOME: join(folder, 'data'),
			// Killed programs may still write while their folder is removed.
			TMPDIR: folder,
			CORDON_ELECTRON: binary,
			...more,
			CORDON_DESKTOP_OUTPUT: join(folder, 'results')
		}
		const command = [...before, node, at('node_modules', '@playwright', 'test', 'cli.js')]
		// Half of their time is waiting for windows.
		const result = playwright(command, ['--project=desktop', '--workers=3', ...args], {file: join(folder, 'playwright.json'), env})
		// Pictures and traces of failures outlive the folder.
		if (result.failed > 0 && existsSync(env.CORDON_DESKTOP_OUTPUT))
			cpSync(env.CORDON_DESKTOP_OUTPUT, at('test-results', 'desktop'), {recursive: true})
		return result
	} finally {
		rmSync(folder, {recursive: true, force: true})
	}
}

function isOnPath(name) {
	return (process.env.PATH ?? '').split(delimiter).some(folder => folder !== '' && existsSync(join(folder, name)))
}
