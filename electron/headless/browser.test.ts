import {existsSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

import {testFolder} from '#base/testing/folder.ts'
import {browserCommand, readsNoFiles, type BrowserSurroundings} from './browser.ts'
import {writeEntryFile} from './entry-page.ts'

const url = 'http://127.0.0.1:4711/enter?ticket=x'

function around(change: Partial<BrowserSurroundings>, ...files: string[]): BrowserSurroundings {
	const environment = {DISPLAY: ':0', PATH: '/usr/bin'}
	return {platform: 'linux', environment, isRoot: false, exists: path => files.includes(path), ...change}
}

test('an installed browser shows the console as a window of its own', () => {
	expect(browserCommand(url, around({}, '/usr/bin/chromium'))).toEqual({command: '/usr/bin/chromium', args: [`--app=${url}`]})
	expect(browserCommand(url, around({platform: 'darwin'}, '/Applications/Microsoft Edge.app'))?.args).toEqual([
		'-na',
		'Microsoft Edge',
		'--args',
		`--app=${url}`
	])
	const edge = join('/Program Files', 'Microsoft/Edge/Application/msedge.exe')
	expect(browserCommand(url, around({platform: 'win32', environment: {PROGRAMFILES: '/Program Files'}}, edge))).toEqual({
		command: edge,
		args: [`--app=${url}`]
	})
})

test("without one, the system's own way opens a tab", () => {
	expect(browserCommand(url, around({}, '/usr/bin/xdg-open'))).toEqual({command: '/usr/bin/xdg-open', args: [url]})
	expect(browserCommand(url, around({platform: 'darwin'}))).toEqual({command: 'open', args: [url]})
	expect(browserCommand(url, around({platform: 'win32', environment: {}}))?.command).toBe('rundll32.exe')
})

test('nothing is opened without a display', () => {
	expect(browserCommand(url, around({environment: {PATH: '/usr/bin'}}, '/usr/bin/chromium'))).toBeUndefined()
})

test('nothing is opened for root, whose browser would have to give up its own sandbox', () => {
	expect(browserCommand(url, around({isRoot: true}, '/usr/bin/chromium'))).toBeUndefined()
})

test('a browser that opens no file of the profile is known by its package', () => {
	expect(readsNoFiles(around({}, '/snap/bin/chromium'))).toBe(true)
	expect(readsNoFiles(around({}, '/snap/bin/firefox'))).toBe(true)
	expect(readsNoFiles(around({}, '/usr/bin/chromium'))).toBe(false)
})

test('the file that leads in is its owner’s alone, and holds the link; its name does not', () => {
	const profile = testFolder()
	const {url: shown, remove} = writeEntryFile(profile, url)
	const path = fileURLToPath(shown)
	expect(shown).not.toContain('ticket')
	expect(readFileSync(path, 'utf8')).toContain(`content="0;url=${url}"`)
	if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
	remove()
	expect(existsSync(path)).toBe(false)
})
