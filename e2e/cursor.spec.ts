import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {dialog, filterBox, grid, pressIn, searchBox, shows, tableRow, treeGrid, isShown, thereAre} from './screens.ts'

test('the cursor stays on its computer when the rows move, and a key is about that computer', async ({page}) => {
	const filter = filterBox(page)
	const marked = page.locator('[role=row][aria-label^="FIN-LT-0231"]')
	await filter.fill('FIN-LT-0231')
	await thereAre(tableRow(page, /isolation:/), 1)
	await marked.click()
	const marks = () => grid(page).getAttribute('aria-activedescendant')
	await filter.fill('FIN-LT')
	await expect.poll(async () => (await marked.getAttribute('id')) === (await marks())).toBe(true)
	await pressIn(grid(page), 'i')
	await isShown(dialog(page, 'Isolate FIN-LT-0231'))
})

test('from the end of the list a filter shows the first rows that match, or the row at the cursor', async ({page}) => {
	const list = grid(page)
	await isShown(tableRow(page, /isolation:/).first())
	await pressIn(list, 'End')
	await expect.poll(() => list.evaluate(one => one.scrollTop)).toBeGreaterThan(1000)
	await filterBox(page).fill('name:ENG-')
	await expect(list).not.toHaveAttribute('aria-activedescendant', /.+/)
	await expect.poll(() => list.evaluate(one => one.scrollTop)).toBe(0)

	await filterBox(page).fill('')
	await isShown(tableRow(page, /^(?!ENG-)/).first())
	await pressIn(list, 'End')
	await expect(list).toHaveAttribute('aria-activedescendant', /.+/)
	const marked = page.locator(`[id="${await list.getAttribute('aria-activedescendant')}"]`)
	await expect(marked).not.toHaveAccessibleName('Loading')
	const name = (await marked.getAttribute('aria-label'))?.split(',')[0] ?? ''
	await filterBox(page).fill(`name:${name.slice(0, 3)}`)
	await expect(tableRow(page, new RegExp(`^${name},`))).toBeInViewport()
})

test('a search shows the first lines of what it finds, and no mark of other lines', async ({page}) => {
	await page.setViewportSize({width: 1280, height: 500})
	for (const [path, list] of [
		['/policies?view=groups', grid(page, 'Groups and their policies')],
		['/groups', treeGrid(page, 'Groups')]
	] as const) {
		await goTo(page, path)
		const search = searchBox(page, 'Search the groups')
		await search.fill('r')
		await isShown(tableRow(list).nth(9))
		const scrolled = (to?: number) => list.evaluate((one, top) => (one.scrollTop = top ?? one.scrollTop), to)
		// Again where the rows of the search come only now.
		await expect.poll(() => scrolled(9999)).toBeGreaterThan(100)
		await search.fill('e')
		await expect.poll(() => scrolled()).toBe(0)
	}

	await goTo(page, '/log')
	const log = grid(page, 'Incident log')
	await pressIn(log, 'Home')
	await expect(log).toHaveAttribute('aria-activedescendant', /.+/)
	await searchBox(page, 'Search the log').fill('nothing says this')
	await shows(page, 'No entry matches')
	await searchBox(page, 'Search the log').fill('')
	await isShown(tableRow(log).nth(1))
	await expect(log).not.toHaveAttribute('aria-activedescendant', /.+/)
})

test('a computer that no longer matches loses the cursor, and a key asks to move it first', async ({page}) => {
	const filter = filterBox(page)
	await filter.fill('FIN-LT-0231')
	await thereAre(tableRow(page, /isolation:/), 1)
	await page.locator('[role=row][aria-label^="FIN-LT-0231"]').click()
	await filter.fill('FIN-WS')
	await isShown(tableRow(page, /^FIN-WS/).first())
	await expect(grid(page)).not.toHaveAttribute('aria-activedescendant', /.+/)
	await pressIn(grid(page), 'i')
	await expect(page.getByText('Go to a computer first')).toBeAttached()
	await thereAre(dialog(page), 0)
})
