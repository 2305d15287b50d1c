/** The desktop program: one window on the same application that the headless console serves. Runs in Electron only. */
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'

import {app, dialog, powerMonitor, session, type BrowserWindow, type MessagePortMain} from 'electron'

import type {App} from '#core/app/app.ts'
import {messageWithFix, usageError} from '#contract/errors.ts'
import {showUnseenInLines} from '#text/foreign.ts'
import {createProgramLog, keepLogTail} from '#base/log.ts'
import type {Ports} from '#base/ports.ts'
import {lockProfile, refuseUnwritable} from '#core/store/instance-lock.ts'
import {defaultProfileFolder, homeFolder, prepareProfileFolder, systemClock, systemPorts, systemRandom} from '#base/system.ts'

import {parseDesktopArguments, type DesktopArguments} from './desktop/arguments.ts'
import {createFileTickets} from './desktop/chosen-files.ts'
import {keepPage} from './desktop/crash.ts'
import {addressToLoad, refuseToRun, scheme} from './desktop/decisions.ts'
import {judgeLink, linkAmong} from './desktop/deep-link.ts'
import {createClose, createLeave} from './desktop/leave.ts'
import {setMenu, setNoMenu} from './desktop/menu.ts'
import {showNotice} from './desktop/notices.ts'
import {serveFiles, servePort} from './desktop/port.ts'
import {registerScheme, servePage} from './desktop/scheme.ts'
import {takeOverSecrets} from './desktop/former-secrets.ts'
import {electronDecryption} from './desktop/secrets.ts'
import {systemKeyStore} from './secrets/key-store.ts'
import {openSecretVault, type SecretVault} from './secrets/vault.ts'
import {lockDown, lockSession} from './desktop/security.ts'
import {desktopAskPerson} from './desktop/ask-person.ts'
import {createCalm} from './desktop/calm.ts'
import {makeWayOut} from './desktop/shell.ts'
import {openWorkOf, trayFactsOf} from './desktop/tray-facts.ts'
import {openTray, type TrayHandle} from './desktop/tray.ts'
import {askOfPage, askToLeave, bringToFront, load, openWindow, paintBehind, tellLost} from './desktop/window.ts'

/** What an entry hands over: only entries know where they lie and read the environment. */
interface DesktopEntry {
	environment: NodeJS.ProcessEnv
	/** Path of a file or folder beside the entry. */
	beside: (path: string) => string
	/** Chromium's switches with which the program must not run. */
	refused: readonly string[]
	/** Resolves when windows may open. */
	ready: () => Promise<void>
}

const tail = keepLogTail()
const log = createProgramLog({level: 'warn', destination: tail.destination})
const closing: (() => Promise<void> | void)[] = []
let window: BrowserWindow | undefined
let application: App | undefined
const fileTickets = createFileTickets(systemRandom)
let isQuitting = false
const longestTakeOverMs = 3000
/** A link that came before there was a window. */
let waiting: string | undefined

function denied(what: string) {
	log.warn({what}, 'denied')
}

function showScreen(path: string | null) {
	if (window === undefined) return
	bringToFront(window)
	const address = addressToLoad(path, window.webContents.getURL())
	if (address !== null) load(window, address)
}

/** Links come from anywhere: what is none of ours is refused, and said. */
function followLink(link: string, application: App | undefined) {
	if (application === undefined || window === undefined) {
		waiting = link
		return
	}
	const connections = application.connections.list().map(({id}) => id)
	const active = application.settings.get().activeConnection ?? connections[0] ?? null
	const verdict = judgeLink(link, {connections, active})
	if ('open' in verdict) return showScreen(verdict.open)
	denied(`link: ${verdict.refused}`)
	showScreen(null)
	showNotice({title: 'Link not opened', body: verdict.refused, open: null}, showScreen)
}

function makePorts(profile: string, environment: NodeJS.ProcessEnv, secrets: SecretVault): Ports {
	return {
		host: 'desktop',
		profile,
		...systemPorts(environment),
		secrets,
		// In front of somebody, the list at the top of the window tells it.
		notify: notice => {
			if (window?.isFocused() !== true) showNotice(notice, showScreen)
		},
		askPerson: desktopAskPerson(),
		chosenFiles: fileTickets
	}
}

