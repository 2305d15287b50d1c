import {expect, test} from './fixtures.ts'
import {dialog, filterBox, grid, tableRow, pressIn} from './screens.ts'

test('the cursor stays on its computer when the rows move, and a key is about that computer', async ({page}) => {
	const filter = filterBox(page)
	const marked = page.locator('[role=row][aria-label^="FIN-LT-0231"]')
	await filter.fill('FIN-LT-0231')
	await expect(tableRow(page, /isolation:/)).toHaveCount(1)
	await marked.click()
	const marks = () => grid(page).getAttribute('aria-activedescendant')
	await filter.fill('FIN-LT')
	await expect.poll(async () => (await marked.getAttribute('id')) === (await marks())).toBe(true)
	await pressIn(grid(page), 'i')
	await expect(dialog(page, 'Isolate FIN-LT-0231')).toBeVisible()
})

test('a computer that no longer matches loses the cursor, and a key asks to move it first', async ({page}) => {
	const filter = filterBox(page)
	await filter.fill('FIN-LT-0231')
	await expect(tableRow(page, /isolation:/)).toHaveCount(1)
	await page.locator('[role=row][aria-label^="FIN-LT-0231"]').click()
	await filter.fill('FIN-WS')
	await expect(tableRow(page, /^FIN-WS/).first()).toBeVisible()
	await expect(grid(page)).not.toHaveAttribute('aria-activedescendant', /.+/)
	await pressIn(grid(page), 'i')
	await expect(page.getByText('Go to a computer first')).toBeAttached()
	await expect(dialog(page)).toHaveCount(0)
})
