/**
 * The program in a real Electron, as this pass's ordinary user. Playwright steers the build for tests, which differs only in
 * accepting its debugging switch; `ordinary.spec.ts` covers the ordinary build.
 */
import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'

import {_electron, test as base, type ElectronApplication} from '@playwright/test'

import {expect, watch} from '../fixtures.ts'
import {ended, startBus, type Bus} from './bus.ts'
import {startDisplay, type Display} from './display.ts'

const binary = process.env['CORDON_ELECTRON'] ?? ''
const dist = join(import.meta.dirname, '..', '..', 'dist', 'node')
/** An installed program, untouched; `binary` is then a copy that Playwright can steer. See `build/package-proof.mjs`. */
const installed = process.env['CORDON_INSTALLED']
// A virtual display has no graphics hardware.
const switches = process.platform === 'linux' ? ['--disable-gpu'] : []

/** A packed program accepts only its own entry. */
function programOf(entry: 'main.js' | 'main-test.js'): readonly [string, ...string[]] {
	if (installed === undefined) return [binary, ...switches, join(dist, entry)]
	return [entry === 'main.js' ? installed : binary, ...switches]
}

const usualArguments = ['--sandbox-computers', '300', '--sandbox-seed', 'e2e'] as const

export type Desktop = Awaited<ReturnType<typeof startDesktop>>

async function startDesktop(
	profile: string,
	args: readonly string[] = usualArguments,
	more: readonly string[] = [],
	around: Readonly<Record<string, string>> = {}
) {
	const [executablePath, ...words] = programOf('main-test.js')
	const electron = await _electron.launch({
		executablePath,
		args: [...words, ...more],
		env: {...environmentFor(profile, args), ...around},
		// Otherwise Playwright adds `--no-sandbox`, and Cordon refuses to run.
		chromiumSandbox: true
	})
	askAgain(electron)
	const child = electron.process()
	let said = ''
	child.stderr?.on('data', (part: Buffer) => (said += part.toString()))
	const page = await electron.firstWindow()
	return {
		electron,
		child,
		page,
		profile,
		/** The page's errors, exceptions and policy violations so far. */
		problems: watch(page, []),
		/** The program's stderr so far. */
		said: () => said
	}
}

/**
 * The debugger drops an answer that V8 collected too early. The program has done its task by then, and asking twice is
 * harmless.
 */
function askAgain(electron: ElectronApplication) {
	const ask = electron.evaluate.bind(electron) as (...words: readonly unknown[]) => Promise<unknown> // all of its forms
	const again =
		(left: number) =>
		(...words: readonly unknown[]): Promise<unknown> =>
			ask(...words).catch((error: unknown) => {
				if (left === 0 || !String(error).includes('garbage collected')) throw error
				return again(left - 1)(...words)
			})
	const evaluate = again(2)
	Object.assign(electron, {evaluate})
}

interface Ended {
	code: number | null
	signal: NodeJS.Signals | null
	said: string
}

export interface Ordinary {
	child: ChildProcess
	ended: Promise<Ended>
}

function spawnElectron(
	entry: 'main.js' | 'main-test.js',
	profile: string,
	more: readonly string[],
	args: readonly string[],
	before: readonly string[] = []
): Ordinary {
	const [command = binary, ...words] = [...before, ...programOf(entry), ...more]
	const child = spawn(command, words, {env: environmentFor(profile, args), stdio: ['ignore', 'ignore', 'pipe']})
	let said = ''
	child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part))
	// This event has two arguments.
	const ended = once(child, 'close').then(all => {
		const [code, signal] = all as [number | null, NodeJS.Signals | null]
		return {code, signal, said}
	})
	return {child, ended}
}

/** Without variables that make it another program, and without a desktop whose password manager it would use. */
function environmentFor(profile: string, args: readonly string[]): Record<string, string> {
	const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
	const kept = own.filter(([name]) => !/^(?:NODE_|npm_|PLAYWRIGHT|ELECTRON_|XDG_CURRENT_DESKTOP)/.test(name))
	return {...Object.fromEntries(kept), CORDON_ARGUMENTS: JSON.stringify(['--profile', profile, ...args])}
}

/** `more` goes to the command line, `around` into the environment; what still runs at the end is ended. */
export type Start = (args?: readonly string[], more?: readonly string[], around?: Readonly<Record<string, string>>) => Promise<Desktop>

interface TestFixtures {
	profile: string
	start: Start
	/** A session bus of the test's own, empty. */
	bus: Bus
	display: Display
	/** Starts the ordinary build, as `npm start` does; `more` follows the program on the command line, `before` precedes it. */
	startOrdinary: (more?: readonly string[], args?: readonly string[], before?: readonly string[]) => Ordinary
	/** A start beside a running window, as for a link or a second click. */
	startSecond: (more?: readonly string[]) => Ordinary
}

