import type {Page} from '@playwright/test'

import {expect, test} from './house.ts'
import {
	areListed,
	aside,
	button,
	columnHeader,
	computers,
	filterBox,
	heading,
	link,
	list,
	listIsRead,
	listItem,
	main,
	option,
	pendingLink,
	press,
	rowOf,
	tableRow,
	shows,
	pressIn,
	isShown,
	isHidden,
	isFocused,
	hasValue,
	thereAre,
	push
} from './screens.ts'

const rows = (page: Page) => tableRow(computers(page), /isolation:/)
const conditions = (page: Page) => listItem(list(page, 'Conditions'))

const firstIs = (page: Page, name: string | RegExp) => expect(rows(page).first()).toHaveAccessibleName(name)

test.beforeEach(({page}) => listIsRead(page))

test('a typed filter narrows the rows, shows each condition as a chip, and chips take it back', async ({page}) => {
	await filterBox(page).fill('name:FIN- isolation:not_isolated')
	await thereAre(conditions(page), 2)
	await firstIs(page, /^FIN-.*isolation: not isolated/)
	await shows(main(page), /^\d+ of the 300 computers/)
	// A value typed to its end leaves nothing to complete, and nothing over the conditions.
	await thereAre(option(page), 0)
	await push(conditions(page).filter({hasText: 'Isolation'}), /^Remove the condition/)
	await hasValue(filterBox(page), 'name:FIN-')
	await thereAre(conditions(page), 1)
	// The address follows the field with a delay.
	await expect(page).toHaveURL(/filter=(?!.*isolation)/)
	await page.reload()
	await hasValue(filterBox(page), 'name:FIN-')
	await firstIs(page, /^FIN-/)
})

test('a filter with a mistake is reported, and the rows keep the last valid filter', async ({page}) => {
	await filterBox(page).fill('name:FIN-')
	await firstIs(page, /^FIN-/)
	await filterBox(page).fill('name:FIN- colour:red')
	await expect(filterBox(page)).toHaveAttribute('aria-invalid', 'true')
	await expect(filterBox(page)).toHaveAccessibleDescription(/There is no field “colour”.*still match “name:FIN-”/)
	await firstIs(page, /^FIN-/)
})

test('a filter without matches says so and offers all computers', async ({page}) => {
	await filterBox(page).fill('name:nobody-has-this')
	await shows(page, 'No computer matches')
	await filterBox(page).fill('group:Finnance')
	await main(page).getByText('group:Finance', {exact: true}).click()
	await hasValue(filterBox(page), 'group:Finance')
	await isShown(rows(page).first())
	await filterBox(page).fill('name:nobody-has-this')
	await push(page, 'Show all 300')
	await areListed(page)
})

test('completion offers fields and the values of this tenant', async ({page}) => {
	await filterBox(page).focus()
	await page.keyboard.type('gro')
	const options = option(page.getByRole('listbox', {name: 'Completions'}))
	await isShown(options.filter({hasText: 'name or GUID of the group'}))
	await press(page, 'ArrowDown', 'Tab')
	await hasValue(filterBox(page), 'group:')
	await page.keyboard.type('Finance')
	await isShown(options.filter({hasText: 'Finance Laptops'}))
})

test('sorts by a column and back', async ({page}) => {
	const header = columnHeader(computers(page), 'Name')
	await expect(header).toHaveAttribute('aria-sort', 'ascending')
	const first = await rows(page).first().getAttribute('aria-label')
	await push(header)
	await expect(header).toHaveAttribute('aria-sort', 'descending')
	await expect(rows(page).first()).not.toHaveAccessibleName(first ?? '')
	await push(columnHeader(computers(page), 'Last seen'))
	await expect(header).toHaveAttribute('aria-sort', 'none')
	await push(header)
	await firstIs(page, first ?? '')
	// By keyboard too: choosing the order returns the focus to the rows.
	await pressIn(computers(page), 's')
	await isFocused(option(page, 'Name · now ascending'))
	await press(page, 'ArrowDown', 'Enter')
	await expect(columnHeader(computers(page), 'Group')).toHaveAttribute('aria-sort', 'ascending')
	await isFocused(computers(page))
})

test('columns are chosen, kept over a reload, and put back', async ({page}) => {
	await push(page, 'Columns')
	const dialog = page.getByRole('dialog', {name: 'Columns'})
	await expect(dialog.getByRole('checkbox', {name: 'Policy not shown at this width'})).toBeChecked()
	await dialog.getByText('MAC', {exact: true}).click()
	await push(dialog, 'Done')
	await isShown(columnHeader(computers(page), 'MAC'))
	await page.reload()
	await isShown(columnHeader(computers(page), 'MAC'))
	await push(page, 'Columns')
	await push(dialog, 'Reset to default')
	await push(dialog, 'Done')
	await isHidden(columnHeader(computers(page), 'MAC'))
})

test('a selection is a frozen list: filters and refreshes do not change it', async ({page}) => {
	await filterBox(page).fill('name:FIN-')
	await shows(main(page), /^\d+ of the 300 computers/)
	const matching = Number(
		await main(page)
			.getByText(/^\d+ of the 300/)
			.innerText()
			.then(text => /^\d+/.exec(text)?.[0])
	)
	await filterBox(page).press('Enter')
	await isFocused(computers(page))
	await press(page, 'Control+a')
	const chip = page.getByText(`${matching} selected`, {exact: true})
	await isShown(chip)
	await filterBox(page).fill('name:HR-')
	await firstIs(page, /^HR-/)
	await expect(rows(page).first()).toHaveAttribute('aria-selected', 'false')
	await isShown(chip)
	await push(page, 'Refresh', true)
	await isShown(chip)
	await filterBox(page).fill('name:FIN-')
	await expect(rows(page).first()).toHaveAttribute('aria-selected', 'true')
	await filterBox(page).press('Enter')
	await push(page, 'Clear the selection')
	await isHidden(chip)
})

test('the side panel follows the cursor and sends no query to the service', async ({page, service}) => {
	// Only about one computer: Cordon watches other pending isolations all the time.
	const asked = async (): Promise<unknown> =>
		Object.entries(await service.requests()).filter(([name]) => /\/v1\/computers\/(?!.*\/isolation$)/.test(name))
	const before = await asked()
	await filterBox(page).fill('name:FIN-LT-0231')
	await rowOf(page, 'FIN-LT-0231').click()
	const panel = aside(page, 'Computer at the cursor')
	await isShown(heading(panel, /FIN-LT-0231/))
	await isShown(panel.getByRole('img', {name: /^Isolation: /}))
	await isShown(button(panel, 'Isolate…'))
	await push(panel, 'Close the panel')
	await isHidden(panel)
	expect(await asked()).toEqual(before)
})

test('pending changes of the frame lead to their rows', async ({page}) => {
	await link(page, pendingLink).click()
	await hasValue(filterBox(page), 'isolation:pending*')
	await firstIs(page, /isolation: (isolating|releasing)/)
})