async function start(entry: DesktopEntry, args: DesktopArguments, profile: string) {
	const {environment, beside, ready} = entry
	const lock = lockProfile(profile)
	closing.push(() => lock.release())
	await ready()
	// Chromium's own handler, which they replace, hears each signal once: the second would kill.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, quitBySignal)
	lockSession(session.defaultSession, denied, path => tellLost(window, path))
	servePage(beside('../page/'))
	const answering = Promise.withResolvers<(port: MessagePortMain) => void>()
	answering.promise.catch(() => {})
	closing.push(servePort(answering.promise, () => window?.webContents, denied))
	closing.push(serveFiles(fileTickets, () => window?.webContents, denied))
	// Before the application, which is loaded and opened while the window's process comes up, and then its page's files go out.
	makeWindow(entry, profile)
	// Nobody looks at the tray before; and renewing stored data would take the thread that answers the first page.
	const calm = createCalm()
	try {
		const {openApplication, answerPort} = await import('./application.ts')
		application = await openApplication({...(await applicationParts(environment, args, profile)), shown: calm.reached})
		answering.resolve(answerPort(application, calm.heard))
		setMenu(process.platform, menuActs)
	} catch (error) {
		answering.reject(error)
		throw error
	}
	const running = application
	if (window !== undefined) paintBehind(window, running.settings.get().theme)
	powerMonitor.on('resume', running.wake)
	void calm.reached.then(() => (isQuitting ? undefined : showTray(running)))
	if (waiting !== undefined) followLink(waiting, running)
}

async function applicationParts(environment: NodeJS.ProcessEnv, args: DesktopArguments, profile: string) {
	const keyStore = systemKeyStore(process.platform, environment['CORDON_KEY_STORE'])
	const secrets = openSecretVault({folder: profile, random: systemRandom, keyStore})
	const taking = takeOverSecrets(profile, electronDecryption(), secrets)
	// Somebody may have to unlock the key store first, and the window is not kept waiting for that.
	await Promise.race([taking.catch(() => {}), delay(longestTakeOverMs)])
	return {
		args,
		secrets,
		taking,
		ports: makePorts(profile, environment, secrets),
		programLog: createProgramLog({destination: tail.destination}),
		lastLines: tail.lines,
		runtimeFolder: environment['XDG_RUNTIME_DIR'],
		warn: (message: string, error?: unknown) => log.warn(error === undefined ? {} : {err: error}, message),
		closing: (close: () => Promise<void> | void) => void closing.push(close)
	}
}

function makeWindow({beside}: DesktopEntry, profile: string) {
	const opened = openWindow(beside('../preload/preload.cjs'), profile)
	window = opened
	keepPage(opened, {
		log,
		now: systemClock.monotonic,
		ask: (question, signal) => askOfPage(window, question, signal),
		isLeaving: () => isQuitting,
		quit: () => app.quit()
	})
	opened.on('close', event => {
		if (!isQuitting && !mayClose()) return event.preventDefault()
		// A page with typed text stays when it is to be loaded again, not when its window closes.
		opened.webContents.once('will-prevent-unload', prevented => prevented.preventDefault())
	})
	opened.on('closed', () => {
		// What still runs while the program ends must not touch what is gone.
		window = undefined
		app.quit()
	})
}

const mayLeave = createLeave({
	open: () => (application === undefined ? {jobs: 0, releases: 0} : openWorkOf(application)),
	ask: question => askToLeave(window, question),
	quit: () => app.quit()
})

function quitBySignal() {
	isQuitting ||= mayLeave(true)
	if (isQuitting) app.quit()
}

const mayClose = createClose({
	staysInTray: () => application?.settings.get().stayInTray === true,
	hasTray: async () => {
		if (application !== undefined) await showTray(application)
		return (await tray?.isShown()) === true
	},
	hide: () => window?.hide(),
	mayLeave,
	ask: question => askToLeave(window, question),
	quit: () => app.quit()
})

const menuActs = {show: showScreen, window: () => showScreen(null)}

const trayEveryMs = 2_000
let tray: TrayHandle | undefined
let trayShown: Promise<void> | undefined

