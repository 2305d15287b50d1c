/** Everything by keyboard: no test here uses the mouse. */
import type {Page} from '@playwright/test'

import {expect, test, usualSetup} from './fixtures.ts'
import {test as shared} from './house.ts'
import {
	aside,
	closeDialog,
	commandLine,
	computers,
	dialog,
	dialogIsGone,
	dialogSays,
	dialogTitle,
	drawer,
	field,
	group,
	isolateByKeyboard,
	link,
	listIsRead,
	main,
	option,
	press,
	region,
	screenIs,
	tableRow,
	writesTo,
	shows,
	pressIn,
	isShown,
	isHidden,
	isFocused,
	says,
	palette,
	reads,
	hasValue,
	isNamed,
	thereAre
} from './screens.ts'

const host = 'FIN-LT-0231'

test.use({setup: {...usualSetup, service: ['--computers', '300', '--seed', 'e2e', '--agent-delay', '1500']}})

test('from the start to isolated and released', async ({page}) => {
	await isolateByKeyboard(page, host)
})

shared('the list: move, peek, select, open, and back', async ({page}) => {
	await listIsRead(page)
	const rows = tableRow(computers(page))
	await pressIn(computers(page), 'j', 'j', 'k', 'Space')
	const peek = aside(page, 'Computer at the cursor')
	const title = peek.getByRole('heading', {level: 2}).first()
	const firstName = async () => (await rows.nth(1).getByRole('gridcell').first().innerText()).split('\n')[0] ?? ''
	await expect.poll(async () => ((await title.textContent()) ?? '').includes(await firstName())).toBe(true)
	const first = await firstName()
	await press(page, 'ArrowDown')
	await expect(title).not.toContainText(`${first} `)
	await press(page, 'Escape')
	await isHidden(peek)

	await press(page, 'Home', 'x')
	await shows(page, '1 selected')
	await press(page, 'Shift+ArrowDown', 'Shift+ArrowDown')
	await shows(page, '3 selected')
	await press(page, 'Control+a')
	await shows(page, '300 selected')

	await press(page, 'End')
	// The last of the list, and read: Enter opens nothing that is not there yet.
	await expect(rows.last()).toHaveAttribute('aria-rowindex', '301')
	await expect(rows.last()).toHaveAttribute('aria-label', /isolation:/)
	await press(page, 'Enter')
	await isShown(link(page, 'Back to the computers'))
	await press(page, 'Escape')
	await isShown(computers(page))
	await shows(page, '300 selected')
})

shared('the palette finds screens, commands and computers', async ({page}) => {
	await listIsRead(page)
	await press(page, 'Control+k')
	const search = palette(page)
	// No letter typed right after the key is lost.
	await page.keyboard.type(host)
	await hasValue(search, host)
	// Nor does Enter take the second best while the answer is on its way.
	await press(page, 'Enter')
	await screenIs(page, host)

	await press(page, 'Control+k')
	await page.keyboard.type('incident log')
	await press(page, 'Enter')
	await screenIs(page, 'Incident log')

	await press(page, 'Control+k')
	await page.keyboard.type('List groups')
	await press(page, 'Enter')
	// The palette names the command, too, until the dialog has taken its place.
	await isHidden(search)
	await dialogSays(page, 'svc_get_groups')
	await closeDialog(page)
	await press(page, 'g', 'c')
	await pressIn(computers(page), 'Control+k')
	await closeDialog(page)
	await isFocused(computers(page))
	// Tab does not lead out of it.
	await press(page, 'Control+k', 'Tab')
	await isFocused(search)
	// Nor does a screen behind it that takes the focus late: Escape is heard.
	await computers(page).evaluate(grid => grid.focus())
	await isFocused(search)
	await press(page, 'Escape')
	await isFocused(computers(page))
})

shared('the palette of a computer offers its own isolation first, and API commands last', async ({page, service}) => {
	await listIsRead(page)
	await press(page, 'Control+k')
	await page.keyboard.type(host)
	await press(page, 'Enter')
	await screenIs(page, host)
	const before = await writesTo(service)
	await press(page, 'Control+k')
	await page.keyboard.type('isolate')
	const results = page.getByRole('listbox', {name: 'Results'})
	await says(option(results).first(), 'Isolate…')
	await isNamed(group(results).first(), 'This screen')
	await isNamed(group(results, 'Actions').locator('xpath=following-sibling::*[1]'), 'Commands')
	await press(page, 'Enter')
	await reads(dialogTitle(page), `Isolate ${host}`)
	await press(page, 'Escape')
	expect(await writesTo(service)).toEqual(before)
})

