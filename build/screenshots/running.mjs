/** The programs in the pictures, as real processes. */
import {execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {pathToFileURL} from 'node:url'
import {promisify} from 'node:util'

import {findChromium} from '../lib/chromium.mjs'
import {debuggerOf, planDesktop} from '../lib/desktop-tests.mjs'
import {electronBinary} from '../lib/electron.mjs'
import {at} from '../lib/paths.mjs'
import {runTool} from '../lib/run.mjs'

const startsWithinMs = 60_000

export async function launch(node) {
	// Imported after the installation: a fresh clone lacks the package when this file loads.
	const {chromium} = await import('@playwright/test')
	const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
	return chromium.launch({executablePath: findChromium(node), args})
}

/**
 * The window on a profile in `folder`, with its sandbox tenant; `undefined` where none can open. Resolves with its page,
 * over the debugging port of the build for tests.
 */
export async function startWindow({dist}, folder) {
	const binary = electronBinary()
	const plan = planDesktop({binary})
	if ('skip' in plan) return undefined
	if (plan.user !== undefined) runTool('chown', [plan.user, folder])
	const words = {
		...{HOME: folder, XDG_RUNTIME_DIR: folder, XDG_DATA_HOME: join(folder, 'data'), TMPDIR: folder},
		CORDON_ARGUMENTS: JSON.stringify(['--profile', join(folder, 'profile')]),
		CORDON_PICTURES_PROGRAM: pathToFileURL(join(dist, 'node', 'main-test.js')).href
	}
	const args = ['--disable-gpu', '--remote-debugging-port=0', at('build', 'screenshots', 'entry.mjs')]
	// Through env, because `before` may be empty.
	const child = spawn('env', [...plan.before, binary, ...args], {
		stdio: ['ignore', 'ignore', 'pipe'],
		env: {...process.env, ...words},
		detached: true
	})
	const ended = once(child, 'exit')
	const {chromium} = await import('@playwright/test')
	const browser = await chromium.connectOverCDP(await debuggerOf(child))
	const page = await firstPage(browser.contexts()[0])
	const stop = async () => {
		await browser.close()
		process.kill(-child.pid, 'SIGTERM')
		await ended
	}
	return {page, stop}
}

async function firstPage(context) {
	const isOurs = page => page.url().startsWith('cordon:')
	const found = context.pages().find(isOurs)
	return found ?? context.waitForEvent('page', {predicate: isOurs, timeout: startsWithinMs})
}

/** Without a connection on the profile, the console uses its own sandbox tenant. */
export function startConsole(program, profile, args = []) {
	return start(program, 'headless.js', [...['--headless', '--no-open', '--json', '--port', '0', '--profile', profile], ...args])
}

/** The sandbox service by itself. `weather` sets rules such as `GET /v1/computers*=503`. */
export async function startService(program, args = []) {
	const running = await start(program, 'cli.js', ['sandbox', '--port', '0', '--json', ...args])
	const {url, control_token: token} = running.ready
	const weather = async (...rules) => {
		const headers = {'X-Sandbox-Control': token, 'Content-Type': 'application/json'}
		const answer = await fetch(`${url}/sandbox/weather`, {method: 'PUT', headers, body: JSON.stringify({rules})})
		if (!answer.ok) throw new Error(`The weather was not set: ${answer.status}`)
	}
	return {...running, weather}
}

export async function addConnection({node, dist}, profile, service, name) {
	const key = join(profile, '..', 'api-key')
	writeFileSync(key, service.ready.api_key, {mode: 0o600})
	const where = ['--server', service.ready.url, '--client-id', service.ready.client_id, '--api-key-file', key]
	const words = ['connections', 'add', name, ...where, '--writable', '--environment', 'test', '--colour', 'teal']
	await promisify(execFile)(node, [join(dist, 'node', 'cli.js'), '--profile', profile, ...words])
}

async function start({node, dist}, script, args) {
	const child = spawn(node, [join(dist, 'node', script), ...args], {stdio: ['ignore', 'pipe', 'ignore']})
	const signal = AbortSignal.timeout(startsWithinMs)
	const [line] = await once(createInterface({input: child.stdout}), 'line', {signal})
	const stop = async () => {
		if (child.exitCode !== null || child.signalCode !== null) return
		const ended = once(child, 'exit')
		child.kill('SIGTERM')
		await ended
	}
	return {ready: JSON.parse(line), stop}
}
