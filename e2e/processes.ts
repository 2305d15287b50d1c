/** The built program as real processes: the sandbox service, the console, the command line. */
import {execFile, spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {createInterface} from 'node:readline'

import {hostFlags} from '../build/lib/host.mjs'

const node = join(import.meta.dirname, '..', 'dist', 'node')
const startsWithinMs = 60_000

export interface Running {
	pid: number
	ready: Readonly<Record<string, string>>
	/** What it wrote to stderr so far. */
	said: () => string
	/** What it wrote to stdout so far. */
	printed: () => string
	/** Ends it with the signal and resolves with its exit code. */
	stop(signal?: NodeJS.Signals): Promise<number | null>
}

export type SandboxProcess = Awaited<ReturnType<typeof startSandbox>>

export async function startSandbox(args: string[] = []) {
	const running = await start('cli.js', ['sandbox', '--port', '0', '--json', ...args])
	const {ready} = running
	const control = (method: string, path: string, body?: unknown) => callControl(ready, method, path, body)
	return {
		...running,
		url: text(ready, 'url'),
		clientId: text(ready, 'client_id'),
		apiKey: text(ready, 'api_key'),
		readOnlyClientId: text(ready, 'read_only_client_id'),
		readOnlyApiKey: text(ready, 'read_only_api_key'),
		control,
		/** Sets the weather: rules in the form of `electron/sandbox/weather.ts`, such as `GET /v1/computers*=503`. */
		weather: async (...rules: string[]) => void (await control('PUT', 'weather', {rules})),
		/** Lets the agent of one computer, or of all, answer at once. */
		agentsAnswer: async (guid?: string) => void (await control('POST', 'agent', guid === undefined ? {} : {connector_guid: guid})),
		/** Changes a computer as somebody else would: `online`, `isolation`, `available`, `removed` and so on. */
		change: async (guid: string, change: Readonly<Record<string, unknown>>) => void (await control('POST', `computers/${guid}`, change)),
		/** How many requests each endpoint has seen, as `METHOD /path`. The control call's own form; see electron/sandbox/control.ts. */
		requests: async () => ((await control('GET', 'requests')) as {counts: Record<string, number>}).counts
	}
}

/** The data of an answer of the service. */
export async function askService<T>(service: SandboxProcess, path: string): Promise<T> {
	const answer = await callService(service, path)
	// The service's own form (API reference, "Envelope").
	return ((await answer.json()) as {data: T}).data
}

/** A request to the service itself, as somebody else sends it. */
export function callService({url, clientId, apiKey}: SandboxProcess, path: string, method = 'GET'): Promise<Response> {
	const token = Buffer.from(`${clientId}:${apiKey}`).toString('base64')
	return fetch(`${url}/v1/${path}`, {method, headers: {authorization: `Basic ${token}`}})
}

/** The headless console on a profile, without opening a browser. */
export function startConsole(profile: string, args: string[] = [], environment: Readonly<Record<string, string>> = {}): Promise<Running> {
	const port = args.includes('--port') ? [] : ['--port', '0']
	const words = ['--headless', '--no-open', '--json', '--profile', profile, ...port, ...args]
	return start('headless.js', words, environment, hostFlags)
}

/** The forwarding server alone: `cordon forward`. Its ready line has `port` and `ca`. */
export function startForward(config: string, state: string): Promise<Running> {
	return start('cli.js', ['forward', '--config', config, '--state', state, '--port', '0', '--json'])
}

export interface CliResult {
	code: number | null
	stdout: string
	stderr: string
}

export function runCli(profile: string, args: string[]): Promise<CliResult> {
	return new Promise(resolve => {
		execFile(process.execPath, [join(node, 'cli.js'), '--profile', profile, ...args], {maxBuffer: 64 << 20}, (error, stdout, stderr) => {
			const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null
			resolve({code, stdout, stderr})
		})
	})
}

async function start(script: string, args: string[], environment: Readonly<Record<string, string>> = {}, flags: string[] = []): Promise<Running> {
	const env = {...process.env, ...environment}
	const child = spawn(process.execPath, [...flags, join(node, script), ...args], {stdio: ['ignore', 'pipe', 'pipe'], env})
	let said = ''
	let printed = ''
	child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part))
	child.stdout.setEncoding('utf8').on('data', (part: string) => (printed += part))
	const ready = await firstLine(child, () => said, `${script} ${args.join(' ')}`)
	const end = (signal: NodeJS.Signals = 'SIGTERM') => stop(child, signal)
	return {pid: child.pid ?? 0, ready, said: () => said, printed: () => printed, stop: end}
}

async function firstLine(child: ChildProcess, said: () => string, what: string): Promise<Readonly<Record<string, string>>> {
	if (child.stdout === null) throw new Error('no stdout')
	const line = once(createInterface({input: child.stdout}), 'line', {signal: AbortSignal.timeout(startsWithinMs)})
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`${what} ended with ${code} before it was ready:\n${said()}`)
	})
	const [first] = (await Promise.race([line, ended])) as [string] // the one argument of this event
	return JSON.parse(first) as Record<string, string> // the ready line of our own program
}

async function stop(child: ChildProcess, signal: NodeJS.Signals) {
	if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
	const ended = once(child, 'exit')
	child.kill(signal)
	await ended
	return child.exitCode
}

async function callControl(ready: Running['ready'], method: string, path: string, body: unknown): Promise<unknown> {
	const answer = await fetch(`${text(ready, 'url')}/sandbox/${path}`, {
		method,
		headers: {'X-Sandbox-Control': text(ready, 'control_token'), 'Content-Type': 'application/json'},
		...(body === undefined ? {} : {body: JSON.stringify(body)})
	})
	if (!answer.ok) throw new Error(`${method} /sandbox/${path}: ${answer.status} ${await answer.text()}`)
	return await answer.json()
}

function text(ready: Running['ready'], name: string) {
	const value = ready[name]
	if (value === undefined) throw new Error(`The ready line has no ${name}.`)
	return value
}
