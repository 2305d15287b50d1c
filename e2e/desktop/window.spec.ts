import {existsSync} from 'node:fs'
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'

import type {ElectronApplication} from '@playwright/test'

import {goTo} from '../jobs.ts'
import {areListed, button, dialog, field, incidentLog, listIsRead, press, runLine, screenIs, says, decide, addressIs} from '../screens.ts'
import {lacks} from './bus.ts'
import {answer, choose, endsBy, expect, isVisible, questions, seen, test} from './desktop.ts'

test('a second start brings the window to the front and ends', async ({start, startSecond}) => {
	const {electron, page} = await start()
	await listIsRead(page)
	await electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.hide())
	const {code, said} = await startSecond().ended
	expect(code).toBe(1)
	expect(said).toContain('Cordon is already running on the profile')
	await expect.poll(() => isVisible(electron)).toBe(true)
})

test('a link opens its screen in the running window, and one that would do more opens nothing', async ({start, startSecond}) => {
	const {page} = await start()
	await listIsRead(page)
	await startSecond(['cordon://open/log']).ended
	await addressIs(page, /#\/log$/)
	await screenIs(page, 'Incident log')
	await startSecond(['cordon://open/command-line?line=svc_get_version']).ended
	await startSecond(['cordon://open/settings']).ended
	// What came between has opened nothing, or it would lie behind.
	await addressIs(page, /#\/settings$/)
	await page.goBack()
	await addressIs(page, /#\/log$/)
})

test('a link that starts the program leads to its screen', async ({start}) => {
	const {page} = await start(undefined, ['cordon://open/connections'])
	await screenIs(page, 'Connections')
})

test('the window opens where it was, and on the display when that one is gone', async ({start, profile}) => {
	const first = await start()
	const place = {x: 120, y: 90, width: 1000, height: 700}
	await first.electron.evaluate(({BrowserWindow}, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds), place)
	await expect.poll(() => boundsOf(first.electron)).toEqual(place)
	await goTo(first.page, '/log')
	await screenIs(first.page, 'Incident log')
	await press(first.page, 'n', 'x')
	await expect(field(dialog(first.page))).toHaveValue('x')
	expect(await endsBy(first, () => choose(first.electron, ['Window', 'Close']))).toBe(0)

	const second = await start()
	expect(await boundsOf(second.electron)).toEqual(place)
	expect(await endsBy(second, () => choose(second.electron, ['File', 'Quit']))).toBe(0)

	await mkdir(profile, {recursive: true})
	const gone = {bounds: {...place, x: 9_000}, maximized: false}
	await writeFile(join(profile, 'window.json'), JSON.stringify(gone))
	const third = await start()
	const {x, y, width} = await boundsOf(third.electron)
	const display = await third.electron.evaluate(({screen}) => screen.getPrimaryDisplay().workArea)
	expect(x).toBeGreaterThanOrEqual(display.x)
	expect(x + width).toBeLessThanOrEqual(display.x + display.width)
	expect(y).toBeGreaterThanOrEqual(display.y)

	// One that goes while the window is open; this display knows no second, so that its place is what is moved.
	await third.electron.evaluate(({BrowserWindow, screen}) => {
		BrowserWindow.getAllWindows()[0]?.setBounds({x: 5_000, y: 90, width: 1000, height: 700})
		screen.emit('display-removed', {}, screen.getPrimaryDisplay())
	})
	await expect.poll(async () => (await boundsOf(third.electron)).x + 1000).toBeLessThanOrEqual(display.width)
})

test('an export is saved where the person says in the dialog of the system', async ({start, profile, display}) => {
	test.skip(lacks('xdotool', 'xvfb'), 'the dialog is answered by xdotool on an Xvfb')
	const {electron, page, problems, child} = await start(undefined, [], display.environment)
	await listIsRead(page)
	await runLine(page, 'svc_get_version')
	await goTo(page, '/log')
	await says(incidentLog(page), 'svc_get_version')
	const saving = async () => {
		await button(page, 'Export…').click()
		await decide(page, 'Export')
	}
	const file = `${profile}-export.jsonl`
	await saving()
	await display.typeInto(child.pid, /^Save file$/, 'ctrl+a', file, 'alt+s')
	await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('svc_get_version')
	// Nothing is written when the person cancels.
	await rm(file)
	const cancelled = electron.evaluate(
		({session}) =>
			new Promise(resolve => session.defaultSession.once('will-download', (_event, item) => item.once('done', (_done, how) => resolve(how))))
	)
	await saving()
	await display.typeInto(child.pid, /^Save file$/, 'ctrl+a', file, 'Escape')
	expect(await cancelled).toBe('cancelled')
	expect(existsSync(file)).toBe(false)
	// What cannot be written is told, and the page never said that it was saved.
	await answer(electron, 0)
	await mkdir(`${file}.d`, {mode: 0o500})
	await saving()
	await display.typeInto(child.pid, /^Save file$/, 'ctrl+a', `${file}.d/a`, 'alt+s')
	await expect.poll(() => questions(electron)).toEqual([`${file}.d/a was not saved.`])
	expect(await page.locator('[data-told]').getAttribute('data-told')).toMatch(/^Saving cordon-log-/)
	expect(problems).toEqual([])
})

test('a killed page comes back on its screen, connected', async ({start}) => {
	const {electron, page} = await start()
	await listIsRead(page)
	await goTo(page, '/groups')
	await screenIs(page, 'Groups')
	const loaded = nextLoad(electron)
	const pid = await electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId())
	const crashed = page.waitForEvent('crash')
	process.kill(pid ?? 0, 'SIGKILL')
	await crashed
	await loaded
	// Playwright drops a crashed page, so the test asks the program.
	await expect.poll(() => seen(electron, 'location.hash')).toBe('#/groups')
	await expect.poll(() => seen(electron, 'document.querySelector("h1")?.textContent')).toBe('Groups')
	await expect.poll(() => seen(electron, 'document.querySelectorAll("main [role=row]").length > 3')).toBe(true)
})

test('a page that hangs is reported, reloads on request, and does not block quitting', async ({start}) => {
	const {electron, page, child} = await start()
	await listIsRead(page)
	await goTo(page, '/groups')
	await screenIs(page, 'Groups')
	/** The page never answers again; Electron reports that late by itself, and soon when the window is to close. */
	const hang = (how: 'told' | 'closed') =>
		electron.evaluate(({BrowserWindow}, way) => {
			const [window] = BrowserWindow.getAllWindows()
			void window?.webContents.executeJavaScript('for (;;);')
			if (way === 'told') window?.emit('unresponsive')
			else window?.close()
		}, how)
	await answer(electron, 1)
	const loaded = nextLoad(electron)
	await hang('told')
	await expect.poll(() => questions(electron)).toEqual(['The window does not respond.'])
	await loaded
	await expect.poll(() => seen(electron, 'location.hash')).toBe('#/groups')
	await expect.poll(() => seen(electron, 'document.querySelector("h1")?.textContent')).toBe('Groups')

	await answer(electron, 2)
	const ended = new Promise(resolve => child.once('exit', resolve))
	await hang('closed')
	expect(await ended).toBe(0)
})

test('leftovers of a killed program do not block the next start', async ({start, profile}) => {
	const first = await start()
	await listIsRead(first.page)
	await endsBy(first, async () => void first.child.kill('SIGKILL'))
	const second = await start()
	await listIsRead(second.page)
	await areListed(second.page)
	expect(second.problems).toEqual([])
	await second.electron.close()
	expect(JSON.parse(await readFile(join(profile, 'window.json'), 'utf8'))).toHaveProperty('bounds.width')
})

/** Called before the page goes: a dying page does not answer. */
function nextLoad(electron: ElectronApplication) {
	return electron.evaluate(({BrowserWindow}) => {
		const waiting = new Promise<void>(resolve => BrowserWindow.getAllWindows()[0]?.webContents.once('did-finish-load', () => resolve()))
		// The program holds it: nobody else does, and a collected promise never answers.
		return Object.assign(globalThis, {waiting}).waiting
	})
}

async function boundsOf(electron: ElectronApplication) {
	const none = {x: 0, y: 0, width: 0, height: 0}
	return (await electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.getBounds())) ?? none
}
