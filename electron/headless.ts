/** The headless entry: serves the console to a browser on this machine, on the sandbox when there is nothing else. */
import {fileURLToPath} from 'node:url'

import {createApp, type App} from '#core/app/app.ts'
import {gateway} from '#gateway/instances/gateway.ts'
import {createProgramLog, keepLogTail, type LogTail, type ProgramLog} from '#base/log.ts'
import type {Ports} from '#base/ports.ts'
import {writeConsoleFile} from '#core/store/console-file.ts'
import {lockProfile} from '#core/store/instance-lock.ts'
import {defaultProfileFolder, homeFolder, prepareProfileFolder, systemClock, systemPorts, systemRandom} from '#base/system.ts'
import {startSandbox} from '#sandbox/server.ts'
import {CordonError, messageWithFix, hasCode, systemCode} from '#contract/errors.ts'
import {browserName} from '#text/browser-name.ts'
import {showUnseenInLines} from '#text/foreign.ts'
import {version} from '#shared/version.ts'

import {keepOpened} from './cli/console-parts.ts'
import {localFiles} from './cli/files.ts'
import {answerCommandLines} from './cli/inside.ts'
import {readSecretLine} from './cli/key.ts'
import {headlessUsage, parseHeadlessArguments, type HeadlessArguments} from './headless/arguments.ts'
import {openBrowser} from './headless/browser.ts'
import {startServer, type HeadlessServer, type ServerOptions} from './headless/server.ts'
import {writeEntryFile} from './headless/entry-page.ts'
import {openSessions, type Sessions} from './headless/sessions.ts'
import {closeAll, type Closing} from './headless/stop.ts'
import {createWire} from './headless/wire.ts'
import {systemKeyStore} from './secrets/key-store.ts'
import {openSecretVault, type VaultOptions} from './secrets/vault.ts'

/** A fixed one, so that a browser that has entered finds the console again after a restart. */
const usualPort = 4717
/** A stop that takes longer is cut off; the supervisor's own limit is 3 s. */
const stopWithinMs = 2_500

const environment = process.env
const opened: Closing[] = []
const kept = keepOpened(gateway)

async function main() {
	const args = parseHeadlessArguments(process.argv.slice(2))
	if (args.help) return void process.stdout.write(headlessUsage)
	const tail = keepLogTail()
	const log = createProgramLog({level: args.json ? 'info' : 'warn', destination: tail.destination})
	catchStray(log)
	catchSignals(log)
	// Before anything is opened.
	const passphrase = await passphraseOf(args)
	const profile = prepareProfileFolder(args.profile ?? defaultProfileFolder(process.platform, environment, homeFolder()))
	const lock = lockProfile(profile)
	opened.push({name: 'profile lock', close: () => lock.release()})
	const sessions = openSessions({profile, now: Date.now, random: systemRandom})
	const app = await openApp(args, {...makePorts(passphrase, profile, log), sessions}, tail)
	const server = await openServer(args, sessions, app, log)
	const close = await answerCommandLines({
		app,
		opened: kept.opened(),
		runtimeFolder: environment['XDG_RUNTIME_DIR'],
		log: message => log.warn(message)
	})
	opened.push({name: 'command lines', close})
	tellEntries(sessions, app, log)
	const forget = writeConsoleFile(profile, server.url)
	opened.push({name: 'console file', close: forget})
	announce(args, profile, {server, sessions}, log)
}

interface Entrance {
	server: HeadlessServer
	sessions: Sessions
}

/** Every entry is reported on the terminal and in the incident log. */
function tellEntries(sessions: Sessions, app: App, log: ProgramLog) {
	sessions.onChange(({kind, session: {id, agent}}) => {
		if (kind !== 'entered') return
		log.info({session: id, agent}, 'a browser entered')
		app.log
			.append({kind: 'session.changed', surface: 'screen', message: `A browser entered the console: ${browserName(agent)}.`})
			.catch((error: unknown) => log.warn({err: error}, 'An entry could not be written to the incident log.'))
	})
}

async function openApp(args: HeadlessArguments, ports: Ports, tail: LogTail) {
	const app = await createApp(ports, {
		gateway: kept.gateway,
		version,
		programLog: createProgramLog({destination: tail.destination}),
		lastLines: tail.lines,
		storageThread: true,
		startSandbox: () => openSandbox(args, app)
	})
	opened.push({name: 'application', close: () => app.stop()})
	if (args.sandbox && app.connections.list().length === 0) await openSandbox(args, app)
	return app
}

