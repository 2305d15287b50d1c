import {expect, test} from './fixtures.ts'
import {filterBox, press} from './screens.ts'

test('the cursor stays on its computer when the rows move, and a key is about that computer', async ({page}) => {
	const filter = filterBox(page)
	const marked = page.locator('[role=row][aria-label^="FIN-LT-0231"]')
	await filter.fill('FIN-LT-0231')
	await expect(page.getByRole('row', {name: /isolation:/})).toHaveCount(1)
	await marked.click()
	const marks = () => page.getByRole('grid').getAttribute('aria-activedescendant')
	await filter.fill('FIN-LT')
	await expect.poll(async () => (await marked.getAttribute('id')) === (await marks())).toBe(true)
	await page.getByRole('grid').focus()
	await press(page, 'i')
	await expect(page.getByRole('dialog', {name: 'Isolate FIN-LT-0231'})).toBeVisible()
})

test('a computer that no longer matches loses the cursor, and a key asks to move it first', async ({page}) => {
	const filter = filterBox(page)
	await filter.fill('FIN-LT-0231')
	await expect(page.getByRole('row', {name: /isolation:/})).toHaveCount(1)
	await page.locator('[role=row][aria-label^="FIN-LT-0231"]').click()
	await filter.fill('FIN-WS')
	await expect(page.getByRole('row', {name: /^FIN-WS/}).first()).toBeVisible()
	await expect(page.getByRole('grid')).not.toHaveAttribute('aria-activedescendant', /.+/)
	await page.getByRole('grid').focus()
	await press(page, 'i')
	await expect(page.getByText('Move to a computer first')).toBeAttached()
	await expect(page.getByRole('dialog')).toHaveCount(0)
})