shared('? shows the shortcuts of this screen, and the focus returns', async ({page}) => {
	await listIsRead(page)
	await pressIn(computers(page), '?')
	const keys = dialog(page, 'Keyboard shortcuts')
	await says(keys, 'Shortcuts never change anything in the service')
	await says(region(keys, 'Computers'), 'Isolate…')
	await press(page, 'Escape')
	await isFocused(computers(page))

	for (const [key, title] of [
		['c', 'Columns'],
		['Control+Shift+Y', 'Notifications'],
		['Control+Shift+O', 'Switch connection']
	] as const) {
		await press(page, key)
		await isShown(dialog(page, title))
		await press(page, 'Escape')
		await isHidden(dialog(page, title))
		await isFocused(computers(page))
	}
})

shared('the command line opens with : and with Ctrl+backtick, and Escape gives the focus back', async ({page}) => {
	await listIsRead(page)
	await computers(page).focus()
	for (const key of [':', 'Control+`']) {
		await press(page, key)
		await isFocused(commandLine(page))
		await press(page, 'Escape')
		await isHidden(drawer(page))
		await isFocused(computers(page))
	}
})

/** Every screen that has keys of its own: its section there, an address, its title, and the keys that lead on from its first row. */
const places: [string, string, string, ...string[]][] = [
	['Overview', '/overview', 'Overview'],
	['Computers', '/computers', 'Computers'],
	['Computer', '/computers', 'Computers', 'Enter'],
	['Groups', '/groups', 'Groups'],
	['Group', '/groups', 'Groups', 'Shift+Enter'],
	['Group', '/groups/compare', 'Compare two groups'],
	['Policies', '/policies', 'Policies'],
	['Policy', '/policies', 'Policies', 'Enter'],
	['Policy', '/policies/compare', 'Compare two policies'],
	['File lists', '/file-lists', 'File lists'],
	['File list', '/file-lists', 'File lists', 'Enter'],
	['Hash', '/file-lists', 'File lists', 'Enter', 'Enter'],
	['Events', '/events', 'Events'],
	['Search', '/search?q=FIN', 'Search'],
	['Incident log', '/log', 'Incident log'],
	['Shift handover', '/log/handover', 'Shift handover'],
	['Jobs', '/jobs', 'Jobs'],
	['Instances', '/instances', 'Instances'],
	['Server parameters', '/instances/parameters', 'Server parameters'],
	['Connections', '/connections', 'Connections'],
	['Settings', '/settings', 'Settings'],
	['Command line', '/command-line', 'Command line']
]

test('no key changes anything, on any screen: what the overlay lists opens dialogs, and Enter confirms none', async ({listed: page, service}) => {
	const sections = new Set<string>()
	for (const [own, ...place] of places) {
		await goToPlace(page, ...place)
		const [address, name] = [page.url(), (await title(page).textContent()) ?? '']
		for (const [section, key] of await keysOfThisScreen(page, own)) {
			await press(page, key)
			sections.add(section)
			if (await page.evaluate(leaveTheBox)) await tryToConfirm(page)
			if (page.url() === address) continue
			await page.goto(address)
			await reads(title(page), name)
			await page.evaluate(leaveTheBox)
		}
	}
	expect([...sections]).toEqual(expect.arrayContaining(['Computer', 'Group', 'Policy', 'File list', 'Hash', 'Shift handover']))
	expect(await writesTo(service)).toEqual([])
})

test('single letters can be switched off', async ({listed: page}) => {
	await press(page, 'Control+,')
	const letters = page.getByRole('switch', {name: 'Enable single-letter shortcuts'})
	await pressIn(letters, 'Space')
	await expect(letters).not.toBeChecked()
	await page.goBack()
	await pressIn(computers(page), 'c')
	await dialogIsGone(page)
	await press(page, 'ArrowDown', 'Enter')
	await isShown(link(page, 'Back to the computers'))
})

