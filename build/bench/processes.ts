/** The built program as real processes: the sandbox service, the headless host, the command line. */
import {execFile, spawn, spawnSync, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'

import {hostFlags} from '../lib/host.mjs'
import {at} from '../lib/paths.mjs'

const cliScript = at('dist', 'node', 'cli.js')
const headlessScript = at('dist', 'node', 'headless.js')

export interface Running {
	pid: number
	ready: Readonly<Record<string, string>>
	/** Its stderr so far. */
	said(): string
	stop(): Promise<void>
}

/** Starts a script of `dist/node/` and waits for its one JSON line. */
function start(
	script: string,
	args: readonly string[],
	node: readonly string[] = [],
	env: Readonly<Record<string, string>> = {}
): Promise<Running> {
	const child = spawn(process.execPath, [...node, script, ...args], {stdio: ['ignore', 'pipe', 'pipe'], env: {...process.env, ...env}})
	let said = ''
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		said += text
		process.stderr.write(text)
	})
	return new Promise((resolve, reject) => {
		child.once('error', reject)
		child.once('exit', code => reject(new Error(`${script} ended with ${code} before it was ready`)))
		createInterface({input: child.stdout}).once('line', line => {
			const ready = JSON.parse(line) as Record<string, string>
			resolve({pid: child.pid ?? 0, ready, said: () => said, stop: () => endProgram(child)})
		})
	})
}

export async function endProgram(child: ChildProcess) {
	if (child.exitCode !== null || child.signalCode !== null) return
	const ended = once(child, 'exit')
	child.kill('SIGTERM')
	await ended
}

export function startSandbox(computers: number, extra: readonly string[] = []): Promise<Running> {
	return start(cliScript, ['sandbox', '--port', '0', '--computers', String(computers), '--seed', 'bench', '--json', ...extra])
}

/** `node`: further arguments of Node itself. */
export function startHeadless(profile: string, node: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Running> {
	const args = ['--headless', '--no-open', '--no-sandbox', '--json', '--port', '0', '--profile', profile]
	return start(headlessScript, args, [...hostFlags, ...node], env)
}

/** Enters by the host's one-time link: its port, and the cookie of the session. */
export async function enter({ready}: Running): Promise<[port: number, cookie: string]> {
	const url = ready['url'] ?? ''
	const answer = await fetch(url, {redirect: 'manual'})
	return [Number(new URL(url).port), (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '']
}

/** Sets a sandbox's weather with rules such as `GET /v1/computers*=503`. */
export async function setWeather({ready}: Running, rules: readonly string[]) {
	const answer = await fetch(`${ready['url']}/sandbox/weather`, {
		method: 'PUT',
		headers: {'X-Sandbox-Control': ready['control_token'] ?? '', 'Content-Type': 'application/json'},
		body: JSON.stringify({rules})
	})
	if (!answer.ok) throw new Error(`The weather was refused: ${await answer.text()}`)
}

interface Ended {
	status: number | null
	stdout: string
	stderr: string
	ms: number
}

/** Like `cli`, without blocking. */
export function cliBeside(profile: string, args: readonly string[]): Promise<Ended> {
	return runBeside([cliScript, '--profile', profile, ...args])
}

/** Runs Node with these arguments, without blocking. */
export function runBeside(args: readonly string[]): Promise<Ended> {
	const began = performance.now()
	return new Promise(resolve => {
		const child = execFile(process.execPath, args, {maxBuffer: 2 ** 28}, (_error, stdout, stderr) =>
			resolve({status: child.exitCode, stdout, stderr, ms: performance.now() - began})
		)
	})
}

export function cli(profile: string, args: readonly string[]): Ended {
	const began = performance.now()
	const {status, stdout, stderr} = spawnSync(process.execPath, [cliScript, '--profile', profile, ...args], {encoding: 'utf8', maxBuffer: 2 ** 28})
	return {status, stdout, stderr, ms: performance.now() - began}
}

/** A profile with one writable connection to the given sandbox. */
function profileFor(sandbox: Running): {folder: string; remove(): void} {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-bench-'))
	const keyFile = join(folder, 'api-key')
	writeFileSync(keyFile, sandbox.ready['api_key'] ?? '', {mode: 0o600})
	const added = cli(join(folder, 'profile'), [
		'connections',
		'add',
		'Bench',
		'--server',
		sandbox.ready['url'] ?? '',
		'--client-id',
		sandbox.ready['client_id'] ?? '',
		'--api-key-file',
		keyFile,
		'--environment',
		'test',
		'--writable'
	])
	if (added.status !== 0) {
		process.kill(sandbox.pid)
		throw new Error(`connections add ended with ${added.status}: ${added.stderr}`)
	}
	return {folder: join(folder, 'profile'), remove: () => rmSync(folder, {recursive: true, force: true})}
}

/** `act` gets a profile with one connection, to a sandbox of that many computers. */
export async function withTenant<T>(computers: number, act: (profile: string, sandbox: Running) => Promise<T>) {
	const sandbox = await startSandbox(computers, ['--quota', '1000000'])
	const profile = profileFor(sandbox)
	try {
		return await act(profile.folder, sandbox)
	} finally {
		profile.remove()
		await sandbox.stop()
	}
}

/** The rest: as for `startHeadless`. */
export async function withHost<T>(
	profile: string,
	act: (host: Running) => Promise<T>,
	...how: [node?: readonly string[], env?: Record<string, string>]
) {
	const host = await startHeadless(profile, ...how)
	try {
		return await act(host)
	} finally {
		await host.stop()
	}
}
