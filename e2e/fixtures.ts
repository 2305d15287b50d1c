/**
 * Each test gets its own service, profile and console as real processes, and a page signed in through the entry URL. It
 * fails when the page logs an error, throws, or breaks its content security policy.
 */
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {test as base, type Page} from '@playwright/test'

import {expect} from './expect.ts'
import {runCli, startConsole, startSandbox, type SandboxProcess} from './processes.ts'
import {listIsRead} from './screens.ts'

export interface Setup {
	/** Arguments of the service, such as `--computers`, `--agent-delay`, `--quota`. */
	service: string[]
	/**
	 * The profile's connection at the start, or none: its key may write, may not, or is wrong; `locked` is read-only by the
	 * operator's own choice.
	 */
	connection: 'writable' | 'read-only-key' | 'wrong-key' | 'locked' | 'none'
	/** Arguments of the console; `--no-sandbox` and the like. */
	console: string[]
	/** Console messages that this test provokes, such as a lost WebSocket. */
	expected: RegExp[]
	/** Encrypts the profile's secrets. */
	passphrase?: string
	/** An administrator's settings on this computer. */
	managed?: unknown
}

export const usualSetup: Setup = {
	service: ['--computers', '300', '--seed', 'e2e', '--agent-delay', '400'],
	connection: 'writable',
	console: [],
	expected: []
}

/** Chromium says this while the host is away. */
export const hostAway: Setup = {...usualSetup, expected: [/WebSocket connection to .* failed/, /net::ERR_CONNECTION_RE(?:FUSED|SET)/]}

/** Agents take 6 s to 18 s, or answer when the test says so. */
export const slowAgents: Setup = {...usualSetup, service: ['--computers', '300', '--seed', 'e2e', '--agent-delay', '12000']}

/** A service with this weather from its first answer on. */
export function weather(...rules: string[]): Setup {
	return {...usualSetup, service: [...usualSetup.service, ...rules.flatMap(rule => ['--weather', rule])]}
}

export type Console = Awaited<ReturnType<typeof openConsole>>

export interface Fixtures {
	setup: Setup
	service: SandboxProcess
	/** Where the connection leads: the service, unless a test puts something between. */
	serviceUrl: string
	profile: string
	app: Console
	/** Signed in, on the list of computers. */
	page: Page
	/** The page, once its list has come in. */
	listed: Page
}

export const listedPage = async ({page}: {page: Page}, use: (page: Page) => Promise<void>) => {
	await listIsRead(page)
	await use(page)
}

export const test = base.extend<Fixtures>({
	setup: [usualSetup, {option: true}],

	service: async ({setup}, use) => {
		const service = await startSandbox(setup.service)
		await use(service)
		await service.stop()
	},

	serviceUrl: async ({service}, use) => await use(service.url),

	profile: async ({service, serviceUrl, setup}, use) => {
		const folder = await mkdtemp(join(tmpdir(), 'cordon-e2e-'))
		const profile = join(folder, 'profile')
		const unlocked = await passphraseFile(profile, setup)
		await addConnection(profile, folder, {...service, url: serviceUrl}, setup.connection, unlocked)
		await use(profile)
		await rm(folder, {recursive: true, force: true})
	},

	app: async ({profile, setup}, use) => {
		const app = await openConsole(profile, setup.console, await passphraseFile(profile, setup))
		await use(app)
		await app.stop()
	},

	page: async ({page, app, setup}, use) => await visit(page, `${app.entry()}#/computers`, setup.expected, use),
	listed: listedPage
})

/** Fails by what the page reports unexpectedly. */
export async function visit(page: Page, address: string, expected: RegExp[], use: (page: Page) => Promise<void>): Promise<void> {
	const problems = watch(page, expected)
	await page.goto(address)
	await use(page)
	expect(problems, 'console errors, exceptions and policy violations of the page').toEqual([])
}

export {expect}

/** The file lies beside the profile. */
async function passphraseFile(profile: string, {passphrase}: Setup) {
	if (passphrase === undefined) return []
	const file = `${profile}-passphrase`
	await writeFile(file, `${passphrase}\n`, {mode: 0o600})
	return ['--passphrase-file', file]
}

export async function addConnection(
	profile: string,
	folder: string,
	service: SandboxProcess,
	kind: Setup['connection'],
	unlocked: string[] = []
): Promise<void> {
	if (kind === 'none') return
	const readOnly = kind === 'read-only-key'
	const key = kind === 'wrong-key' ? 'wrong' : readOnly ? service.readOnlyApiKey : service.apiKey
	const keyFile = join(folder, 'api-key')
	await writeFile(keyFile, key, {mode: 0o600})
	const mode = kind === 'locked' ? '--read-only' : '--writable'
	const clientId = readOnly ? service.readOnlyClientId : service.clientId
	const where = ['--server', service.url, '--client-id', clientId, '--api-key-file', keyFile]
	const look = ['--environment', 'test', '--colour', 'teal']
	const added = await runCli(profile, ['connections', 'add', 'Test tenant', ...where, mode, ...look, ...unlocked])
	if (added.code !== 0) throw new Error(`connections add ended with ${added.code}: ${added.stderr}${added.stdout}`)
}

export async function openConsole(profile: string, given: string[], unlocked: string[] = [], managed?: unknown) {
	const args = [...given, ...unlocked]
	const environment = await managedFile(profile, managed)
	let running = await startConsole(profile, args, environment)
	/** The entry URL of the running process; it works once. */
	const entry = () => running.ready['url'] ?? ''
	const port = Number(new URL(entry()).port)
	const start = async () => {
		running = await startConsole(profile, [...args, '--port', String(port)], environment)
	}
	const stop = async () => void (await running.stop())
	return {
		profile,
		entry,
		port: () => port,
		process: () => running,
		/** Starts again on the same port after `stop`. */
		start,
		stop,
		/** Stops the process and starts another on the same port and profile. */
		restart: async () => {
			await stop()
			await start()
		},
		cli: (...rest: string[]) => runCli(profile, [...rest, ...unlocked])
	}
}

/** The file lies beside the profile; an environment variable names it. */
async function managedFile(profile: string, managed: unknown): Promise<Readonly<Record<string, string>>> {
	if (managed === undefined) return {}
	const file = `${profile}-managed.json`
	await writeFile(file, JSON.stringify(managed), {mode: 0o644})
	return {CORDON_MANAGED: file}
}

/** Collects the page's errors; violations of its policy and of Trusted Types are among them. */
export function watch(page: Page, expected: RegExp[]): string[] {
	const problems: string[] = []
	const note = (text: string) => {
		if (!expected.some(pattern => pattern.test(text))) problems.push(text)
	}
	page.on('console', message => {
		if (message.type() === 'error' || message.type() === 'warning') note(`${message.type()}: ${message.text()}`)
	})
	page.on('pageerror', error => note(`exception: ${error.message}`))
	return problems
}
