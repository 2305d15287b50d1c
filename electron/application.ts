/**
 * Loaded while the window comes up and its page starts (`electron/program.ts`): it is by far the larger part of the program.
 */
import {createRouterClient} from '@orpc/server'
import {RPCHandler} from '@orpc/server/message-port'
import type {MessagePortMain} from 'electron'

import {createApp, type App} from '#core/app/app.ts'
import type {LogTail, ProgramLog} from '#base/log.ts'
import type {Ports} from '#base/ports.ts'
import {gateway} from '#gateway/instances/gateway.ts'
import {version} from '#shared/version.ts'

import {keepOpened} from './cli/console-parts.ts'
import {answerCommandLines} from './cli/inside.ts'
import type {SecretVault} from './secrets/vault.ts'
import type {DesktopArguments} from './desktop/arguments.ts'
import type {TakenOver} from './desktop/former-secrets.ts'

interface ApplicationDependencies {
	args: DesktopArguments
	ports: Ports
	secrets: SecretVault
	/** Secrets of an earlier version, on their way into the vault. */
	taking: Promise<TakenOver | null>
	programLog: ProgramLog
	lastLines: LogTail['lines']
	runtimeFolder: string | undefined
	/** Resolves when the first rows are on the screen, or could have been. */
	shown: Promise<unknown>
	warn: (message: string, error?: unknown) => void
	closing: (close: () => Promise<void> | void) => void
}

export async function openApplication(deps: ApplicationDependencies): Promise<App> {
	const kept = keepOpened(gateway)
	const {ports, programLog, lastLines, shown, closing} = deps
	const own = {gateway: kept.gateway, version, storageThread: true}
	const app = await createApp(ports, {...own, programLog, lastLines, shown, startSandbox: () => openSandbox(deps, app)})
	closing(() => app.stop())
	void unifySecrets(app, deps)
	if (deps.args.sandbox && app.connections.list().length === 0) await openSandbox(deps, app)
	const {runtimeFolder, warn} = deps
	closing(await answerCommandLines({app, opened: kept.opened(), runtimeFolder, log: warn}))
	// What the page asks before its rows goes first.
	setImmediate(() => void askOnce(app).catch(() => {}))
	return app
}

/** The page is still evaluating its scripts, so this thread is idle; a first answer costs three times as much as later ones. */
async function askOnce({router, connections, settings}: App) {
	const connection = settings.get().activeConnection ?? connections.list()[0]?.id
	if (connection === undefined) return
	const sort = {column: 'hostname', descending: false} as const
	await createRouterClient(router, {context: {}}).computers.query({connection, filter: '', sort, offset: 0, limit: 100})
}

async function openSandbox({args, closing}: ApplicationDependencies, app: App) {
	const {startSandbox} = await import('#sandbox/server.ts')
	const sandbox = await startSandbox({port: 0, computers: args.sandboxComputers, seed: args.sandboxSeed})
	closing(() => sandbox.stop())
	closing(await app.connections.registerSandbox(sandbox))
}

/** The window, the headless console and the command line keep the secrets of a profile in one place. */
async function unifySecrets(app: App, {secrets, taking, warn}: ApplicationDependencies) {
	const tell = async (message: string) => void (await app.log.append({kind: 'note', surface: 'screen', message}))
	try {
		const taken = await taking
		if (taken !== null) {
			await tell(taken.message)
			await taken.forget()
		}
		const keyStore = await secrets.moveToKeyStore()
		if (keyStore !== undefined)
			await tell(`The key of the stored secrets moved from secrets.key to the key store of the operating system (${keyStore}).`)
	} catch (error) {
		warn('Secrets could not be moved; they stay where they are.', error)
	}
}

/** Answers messages of a port with the application's procedures; `heard` is told of each. */
export function answerPort({router}: Pick<App, 'router'>, heard: () => void): (port: MessagePortMain) => void {
	const handler = new RPCHandler(router)
	return port => {
		port.on('message', heard)
		handler.upgrade(port, {context: {}})
		port.start()
	}
}
