/** What saves clicks and keys: boxes, a verb with its object, Ctrl+Enter; and a record that is not as documented. */
import {altering} from './altered.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {
	areListed,
	aside,
	button,
	closeDialog,
	computers,
	dialog,
	dialogIsGone,
	dialogSays,
	dialogTitle,
	filterBox,
	heading,
	link,
	listIsRead,
	menuItem,
	option,
	press,
	reasonOf,
	rowOf,
	tableRow,
	screenIs,
	treeGrid,
	writesTo,
	shows,
	pressIn,
	isShown,
	isHidden,
	isFocused,
	says,
	decide,
	reads,
	isNamed
} from './screens.ts'

const alone = altering(body => body.replaceAll('"hostname":"FIN-LT-0231"', '"hostname":231231'))

test('the box of the header selects all or none, Shift and a box all between', async ({listed: page}) => {
	const bar = page.getByRole('group', {name: 'Selection'})
	await computers(page).getByTitle('Select all').click()
	await says(bar, '300 selected')
	await computers(page).getByTitle('Clear selection').click()
	await isHidden(bar)
	const box = (index: number) => computers(page).locator('[role="row"][aria-selected]').nth(index).locator('[role="presentation"] > span')
	await box(1).click()
	await box(4).click({modifiers: ['Shift']})
	await says(bar, '4 selected')
	// Four are selected, and the one that is listed is not.
	await filterBox(page).fill('name:FIN-WS-0002')
	await expect(computers(page)).toHaveAttribute('aria-rowcount', '2')
	await expect(computers(page).getByTitle('Clear selection')).toHaveClass(/partly/)
})

test('a click shows, a name opens, and Escape leads back to the row', async ({page}) => {
	await page.setViewportSize({width: 1280, height: 800})
	await listIsRead(page)
	const panel = aside(page, 'Computer at the cursor')
	const facets = aside(page, 'Facets')
	await filterBox(page).fill('name:FIN-WS-0002')
	const row = rowOf(page, 'FIN-WS-0002')
	await row.click()
	await isShown(heading(panel, 'FIN-WS-0002'))
	await isShown(facets)
	await row.click()
	await isShown(panel)
	await pressIn(button(panel, 'Copy as…'), 'Escape')
	await isHidden(panel)
	await isFocused(computers(page))
	// The panel opens under the pointer: a double click opens the computer all the same.
	const box = await row.boundingBox()
	await row.dblclick({position: {x: (box?.width ?? 0) - 40, y: 10}})
	await screenIs(page, 'FIN-WS-0002')
	await dialogIsGone(page)
	await goTo(page, '/computers?filter=FIN-WS')
	await link(row, 'FIN-WS-0002').click()
	await screenIs(page, 'FIN-WS-0002')
	await goTo(page, '/groups')
	const group = tableRow(page, /^Hospital,/)
	await group.click()
	await isShown(aside(page, 'Group at the cursor'))
	await press(page, 'Escape')
	await isFocused(treeGrid(page))
	await link(group, 'Hospital').click()
	await screenIs(page, 'Hospital')
})

test('the menu of a row acts on it, or on the selection that it is part of', async ({listed: page, service}) => {
	await filterBox(page).fill('name:FIN-WS-000')
	const before = await writesTo(service)
	const items = menuItem(page)
	const row = rowOf(page, 'FIN-WS-0002')
	await row.click({button: 'right'})
	await isFocused(items.first())
	await reads(items, [
		...['Open', 'Preview', 'Isolate…', 'Move…', 'Tags and roles…', 'Show trajectory', 'Playbook…', 'Note…', 'Copy as…'],
		...['Copy name', 'Copy GUID']
	])
	await items.filter({hasText: 'Move…'}).click()
	await says(dialogTitle(page), 'FIN-WS-0002')
	await closeDialog(page, computers(page))
	await press(page, 'x', 'Shift+ArrowDown', 'Shift+F10')
	await isNamed(page.getByRole('menu'), '2 selected')
	await items.filter({hasText: 'Isolate…'}).click()
	await dialogSays(page, 'The selection: 2 computers')
	await closeDialog(page)
	await rowOf(page, 'FIN-WS-0001').click({button: 'right'})
	await isNamed(page.getByRole('menu'), 'FIN-WS-0001')
	await items.filter({hasText: 'Isolate…'}).click()
	await reads(dialogTitle(page), 'Isolate FIN-WS-0001')
	await closeDialog(page)
	expect(await writesTo(service)).toEqual(before)
	await goTo(page, '/groups')
	await tableRow(page, /^Hospital,/).click({button: 'right'})
	await items.filter({hasText: 'Assign policies…'}).click()
	await dialogSays(page, 'Hospital')
	await press(page, 'Control+Enter')
	const told = page.locator('[aria-live]')
	await reads(told, 'Choose a policy first.')
	expect(await told.evaluate(one => one.closest('[inert], [aria-hidden="true"]')), 'a dialog must not silence it').toBeNull()
	await press(page, 'Tab')
	await expect(dialog(page).locator('[data-focus-visible]:not(button)')).toHaveCSS('outline-style', 'none')
})

alone('a verb and a name open the dialog, and Ctrl+Enter confirms it, but not from a dialog within it', async ({page, service}) => {
	await listIsRead(page)
	await press(page, 'Control+k')
	await page.keyboard.type('fin-ws-0002 isolate')
	await reads(option(page).first(), /^Isolate FIN-WS-0002…/)
	await press(page, 'Enter')
	await reads(dialogTitle(page), 'Isolate FIN-WS-0002')
	await shows(dialog(page), 'Now: not isolated')
	await press(page, 'Control+Enter')
	await isFocused(reasonOf(page))
	await reasonOf(page).fill('Beaconing')
	await decide(page, 'Edit these…')
	const templates = page.getByRole('dialog', {name: 'Reasons for an isolation'})
	await isFocused(templates.getByRole('textbox'))
	await press(page, 'Control+Enter')
	await isHidden(templates)
	expect(await writesTo(service)).toEqual([])
	await press(page, 'Control+Enter')
	await dialogIsGone(page)
	await isShown(page.getByRole('img', {name: /^Isolation: isolat/}))
})

alone('an odd record is shown, marked, with its text', async ({page}) => {
	await listIsRead(page)
	await areListed(page)
	await filterBox(page).fill('name:231231')
	await says(rowOf(page, '231231'), 'odd record')
	await filterBox(page).fill('odd:yes')
	await expect(tableRow(computers(page)).filter({hasText: 'odd record'})).toHaveCount(1)
	await rowOf(page, '231231').click()
	const panel = aside(page, 'Computer at the cursor')
	await button(panel, 'Odd record hostname').click()
	await shows(panel, '"hostname":231231')
	await isShown(heading(panel, 'Last detections'))
	await isHidden(panel.getByText('No stored event names a detection.'))
	await panel.evaluate(element => element.scrollTo(0, element.scrollHeight))
	await expect(button(panel, 'Isolate…')).toBeInViewport()
})