shared('an address, the back button and reloading leave a dialog with typed text open, and say so', async ({page}) => {
	await goToPlace(page, '/log', 'Incident log')
	await press(page, 'n', 'x')
	page.on('dialog', question => void question.dismiss())
	for (const leave of [() => (location.hash = '/events'), () => history.back(), () => location.reload()]) {
		await page.evaluate(leave)
		await expect(page.getByText('Close the open dialog first.')).toBeAttached()
		await hasValue(field(dialog(page)), 'x')
	}
	await closeDialog(page)
	await page.goBack()
	await expect(title(page)).not.toHaveText('Incident log')
})

async function goToPlace(page: Page, path: string, name: string, ...onward: string[]) {
	await page.goto(`${new URL(page.url()).origin}/#${path}`)
	await says(title(page), name)
	await isRead(page)
	for (const key of onward) {
		const before = placeOf(page)
		const titleBefore = (await title(page).textContent()) ?? ''
		await expect(async () => {
			// A row that has not been loaded yet opens nothing, and a dialog of the key before may come late.
			if (await page.evaluate(leaveTheBox)) await press(page, 'Escape')
			for (const one of ['Home', key]) await press(page, one)
			await expect.poll(() => placeOf(page), {timeout: 3_000}).not.toBe(before)
		}).toPass()
		// The title of an object comes after its place.
		await expect(title(page)).not.toHaveText(titleBefore)
		await isRead(page)
	}
}

function placeOf(page: Page) {
	return new URL(page.url()).hash.split('?')[0] ?? ''
}

/** Also, the focus is in the first row. */
async function isRead(page: Page) {
	await thereAre(page.locator('main [aria-busy=true]'), 0)
	await page.evaluate(leaveTheBox)
	await press(page, 'Home')
}

function title(page: Page) {
	return main(page).getByRole('heading', {level: 1}).first()
}

/** Runs in the page: whether something is open over the screen; else the focus goes to the rows. */
function leaveTheBox() {
	const popups = document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')
	if ([...popups].some(one => one.checkVisibility())) return true
	if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
	document.querySelector<HTMLElement>('main [role=grid], main [role=treegrid]')?.focus()
	return false
}

/** What `?` lists, but for what is the same everywhere: the section, and the key as it is pressed. `own` may come late. */
async function keysOfThisScreen(page: Page, own: string): Promise<[string, string][]> {
	const overlay = dialog(page, 'Keyboard shortcuts')
	const sections = region(overlay).filter({hasNotText: /^(Everywhere|Go to|Lists|Tree)/})
	await expect(async () => {
		// What the last key opened may come late, over this.
		if (await openThings(page).first().isVisible()) await press(page, 'Escape')
		await press(page, '?')
		await expect(region(overlay, own, true)).toBeVisible({timeout: 1_000})
	}).toPass()
	const found = await sections.evaluateAll(all =>
		all.flatMap(one => [...one.querySelectorAll('kbd')].map(cap => [one.getAttribute('aria-label') ?? '', cap.textContent] as const))
	)
	await closeDialog(page)
	return found.map(([section, cap]) => [section, pressable(cap)])
}

const arrows: Readonly<Record<string, string>> = {
	...{'↑': 'ArrowUp', '↓': 'ArrowDown', '←': 'ArrowLeft', '→': 'ArrowRight'},
	...{Esc: 'Escape', PgUp: 'PageUp', PgDn: 'PageDown', Ctrl: 'Control'}
}

function pressable(cap: string) {
	return cap
		.split(' ')
		.map(part => arrows[part] ?? part)
		.join('+')
}

function openThings(page: Page) {
	return dialog(page).or(page.getByRole('menu')).or(page.getByRole('listbox'))
}

/** As somebody who does not look: types on, presses Enter, and leaves. */
async function tryToConfirm(page: Page) {
	await page.keyboard.type('x')
	await press(page, 'Enter')
	await expect(async () => {
		if (await openThings(page).first().isVisible()) await press(page, 'Escape')
		await expect(openThings(page)).toHaveCount(0, {timeout: 250})
	}).toPass({intervals: [0]})
}