/** Helpers of a killed program may still write for a moment. */
export async function remove(folder: string) {
	await rm(folder, {recursive: true, force: true, maxRetries: 10, retryDelay: 100})
}

interface WorkerFixtures {
	/** One window on the sandbox tenant, shared by a worker's tests. */
	shared: Desktop
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
	profile: async ({browserName: _none}, use) => {
		const folder = await mkdtemp(join(tmpdir(), 'cordon-desktop-'))
		await use(join(folder, 'profile'))
		await remove(folder)
	},

	bus: async ({browserName: _none}, use) => {
		const bus = await startBus()
		await use(bus)
		await bus.stop()
	},

	display: async ({browserName: _none}, use) => {
		const display = await startDisplay()
		await use(display)
		await display.stop()
	},

	start: async ({profile}, use) => {
		const started: Desktop[] = []
		await use(async (args, more, around) => {
			const desktop = await startDesktop(profile, args, more, around)
			started.push(desktop)
			return desktop
		})
		await Promise.all(started.map(({child}) => ended(child)))
	},

	startOrdinary: async ({profile}, use) => {
		const started: Ordinary[] = []
		await use((more = [], args = usualArguments, before = []) => {
			const ordinary = spawnElectron('main.js', profile, more, args, before)
			started.push(ordinary)
			return ordinary
		})
		await Promise.all(started.map(({child}) => ended(child)))
	},

	startSecond: async ({profile}, use) => await use((more = []) => spawnElectron('main-test.js', profile, more, usualArguments)),

	shared: [
		async ({browserName: _none}, use) => {
			const folder = await mkdtemp(join(tmpdir(), 'cordon-desktop-'))
			const desktop = await startDesktop(join(folder, 'profile'))
			await use(desktop)
			await desktop.electron.close()
			await remove(folder)
			expect(desktop.problems, 'console errors, exceptions and policy violations of the page').toEqual([])
		},
		{scope: 'worker'}
	]
})

/** Answers the system's next dialog, because nobody presses its buttons here; `null` leaves it open. */
export function answer(electron: ElectronApplication, response: number | null): Promise<void> {
	return electron.evaluate(({dialog: real}, button) => {
		const asked: string[] = []
		Object.assign(real, {
			asked,
			showMessageBox: async (_window: unknown, options: {message: string}) => {
				asked.push(options.message)
				return button === null ? new Promise(() => {}) : {response: button, checkboxChecked: false}
			}
		})
	}, response)
}

/** The dialogs since then. */
export function questions(electron: ElectronApplication): Promise<unknown> {
	return electron.evaluate(({dialog: real}) => ('asked' in real ? real.asked : []))
}

/** Chooses a menu entry by its labels, as a click would. */
export async function choose(electron: ElectronApplication, labels: readonly string[]) {
	// An evaluation comes in between anything: at the start, the menu may be half made.
	for (let looked = 0; looked < 100; looked += 1) {
		if (await chosen(electron, labels)) return
		await delay(50)
	}
	throw new Error(`The menu has no ${labels.join(' › ')}.`)
}

function chosen(electron: ElectronApplication, labels: readonly string[]) {
	return electron.evaluate(({BrowserWindow, Menu}, path) => {
		const [window] = BrowserWindow.getAllWindows()
		let menu = Menu.getApplicationMenu()
		for (const label of path) {
			const item = menu?.items.find(each => each.label === label)
			if (item === undefined) return false
			if (item.submenu === undefined || item.submenu === null) item.click(undefined, window, window?.webContents)
			menu = item.submenu ?? null
		}
		return true
	}, labels)
}

/** Resolves with the exit code, once `act` makes the program end by itself. */
export async function endsBy({child}: Desktop, act: () => Promise<void>): Promise<unknown> {
	const ended = once(child, 'exit')
	await act()
	return ((await ended) as readonly unknown[])[0]
}

export function isVisible(electron: ElectronApplication): Promise<boolean | undefined> {
	return electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.isVisible())
}

/** Asks the page through the program: Playwright drops a page that crashed, and one whose computer slept. */
export function seen(electron: ElectronApplication, expression: string): Promise<unknown> {
	return electron.evaluate(
		({BrowserWindow}, code) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code) as unknown,
		expression
	)
}

/**
 * One window, still on its own page with its data. Playwright would wait for the denied navigation, so the program is asked.
 */
export async function stillAlone({electron}: Desktop, home: string) {
	const seen = () =>
		electron.evaluate(async ({BrowserWindow}) => {
			const windows = BrowserWindow.getAllWindows().map(({webContents}) => webContents)
			const footer = 'document.querySelector("footer")?.textContent ?? ""'
			return {urls: windows.map(each => each.getURL()), footer: String(await windows[0]?.executeJavaScript(footer))}
		})
	await expect.poll(seen).toEqual({urls: [home], footer: expect.stringMatching(/Updated .* ago/)})
}

export {expect}
