import {expect, test, usualSetup} from './fixtures.ts'
import {computers, filterBox, main, press, tableRow, shows, pressIn, isShown} from './screens.ts'

test.use({setup: {...usualSetup, service: ['--computers', '100000', '--seed', 'e2e', '--quota', '1000000']}})

test('a list of 100,000 computers is usable from page 1, scrolls to its end, and answers a filter', async ({page}) => {
	// Beside a busy machine the listing takes minutes.
	test.setTimeout(360_000)
	const rows = tableRow(computers(page), /isolation:/)
	await isShown(rows.first())
	await shows(main(page), /[\d,]+ of 100,000 computers loaded/)
	await filterBox(page).fill('name:FIN-')
	await expect(rows.first()).toHaveAccessibleName(/^FIN-/)
	await shows(main(page), /≥ [\d,]+ of the [\d,]+ loaded computers/)

	await expect(main(page).getByText(/[\d,]+ of the 100,000 computers/)).toBeVisible({timeout: 300_000})
	await filterBox(page).fill('')
	await expect(computers(page)).toHaveAttribute('aria-rowcount', '100001')
	await shows(main(page), '100,000 computers')
	await pressIn(computers(page), 'End')
	await expect(computers(page).locator('[aria-rowindex="100001"]')).toHaveAttribute('aria-label', /isolation:/)
	await press(page, 'Home')
	await expect(computers(page).locator('[aria-rowindex="2"]')).toHaveAttribute('aria-label', /isolation:/)
	expect(await tableRow(computers(page)).count()).toBeLessThan(100)

	await filterBox(page).fill('name:FIN-LT-0231')
	await expect(rows).toHaveCount(1)
})