/** Once, however early the window is closed. */
function showTray(running: App) {
	return (trayShown ??= openTrayOf(running))
}

async function openTrayOf(running: App) {
	try {
		const opened = openTray(await trayFactsOf(running), menuActs, process.platform)
		tray = opened
		const update = () => {
			trayFactsOf(running).then(opened.update, (error: unknown) => log.warn({err: error}, 'tray'))
		}
		const timer = setInterval(update, trayEveryMs)
		closing.push(() => {
			clearInterval(timer)
			tray = undefined
			opened.close()
		})
	} catch (error) {
		// Without a tray there is the window.
		log.warn({err: error}, 'There is no tray.')
	}
}

let stopped = false
let starting: Promise<void> | undefined

async function stop() {
	// Who closes the window while the application is being opened waits for that: what was opened is closed.
	await starting?.catch(() => {})
	for (const close of closing.toReversed()) await Promise.resolve(close()).catch((error: unknown) => log.error({err: error}, 'stop'))
	stopped = true
	app.quit()
}

async function fail(error: unknown) {
	const message = showUnseenInLines(messageWithFix(error))
	process.stderr.write(`${message}\n`)
	// Who started it by its icon sees no terminal.
	if (app.isPackaged) {
		// Linux shows no dialog before.
		await app.whenReady()
		dialog.showErrorBox('Cordon cannot start', message)
	}
	app.exit(1)
}

function leave(reason: string) {
	process.stderr.write(`${reason}\n`)
	app.exit(1)
}

function launch(entry: DesktopEntry) {
	const {environment, refused} = entry
	const reason = refuseToRun(refused, name => app.commandLine.hasSwitch(name))
	if (reason !== undefined) return leave(reason)
	if (app.commandLine.hasSwitch('profile')) throw usageError('The window takes no --profile: name the folder in CORDON_PROFILE.')
	const args = parseDesktopArguments(environment['CORDON_ARGUMENTS'])
	const profile = prepareProfileFolder(args.profile ?? defaultProfileFolder(process.platform, environment, homeFolder()))
	// Before the lock, which lies there: each profile has its own window.
	app.setPath('userData', join(profile, 'electron'))
	if (!app.requestSingleInstanceLock()) {
		// Where it cannot write, Electron gives the same answer.
		refuseUnwritable(profile)
		return leave(`Cordon is already running on the profile ${profile}; its window comes to the front.`)
	}
	// What the installed program is called there, as in `build/package-app.mjs`: without it Windows shows no notices.
	if (process.platform === 'win32') app.setAppUserModelId('dev.cordon.console')
	app.enableSandbox()
	registerScheme()
	setNoMenu()
	lockDown(app, {onDenied: denied, leadOut: makeWayOut(systemClock.monotonic)})
	app.on('child-process-gone', (_event, {type, reason, exitCode}) => {
		log.error({type, reason, exitCode}, 'A helper process ended.')
	})
	app.on('second-instance', (_event, argv) => {
		const link = linkAmong(argv)
		if (link === undefined) showScreen(null)
		else followLink(link, application)
	})
	app.on('open-url', (event, url) => {
		event.preventDefault()
		followLink(url, application)
	})
	// The dock of a Mac: the window may be hidden.
	app.on('activate', () => showScreen(null))
	app.on('before-quit', event => {
		// It comes once more when all is closed, and then there is nothing left to look at.
		isQuitting ||= mayLeave()
		if (!isQuitting) event.preventDefault()
	})
	// Only an installed program takes links: a checkout would take them away from it.
	if (app.isPackaged) app.setAsDefaultProtocolClient(scheme)
	waiting = linkAmong(process.argv)
	let stopping = false
	app.on('will-quit', event => {
		if (stopped) return
		event.preventDefault()
		// Electron does not hear a second `quit` within this event, and where nothing is to be waited for it comes at once.
		if (!stopping) setImmediate(() => void stop())
		stopping = true
	})
	starting = start(entry, args, profile)
	starting.catch(fail)
}

/** Starts the program; what keeps it from starting is said, and ends it. */
export function runDesktop(entry: DesktopEntry) {
	try {
		launch(entry)
	} catch (error) {
		void fail(error)
	}
}
