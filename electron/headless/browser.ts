import {spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import {delimiter, join} from 'node:path'

/** The facts that decide how a browser is opened. */
export interface BrowserSurroundings {
	readonly platform: string
	readonly environment: Readonly<Record<string, string | undefined>>
	/** A browser disables its sandbox for root, and Cordon does not request that. */
	readonly isRoot: boolean
	readonly exists: (path: string) => boolean
}

interface BrowserCommand {
	command: string
	args: readonly string[]
}

const linuxBrowsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'brave-browser']
const macBrowsers = ['Google Chrome', 'Microsoft Edge', 'Chromium', 'Brave Browser']
const windowsBrowsers = [
	['PROGRAMFILES', 'Google/Chrome/Application/chrome.exe'],
	['PROGRAMFILES(X86)', 'Google/Chrome/Application/chrome.exe'],
	['LOCALAPPDATA', 'Google/Chrome/Application/chrome.exe'],
	['PROGRAMFILES(X86)', 'Microsoft/Edge/Application/msedge.exe'],
	['PROGRAMFILES', 'Microsoft/Edge/Application/msedge.exe']
] as const

/** A sandboxed browser cannot open files of the profile. */
export function readsNoFiles(around: Pick<BrowserSurroundings, 'platform' | 'exists'>) {
	return around.platform === 'linux' && [...linuxBrowsers, 'firefox'].some(name => around.exists(`/snap/bin/${name}`))
}

/** The command that shows `url`, in its own window if possible; `undefined` without a browser. */
export function browserCommand(url: string, around: BrowserSurroundings): BrowserCommand | undefined {
	if (around.isRoot) return undefined
	if (around.platform === 'darwin') return onMac(url, around)
	if (around.platform === 'win32') return onWindows(url, around)
	const display = around.environment['WAYLAND_DISPLAY'] ?? around.environment['DISPLAY'] ?? ''
	return display === '' ? undefined : onLinux(url, around)
}

function onLinux(url: string, around: BrowserSurroundings): BrowserCommand | undefined {
	const browser = linuxBrowsers.map(name => inPath(name, around)).find(path => path !== undefined)
	if (browser !== undefined) return {command: browser, args: [`--app=${url}`]}
	const opener = inPath('xdg-open', around)
	return opener === undefined ? undefined : {command: opener, args: [url]}
}

function onMac(url: string, around: BrowserSurroundings): BrowserCommand {
	const browser = macBrowsers.find(name => around.exists(`/Applications/${name}.app`))
	return {command: 'open', args: browser === undefined ? [url] : ['-na', browser, '--args', `--app=${url}`]}
}

function onWindows(url: string, around: BrowserSurroundings): BrowserCommand {
	const paths = windowsBrowsers.flatMap(([base, rest]) => {
		const folder = around.environment[base]
		return folder === undefined ? [] : [join(folder, rest)]
	})
	const browser = paths.find(path => around.exists(path))
	if (browser !== undefined) return {command: browser, args: [`--app=${url}`]}
	return {command: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', url]}
}

function inPath(name: string, around: BrowserSurroundings) {
	const folders = (around.environment['PATH'] ?? '').split(delimiter).filter(folder => folder !== '')
	return folders.map(folder => join(folder, name)).find(path => around.exists(path))
}

/**
 * Starts the browser detached; returns whether there was one. Its arguments must not contain secrets: every user of the computer
 * can read them.
 */
export function openBrowser({file, plain}: {file: () => string; plain: string}, environment: BrowserSurroundings['environment']) {
	const isRoot = process.getuid?.() === 0
	const around = {platform: process.platform, environment, isRoot, exists: existsSync}
	if (browserCommand(plain, around) === undefined) return false
	const found = browserCommand(readsNoFiles(around) ? plain : file(), around)
	if (found === undefined) return false
	const child = spawn(found.command, found.args, {detached: true, stdio: 'ignore'})
	child.on('error', () => {})
	child.unref()
	return true
}
