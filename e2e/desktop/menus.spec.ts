import {catalogue} from '#shared/commands/catalogue.ts'
import {screens} from '#model/screens.ts'

import {goTo} from '../jobs.ts'
import {closeDialog, commandLine, dialog, field, filterBox, press, screenIs, main, isShown, hasValue} from '../screens.ts'
import {choose, expect, test} from './desktop.ts'

test('Go leads to every screen', async ({shared}) => {
	const {page, electron, problems} = shared
	await isShown(page.getByRole('heading', {level: 1}))
	for (const {title} of screens) {
		await choose(electron, ['Go', title])
		await isShown(main(page).getByRole('heading', {level: 1, name: title}))
	}
	expect(problems).toEqual([])
})

test('Go opens no screen and Reload does nothing while a dialog holds typed text, and they say so', async ({shared: {page, electron}}) => {
	await goTo(page, '/log')
	await screenIs(page, 'Incident log')
	await press(page, 'n')
	await field(dialog(page), 'Note').fill('Called the owner')
	for (const entry of [
		['Go', 'Events'],
		['View', 'Reload']
	]) {
		await choose(electron, entry)
		await expect(page.getByText('Close the open dialog first.')).toBeAttached()
		await hasValue(field(dialog(page), 'Note'), 'Called the owner')
	}
	await closeDialog(page)
	await choose(electron, ['Go', 'Events'])
	await screenIs(page, 'Events')
})

test('Commands begins every line of the catalogue, and sends nothing', async ({shared}) => {
	const {page, electron} = shared
	for (const {name, title, risk} of catalogue) {
		await choose(electron, risk === 'read' ? ['Commands', title] : ['Commands', 'Changes', title])
		await hasValue(commandLine(page), `${name} `)
	}
	await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('View makes the page larger, smaller and as it was, and loads it again where it is', async ({shared}) => {
	const {page, electron} = shared
	await isShown(page.getByRole('heading', {level: 1}))
	const zoom = () => electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomLevel() ?? 0)
	await choose(electron, ['View', 'Zoom In'])
	expect(await zoom()).toBeGreaterThan(0)
	await choose(electron, ['View', 'Actual Size'])
	expect(await zoom()).toBe(0)
	await choose(electron, ['View', 'Zoom Out'])
	expect(await zoom()).toBeLessThan(0)
	await choose(electron, ['View', 'Actual Size'])
	await choose(electron, ['Go', 'Groups'])
	await isShown(page.getByRole('heading', {level: 1, name: 'Groups'}))
	const again = page.waitForEvent('load')
	await choose(electron, ['View', 'Reload'])
	await again
	await isShown(page.getByRole('heading', {level: 1, name: 'Groups'}))
})

test('Edit acts on the focused field', async ({shared}) => {
	const {page, electron} = shared
	await goTo(page, '/computers')
	const box = filterBox(page)
	const edit = async (label: string, leaves: string) => {
		await choose(electron, ['Edit', label])
		await expect(box, label).toHaveValue(leaves)
	}
	await box.fill('name:FIN')
	await edit('Select All', 'name:FIN')
	await edit('Cut', '')
	await edit('Paste', 'name:FIN')
	await edit('Undo', '')
	await edit('Redo', 'name:FIN')
	await edit('Select All', 'name:FIN')
	await edit('Copy', 'name:FIN')
	await edit('Delete', '')
	await edit('Paste', 'name:FIN')
	await box.fill('')
})

test('the window fills the screen and is minimised from its menu', async ({shared: {electron}}) => {
	const isFull = () => electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.isFullScreen())
	for (const wanted of [true, false]) {
		await choose(electron, ['View', 'Toggle Full Screen'])
		await expect.poll(isFull).toBe(wanted)
	}
	// This display has no window manager to do it, so the test sees only the request.
	await electron.evaluate(({BrowserWindow}) => {
		const [window] = BrowserWindow.getAllWindows()
		Object.assign(window ?? {}, {minimize: () => Object.assign(globalThis, {isMinimised: true})})
	})
	await choose(electron, ['Window', 'Minimize'])
	expect(await electron.evaluate(() => Reflect.get(globalThis, 'isMinimised') as unknown)).toBe(true)
})
