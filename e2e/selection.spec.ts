/** A selection that cannot be seen takes over nothing: keys are about the row at the cursor, and it is named. */
import type {Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {apply, confirmButton, counts, goTo, plan, select, toAudit} from './jobs.ts'
import {
	button,
	closeDialog,
	computers,
	dialog,
	dialogIsGone,
	dialogSays,
	dialogTitle,
	filterBox,
	group,
	press,
	rowOf,
	searchBox,
	tableRow,
	treeGrid,
	writesTo,
	pressIn,
	isShown,
	isHidden,
	says,
	reads,
	thereAre,
	push
} from './screens.ts'

// Computers are moved.
test.use({houseName: 'selection'})

const bar = (page: Page) => group(page, 'Selection')

async function filterBy(page: Page, text: string, hostname: string) {
	await filterBox(page).fill(text)
	await filterBox(page).press('Enter')
	await rowOf(page, hostname).click()
}

const barSays = (page: Page, text: string | RegExp) => says(bar(page), text)

test('under another filter a key opens the dialog of the computer at the cursor, not of the selection', async ({page, service}) => {
	await select(page, 'group:"Ward Workstations"')
	await barSays(page, '40 selected')
	const before = await writesTo(service)
	await filterBy(page, 'name:FIN-LT-0231', 'FIN-LT-0231')
	await press(page, 'i')
	await reads(dialogTitle(page), 'Isolate FIN-LT-0231')
	await press(page, 'Escape')

	await goTo(page, '/computers?filter=name%3AFIN-LT-0231')
	await rowOf(page, 'FIN-LT-0231').click()
	await press(page, 'm')
	await says(dialogTitle(page), 'FIN-LT-0231')
	await expect(dialog(page)).not.toContainText('40 computers')
	await closeDialog(page)
	await press(page, 'l')
	await dialogSays(page, 'FIN-LT-0231')
	await expect(dialog(page)).not.toContainText('40')
	expect(await writesTo(service)).toEqual(before)
})

test('a selection out of view is named, shown, and cleared', async ({page}) => {
	await select(page, 'group:"Ward Workstations"')
	await isHidden(button(bar(page), 'Show selected'))
	await filterBy(page, 'name:FIN-LT-0231', 'FIN-LT-0231')
	await barSays(page, '40 selected computers are out of view.')
	await hasNoViolations(page)
	await pressIn(computers(page), 'x')
	await barSays(page, 'At least 40 of them are not in this list.')
	await press(page, 'x')
	await push(bar(page), 'Show selected')
	await expect(filterBox(page)).toHaveValue('')
	await isShown(computers(page).getByRole('row', {selected: true}).first())
	await expect(bar(page)).not.toContainText('out of view')
	await pressIn(computers(page), 'm')
	await dialogSays(page, 'The selection: 40 computers, frozen')
	await press(page, 'Escape')

	await filterBy(page, 'name:FIN-LT-0231', 'FIN-LT-0231')
	await push(bar(page), 'Clear selection')
	await isHidden(bar(page))
})

test('rows that were scrolled out of view are out of view as well', async ({listed: page}) => {
	await pressIn(computers(page), 'Home', 'x', 'Shift+ArrowDown')
	await barSays(page, '2 selected')
	await expect(bar(page)).not.toContainText('out of view')
	await press(page, 'End')
	await thereAre(tableRow(computers(page), 'Loading'), 0)
	await press(page, 'ArrowUp')
	await isShown(rowOf(page, 'Ward round iPhone 3'))
	await barSays(page, '2 selected computers are out of view.')
	await press(page, 'i')
	await expect(page).toHaveURL(/computers\/[0-9a-f-]{36}/)
	await expect(dialog(page)).not.toContainText('2 computers')
	await press(page, 'Escape')
	await goTo(page, '/computers')
	await pressIn(computers(page), 'Home')
	await expect(bar(page)).not.toContainText('out of view')
	await press(page, 'i')
	await dialogSays(page, 'The selection: 2 computers, frozen')
})

test('with nothing at the cursor a key says that the selection is out of view, and opens nothing', async ({page}) => {
	await select(page, 'group:"Ward Workstations"')
	await filterBox(page).fill('name:FIN-LT-0231')
	await filterBox(page).press('Enter')
	await isShown(rowOf(page, 'FIN-LT-0231'))
	await barSays(page, 'out of view')
	await pressIn(computers(page), 'u')
	await dialogIsGone(page)
})

test('a selection ends with the job that was started on it', async ({page}) => {
	await select(page, 'name:OPS-WS-0007', 'name:OPS-WS-0008')
	await barSays(page, '2 selected')
	await press(page, 'm')
	await toAudit(page)
	await plan(page, 'Watched more closely')
	await isShown(confirmButton(page))
	await apply(page)
	await reads(counts(page), '●2 done')
	await button(dialog(page), 'Close').last().click()
	await isHidden(bar(page))
	await pressIn(computers(page), 'Home', 'u')
	await reads(dialogTitle(page), 'Release OPS-WS-0008')
})

test('picked groups that a search hides do not take over the group at the cursor', async ({listed: page}) => {
	await press(page, 'g', 'g')
	const tree = treeGrid(page, 'Groups')
	await tableRow(tree, /^Corporate,/).click()
	await press(page, 'x', 'Shift+ArrowDown')
	await barSays(page, '2 selected')
	await searchBox(page, 'Search the groups').fill('radiology servers')
	await barSays(page, '2 selected groups are out of view.')
	await tableRow(tree, /^Radiology Servers,/).click()
	await press(page, 'o')
	await dialogSays(page, 'Assign policies to Radiology Servers')
	await press(page, 'Escape')
	await push(bar(page), 'Show selected')
	await thereAre(tree.getByRole('row', {selected: true}), 2)
	await expect(bar(page)).not.toContainText('out of view')
	await pressIn(tree, 'o')
	await dialogSays(page, 'The selection: 2 groups, frozen')
})
