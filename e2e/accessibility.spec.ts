import {isAccessible} from './axe.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {
	aside,
	button,
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
	shows
} from './screens.ts'

test('computers: list, selection, peek, filter with a problem, nothing found', async ({page}) => {
	await listIsRead(page)
	await isAccessible(page)
	await computers(page).focus()
	for (const key of ['j', 'x', 'Space']) await press(page, key)
	await expect(aside(page, 'Computer at the cursor')).toContainText('About')
	await isAccessible(page)
	const filter = filterBox(page)
	await filter.fill('isolation:pending* last_seen<99d')
	await expect(list(page, 'Conditions')).toBeVisible()
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
		await button(page, name).click()
		await expect(dialog(page)).toBeVisible()
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
	await expect(tableRow(log, /^connection: Connection added/)).toBeVisible()
	await log.focus()
	for (const key of ['j', 'Enter']) await press(page, key)
	await expect(aside(page, 'Entry at the cursor')).toBeVisible()
	await isAccessible(page)
	for (const name of ['Add note…', 'Export…', 'New incident…']) {
		await button(page, name).click()
		await expect(dialog(page)).toBeVisible()
		await isAccessible(page)
		await press(page, 'Escape')
	}
})

test('connections: list, form, removal, result of a test', async ({page}) => {
	await listIsRead(page)
	await link(page, /^Connections/).click()
	await button(page, 'Test Test tenant').click()
	await expect(list(page, 'Result of the test')).toHaveAttribute('aria-busy', 'false')
	await isAccessible(page)
	for (const name of ['Connect your service…', 'Change Test tenant', 'Remove Test tenant']) {
		await button(page, name).click()
		await expect(dialog(page)).toBeVisible()
		await isAccessible(page)
		await press(page, 'Escape')
		await closeDialog(page)
	}
})

test('automation: local API, event stream, targets, dialogs', async ({page}) => {
	await listIsRead(page)
	await goTo(page, '/automation')
	await expect(region(page, 'Targets')).toBeVisible()
	await isAccessible(page)
	for (const name of ['Add target…', 'Create token…']) {
		await button(page, name).click()
		await expect(dialog(page)).toBeVisible()
		await isAccessible(page)
		await closeDialog(page)
	}
})

test('palette, shortcuts, notifications, mode, command line', async ({page}) => {
	await listIsRead(page)
	for (const key of ['Control+k', '?', 'Control+Shift+Y', 'Control+Shift+O']) {
		await press(page, key)
		await expect(dialog(page)).toBeVisible()
		await isAccessible(page)
		await closeDialog(page)
	}
	await button(page, 'Mode: read-write').click()
	await isAccessible(page)
	await press(page, 'Escape')
	await runLine(page, 'svc_get_computers limit=3')
	await expect(grid(drawer(page))).toBeVisible()
	await isAccessible(page)
	await runLine(page, 'svc_get_computers limit=many')
	await isAccessible(page)
})
