import {isAccessible} from './axe.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {
	aside,
	closeDialog,
	computers,
	dialog,
	dialogSays,
	drawer,
	expectIsolation,
	filterBox,
	grid,
	incidentLog,
	link,
	list,
	listIsRead,
	openComputer,
	press,
	region,
	runLine,
	tableRow,
	shows,
	isShown,
	says,
	push,
	pressIn
} from './screens.ts'

test('computers: list, selection, peek, filter with a problem, nothing found', async ({page}) => {
	await listIsRead(page)
	await isAccessible(page)
	await pressIn(computers(page), 'j', 'x', 'Space')
	await says(aside(page, 'Computer at the cursor'), 'About')
	await isAccessible(page)
	const filter = filterBox(page)
	await filter.fill('isolation:pending* last_seen<99d')
	await isShown(list(page, 'Conditions'))
	await filter.fill('colour:red')
	await expect(filter).toHaveAttribute('aria-invalid', 'true')
	await isAccessible(page)
	await filter.fill('name:nobody-has-this')
	await shows(page, 'No computer matches')
	await isAccessible(page)
})

test('computer: tabs and dialogs', async ({page}) => {
	await openComputer(page, 'FIN-LT-0231')
	await expectIsolation(page, 'not_isolated')
	for (const tab of ['Activity', 'Incident log', 'Vulnerabilities', 'JSON']) {
		await page.getByRole('tab', {name: tab}).click()
		await isAccessible(page)
	}
	for (const name of ['Isolate…', 'Move…']) {
		await push(page, name)
		await isShown(dialog(page))
		if (name === 'Isolate…') await dialogSays(page, 'Now: not isolated')
		await isAccessible(page)
		// The first Escape closes an open list; one too many would lead back to the list of computers.
		if (await page.getByRole('listbox').isVisible()) await press(page, 'Escape')
		await closeDialog(page)
	}
})

test('incident log: list, entry, note, export', async ({page}) => {
	await listIsRead(page)
	await link(page, 'Incident log', true).click()
	const log = incidentLog(page)
	await isShown(tableRow(log, /^connection: Connection added/))
	await pressIn(log, 'j', 'Enter')
	await isShown(aside(page, 'Entry at the cursor'))
	await isAccessible(page)
	for (const name of ['Add note…', 'Export…', 'New incident…']) {
		await push(page, name)
		await isShown(dialog(page))
		await isAccessible(page)
		await press(page, 'Escape')
	}
})

test('connections: list, form, removal, result of a test', async ({page}) => {
	await listIsRead(page)
	await link(page, /^Connections/).click()
	await push(page, 'Test Test tenant')
	await expect(list(page, 'Result of the test')).toHaveAttribute('aria-busy', 'false')
	await isAccessible(page)
	for (const name of ['Connect your service…', 'Change Test tenant', 'Remove Test tenant']) {
		await push(page, name)
		await isShown(dialog(page))
		await isAccessible(page)
		await press(page, 'Escape')
		await closeDialog(page)
	}
})

test('automation: local API, event stream, targets, dialogs', async ({page}) => {
	await listIsRead(page)
	await goTo(page, '/automation')
	await isShown(region(page, 'Targets'))
	await isAccessible(page)
	for (const name of ['Add target…', 'Create token…']) {
		await push(page, name)
		await isShown(dialog(page))
		await isAccessible(page)
		await closeDialog(page)
	}
})

test('palette, shortcuts, notifications, mode, command line', async ({page}) => {
	await listIsRead(page)
	for (const key of ['Control+k', '?', 'Control+Shift+Y', 'Control+Shift+O']) {
		await press(page, key)
		await isShown(dialog(page))
		await isAccessible(page)
		await closeDialog(page)
	}
	await push(page, 'Mode: read-write')
	await isAccessible(page)
	await press(page, 'Escape')
	await runLine(page, 'svc_get_computers limit=3')
	await isShown(grid(drawer(page)))
	await isAccessible(page)
	await runLine(page, 'svc_get_computers limit=many')
	await isAccessible(page)
})