async function openSandbox(args: HeadlessArguments, app: App) {
	const sandbox = await startSandbox({port: 0, computers: args.sandboxComputers, seed: args.sandboxSeed})
	opened.push({name: 'sandbox', close: () => sandbox.stop()})
	const unregister = await app.connections.registerSandbox(sandbox)
	opened.push({name: 'sandbox connection', close: unregister})
}

async function openServer(args: HeadlessArguments, sessions: Sessions, app: App, log: ProgramLog) {
	const server = await listen(args.port, {
		// Only the development server runs this file where no page is beside it.
		pageFolder: environment['CORDON_PAGE'] ?? fileURLToPath(new URL('../page/', import.meta.url)),
		sessions,
		clock: systemClock,
		random: systemRandom,
		onWire: createWire(app.router, systemClock),
		onRefusal: (reason, what) => log.warn({reason, what}, 'refused')
	})
	opened.push({name: 'server', close: () => server.stop()})
	return server
}

async function listen(port: number | undefined, options: Omit<ServerOptions, 'port'>) {
	try {
		return await startServer({...options, port: port ?? usualPort})
	} catch (error) {
		if (systemCode(error) !== 'EADDRINUSE') throw error
		if (port === undefined) return startServer({...options, port: 0})
		throw new CordonError('usage', `Port ${port} is taken by another program.`, {field: 'port'}, {cause: error})
	}
}

async function passphraseOf({passphraseFile}: HeadlessArguments): Promise<VaultOptions['passphrase']> {
	if (passphraseFile === undefined) return undefined
	const line = await readSecretLine(
		{files: localFiles, stdin: process.stdin, signal: new AbortController().signal},
		passphraseFile,
		'passphrase-file'
	)
	return () => Promise.resolve(line)
}

function makePorts(passphrase: VaultOptions['passphrase'], profile: string, log: ProgramLog): Ports {
	const keyStore = systemKeyStore(process.platform, environment['CORDON_KEY_STORE'])
	return {
		host: 'headless',
		profile,
		...systemPorts(environment),
		secrets: openSecretVault({folder: profile, random: systemRandom, keyStore, passphrase}),
		// The page shows notices itself; without a page there is only the log.
		notify: notice => log.info({notice: notice.title}, notice.body)
	}
}

function announce(args: HeadlessArguments, profile: string, {server, sessions}: Entrance, log: ProgramLog) {
	const url = server.entryUrl()
	const code = sessions.issueCode()
	log.info({url: server.url, pid: process.pid}, 'ready')
	if (args.json) return void process.stdout.write(`${JSON.stringify({event: 'ready', url, pid: process.pid})}\n`)
	const file = () => {
		// A ticket of its own: the one on the terminal stays good.
		const page = writeEntryFile(profile, server.entryUrl())
		sessions.onChange(page.remove)
		opened.push({name: 'entry page', close: page.remove})
		return page.url
	}
	const shown = args.open && openBrowser({file, plain: `${server.url}enter`}, environment)
	process.stdout.write(`Cordon ${version} is ready.\n`)
	if (shown) process.stdout.write('A browser window is opening. Should it not, use this link')
	else process.stdout.write('Open this link in a browser on this computer')
	process.stdout.write(` (it works once, for ten minutes):\n\n  ${url}\n\n`)
	process.stdout.write(`Or type this code at ${server.url}enter: ${code}\n\nCtrl+C stops it.\n`)
}

function catchSignals(log: ProgramLog) {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0, log))
	// The starter holds the other end: it closes however the starter ends.
	process.on('disconnect', () => void stop(0, log))
}

function catchStray(log: ProgramLog) {
	const fail = (error: unknown) => {
		log.error({err: error}, 'unexpected')
		void stop(1, log)
	}
	process.on('uncaughtException', fail)
	process.on('unhandledRejection', fail)
}

let stopping = false

async function stop(code: number, log: ProgramLog) {
	if (stopping) return
	stopping = true
	const cut = setTimeout(() => {
		log.error('Stopping took too long; cut off.')
		process.exit(1)
	}, stopWithinMs)
	for (const failure of await closeAll(opened)) log.error(failure)
	clearTimeout(cut)
	log.info('stopped')
	process.exit(code)
}

main().catch(async (error: unknown) => {
	process.stderr.write(`${showUnseenInLines(messageWithFix(error))}\n`)
	await closeAll(opened)
	process.exit(hasCode(error, 'usage') ? 2 : 1)
})
