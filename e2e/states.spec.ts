/** What each screen says when the service fails after it was read: why, once, beside what is kept. */
import type {Page} from '@playwright/test'

import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {button, computers, grid, link, main, openComputer, press, status, tableRow, screenIs, isShown, thereAre, push} from './screens.ts'

test.use({houseName: 'states'})

interface Screen {
	title: string
	/** After `g`. */
	key: string
	/** What was read before. */
	kept: (page: Page) => ReturnType<Page['getByRole']>
}

const screens: Screen[] = [
	{title: 'Overview', key: 'o', kept: page => link(page, /^\d+\s*Computers/)},
	{title: 'Computers', key: 'c', kept: page => tableRow(computers(page), /isolation:/)},
	{title: 'Groups', key: 'g', kept: page => tableRow(page, /^Corporate,/)},
	{title: 'Policies', key: 'p', kept: page => tableRow(page, /^Server, for Windows/)},
	{title: 'File lists', key: 'f', kept: page => tableRow(page, /^Known bad files,/)},
	{title: 'Events', key: 'e', kept: page => tableRow(grid(page, 'Events'), /, 20\d\d-/)}
]

/** `remedy`: the way on, where it is another than to try again. */
type Storm = [name: string, weather: string, told: RegExp, remedy?: string]

/** Failures that no retry helps, so that each screen has its answer at once. */
const storms: Storm[] = [
	['a key that is not known any more (401)', 'status:401', /Client ID or API key rejected/, 'Replace key'],
	['a key that may not read (403)', 'status:403', /This API key lacks permission/],
	['an address that is not the service’s (404)', 'status:404', /does not know the address \/v1\//],
	['an internal error', '500', /answered with an error \(status 500, request [0-9a-f-]{36}\)/],
	['malformed JSON', 'malformed', /answer is not JSON/],
	['a captive portal', 'html:200', /answer is a web page, not JSON/]
]

async function openRead(page: Page, {title: heading, key, kept}: Screen) {
	await press(page, 'g', key)
	await screenIs(page, heading)
	await isShown(kept(page).first())
}

for (const [name, weather, told, remedy] of storms) {
	test(`${name}: each screen keeps what it has, and says why once`, async ({listed: page, service}) => {
		for (const screen of screens) await openRead(page, screen)
		await service.weather(`GET /v1/*=${weather}`)
		for (const screen of screens) {
			await openRead(page, screen)
			await push(main(page), /^Refresh/)
			const places = main(page).locator('[role=alert], [role=status]').filter({hasText: told})
			await expect(places, screen.title).toHaveCount(1)
			await expect(button(places, remedy ?? /^Try again/), screen.title).toBeVisible()
			await expect(screen.kept(page).first(), screen.title).toBeVisible()
		}
	})
}

test('a refused key is told once, in the place of what could not be loaded', async ({page, service}) => {
	await openComputer(page, 'FIN-WS-0001')
	await service.weather('GET /v1/*=status:401')
	const replace = button(main(page), 'Replace key')
	await press(page, '4')
	await isShown(button(page.getByRole('tabpanel'), 'Replace key'))
	await thereAre(replace, 1)
	await goTo(page, '/log')
	await push(main(page), /^Load: /)
	const problem = status(main(page)).filter({hasText: 'The service does not know this key'})
	await isShown(button(problem, 'Replace key'))
	await thereAre(replace, 1)
})
