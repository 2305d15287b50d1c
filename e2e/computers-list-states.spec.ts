import {isAccessible} from './axe.ts'
import {expect, test, usualSetup} from './fixtures.ts'
import {
	button,
	computers,
	dialog,
	facets,
	filterBox,
	group,
	listIsRead,
	press,
	savedBy,
	tableRow,
	shows,
	pressIn,
	isShown,
	dialogSays,
	thereAre
} from './screens.ts'

const failing = ['--computers', '1800', '--seed', 'e2e', '--weather', 'GET /v1/computers?*offset=1000*=500']

test.describe('a list with a page that failed to load', () => {
	test.use({setup: {...usualSetup, service: failing}})

	test('refuses to select all, and an export says in its name and first line that it is partial', async ({page}) => {
		// Cordon retries several times first.
		await shows(page, /Page 3 could not be loaded/)
		await isShown(button(facets(page), /^Finance Laptops/))
		await pressIn(computers(page), 'Control+a')
		await expect(page.getByText('The list is not whole yet: all that match cannot be told.')).toBeAttached()
		await thereAre(page.getByText(/selected/), 0)
		await press(page, 'e')
		expect((await savedBy(button(dialog(page), 'Export'))).name).toMatch(/^computers-partial-.*\.csv$/)
		await dialogSays(page, 'This file is not whole, and its name says so: 1300 of 1800 computers were read.')
		await button(dialog(page), 'Close').last().click()
	})
})

test.describe('a list whose third page is late', () => {
	const late = ['--computers', '1300', '--seed', 'e2e', '--weather', 'GET /v1/computers?*offset=1000*=latency:60000']
	test.use({setup: {...usualSetup, service: late}})

	test('is counted again as soon as it is whole', async ({page, service}) => {
		const ages = button(page.getByRole('toolbar', {name: 'Last seen'}))
		const counted = async () => {
			const words = await ages.allInnerTexts()
			return words.reduce((sum, text) => sum + Number(/[\d,]+$/.exec(text)?.[0].replaceAll(',', '') ?? Number.NaN), 0)
		}
		await expect.poll(counted).toBeGreaterThan(0)
		expect(await counted()).toBeLessThan(1300)
		// From here on the page's timers run no longer than counts wait for one another.
		await page.clock.install()
		await page.clock.pauseAt(Date.now() + 10_000)
		await service.weather()
		await thereAre(page.getByText('· loading page 3'), 0)
		await page.clock.runFor(1000)
		await expect.poll(counted).toBe(1300)
	})
})

test('has no violation in any theme: facets, menus, dialogs', async ({page}) => {
	await listIsRead(page)
	await isShown(button(facets(page), /^Finance Laptops/))
	await button(facets(page), /^Finance Laptops/).click()
	await shows(page, /^16 of the 300 computers/)
	await button(page.getByRole('toolbar', {name: 'Last seen'}))
		.first()
		.click()
	await shows(page, /^13 of the 300 computers/)
	await pressIn(computers(page), 'j', 'x')
	await isAccessible(page)
	for (const key of ['l', 'v', 'c', 'e']) {
		await press(page, key)
		await isShown(dialog(page).first())
		await isAccessible(page)
		await press(page, 'Escape')
		await thereAre(dialog(page), 0)
		await computers(page).focus()
	}
})

test('fits at 200% zoom, and ? lists its shortcuts', async ({page}) => {
	await listIsRead(page)
	await page.setViewportSize({width: 640, height: 400})
	await computers(page).evaluate(one => one.focus({preventScroll: true}))
	await press(page, 'j', 'j', 'j', 'j')
	await expect(tableRow(computers(page)).nth(4)).toBeInViewport({ratio: 1})
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640)
	await press(page, 'x')
	const top = async (one: ReturnType<typeof computers>) => (await one.boundingBox())?.y ?? 0
	expect((await top(group(page, 'Selection'))) - (await top(computers(page)))).toBeGreaterThan(90)
	await press(page, 'x')
	// Search and API limit share the second line.
	expect((await page.getByRole('banner').boundingBox())?.height).toBeLessThan(85)
	const isCut = (one: Element) => one.scrollHeight > one.clientHeight
	expect(await page.getByRole('toolbar', {name: 'Last seen'}).evaluate(isCut)).toBe(false)
	await press(page, 'f')
	await isShown(facets(page))
	await press(page, 'f')
	await filterBox(page).fill('FIN-')
	await filterBox(page).press('Enter')
	await thereAre(tableRow(page, /^Demo_/), 0)
	await press(page, '?')
	for (const title of ['Show or hide the facets', 'Tags and roles…', 'Open asset hygiene', 'Views'])
		await expect(dialog(page).getByText(title, {exact: true})).toBeAttached()
	await press(page, 'Escape')
	await pressIn(computers(page), 'j', 'i')
	// Above what scrolls, wherever the focus is.
	await expect(button(dialog(page), /^Isolate FIN-/)).toBeInViewport({ratio: 1})
})
