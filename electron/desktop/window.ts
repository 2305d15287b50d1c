import {readFileSync, renameSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {BrowserWindow, dialog, nativeTheme, screen} from 'electron'
import {z} from 'zod'

import type {Settings} from '#model/settings.ts'
import type {PageAnswer, PageQuestion} from './crash.ts'
import {pageOrigin} from './decisions.ts'
import type {LeaveQuestion} from './leave.ts'

/** The one window, where it was the last time. It stays hidden until the page has painted, so nothing flashes. */
export function openWindow(preload: string, profile: string) {
	const {maximized, ...bounds} = placeWindow(readWindowState(profile), displayAreas())
	const window = new BrowserWindow({
		...bounds,
		minWidth: smallest.width,
		minHeight: smallest.height,
		show: false,
		title: 'Cordon',
		backgroundColor: backgroundOf('system'),
		autoHideMenuBar: true,
		webPreferences: {
			preload,
			sandbox: true,
			contextIsolation: true,
			nodeIntegration: false,
			nodeIntegrationInWorker: false,
			nodeIntegrationInSubFrames: false,
			webviewTag: false,
			webSecurity: true,
			allowRunningInsecureContent: false,
			experimentalFeatures: false,
			navigateOnDragDrop: false,
			devTools: false,
			spellcheck: false
		}
	})
	if (maximized) window.maximize()
	keepInSight(window)
	window.once('ready-to-show', () => window.show())
	// Also when it is only hidden: the program may end from the tray.
	window.on('close', () => writeWindowState(profile, {bounds: window.getNormalBounds(), maximized: window.isMaximized()}))
	// A page that cannot be loaded is to be seen as well.
	window.webContents.once('did-fail-load', () => window.show())
	load(window, `${pageOrigin}/`)
	return window
}

/** Where a display goes while the window is open, not every system moves the window to another. */
function keepInSight(window: BrowserWindow) {
	const look = () => {
		if (window.isMaximized() || window.isFullScreen()) return
		const bounds = window.getBounds()
		const {maximized: _none, ...seen} = placeWindow({bounds, maximized: false}, displayAreas())
		if (seen.x !== bounds.x || seen.y !== bounds.y) window.setBounds(seen)
	}
	screen.on('display-removed', look)
	window.once('closed', () => screen.off('display-removed', look))
}

/** What is seen while the window grows faster than its page is the page's own colour. */
export function paintBehind(window: BrowserWindow, theme: Settings['theme']) {
	window.setBackgroundColor(backgroundOf(theme))
}

function backgroundOf(theme: Settings['theme']) {
	return isDark(theme) ? '#0e1116' : '#f6f7f9'
}

function isDark(theme: Settings['theme']) {
	return theme === 'system' ? nativeTheme.shouldUseDarkColors : theme !== 'light'
}

/** A navigation that another one overtakes rejects: that is no failure, and what fails is seen in the window. */
export function load(window: BrowserWindow, address: string) {
	window.loadURL(address).catch(() => {})
}

/** What windows may use, the main display first. */
function displayAreas(): readonly Electron.Rectangle[] {
	const main = screen.getPrimaryDisplay()
	const others = screen.getAllDisplays().filter(({id}) => id !== main.id)
	return [main, ...others].map(({workArea}) => workArea)
}

export function bringToFront(window: BrowserWindow) {
	if (window.isMinimized()) window.restore()
	window.show()
	window.focus()
}

/** Asks in front of the window; without one there is no one to ask. */
export async function askToLeave(window: BrowserWindow | undefined, question: LeaveQuestion) {
	if (window === undefined) return true
	bringToFront(window)
	const buttons = {buttons: ['Keep running', 'Quit Cordon'], defaultId: 0, cancelId: 0}
	const {response} = await dialog.showMessageBox(window, {type: 'question', ...question, ...buttons})
	return response === 1
}

/** Nothing else tells it: the window shows no downloads. */
export function tellLost(window: BrowserWindow | undefined, path: string) {
	const detail = 'The disk may be full, or the folder write-protected. Save it again in another place.'
	if (window !== undefined) void dialog.showMessageBox(window, {type: 'error', message: `${path} was not saved.`, detail})
}

const pageButtons: Readonly<Record<PageAnswer, string>> = {wait: 'Wait', reload: 'Reload page', quit: 'Quit Cordon'}

export async function askOfPage(window: BrowserWindow | undefined, {answers, ...words}: PageQuestion, signal: AbortSignal) {
	if (window === undefined) return 'wait'
	bringToFront(window)
	const buttons = {buttons: answers.map(answer => pageButtons[answer]), defaultId: 0, cancelId: 0}
	const {response} = await dialog.showMessageBox(window, {type: 'warning', ...words, ...buttons, signal})
	return answers[response] ?? 'wait'
}

const whole = z.int().min(-100_000).max(100_000)
const stateSchema = z.object({bounds: z.object({x: whole, y: whole, width: whole.min(1), height: whole.min(1)}), maximized: z.boolean()})
type WindowState = z.infer<typeof stateSchema>
/** Where the window was, and where it may open: never where no display shows it. */
export type Area = WindowState['bounds']
/** Compiling a schema takes longer than one use of it. */
const once = {jitless: true} as const

export const smallest = {width: 900, height: 560} as const
const usual = {width: 1440, height: 900} as const

/** So much of the title has to be on a display, that it can be taken hold of (pixels). */
const grip = {width: 120, height: 32} as const

/**
 * Bounds for a new window. `displays` are the areas that windows may use, the first one being the main display; sizes are
 * cut to the display, and a place that no display shows (any more) is given up for the middle of the main one.
 */
export function placeWindow(saved: WindowState | null, displays: readonly Area[]): Area & {maximized: boolean} {
	const main = displays[0] ?? {x: 0, y: 0, ...usual}
	if (saved === null) return {...centred(usual, main), maximized: false}
	const {bounds, maximized} = saved
	const home = displays.find(display => hasGrip(bounds, display))
	const size = {
		width: clamp(bounds.width, smallest.width, (home ?? main).width),
		height: clamp(bounds.height, smallest.height, (home ?? main).height)
	}
	const there = {...size, x: bounds.x, y: bounds.y}
	// Cutting the size may take away the part that the display showed.
	const isSeen = home !== undefined && hasGrip(there, home)
	return {...(isSeen ? there : centred(size, home ?? main)), maximized}
}

function hasGrip(window: Area, display: Area) {
	const left = Math.max(window.x, display.x)
	const right = Math.min(window.x + window.width, display.x + display.width)
	const isTitleSeen = window.y >= display.y && window.y + grip.height <= display.y + display.height
	return right - left >= grip.width && isTitleSeen
}

function centred(size: {width: number; height: number}, display: Area): Area {
	const width = Math.min(size.width, display.width)
	const height = Math.min(size.height, display.height)
	return {x: display.x + Math.round((display.width - width) / 2), y: display.y + Math.round((display.height - height) / 2), width, height}
}

/** On a display smaller than the least size, the display wins. */
function clamp(value: number, least: number, most: number) {
	return Math.min(most, Math.max(least, value))
}

function pathIn(profile: string) {
	return join(profile, 'window.json')
}

/** `null` when there is none, or it cannot be used. */
export function readWindowState(profile: string): WindowState | null {
	try {
		return stateSchema.parse(JSON.parse(readFileSync(pathIn(profile), 'utf8')), once)
	} catch {
		return null
	}
}

/** A place that cannot be kept is no reason to stop. */
export function writeWindowState(profile: string, state: WindowState) {
	try {
		const path = pathIn(profile)
		writeFileSync(`${path}.new`, JSON.stringify(state), {mode: 0o600})
		renameSync(`${path}.new`, path)
	} catch {
		// The window opens where it usually does.
	}
}
