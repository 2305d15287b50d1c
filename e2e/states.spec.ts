/** What each screen says when the service fails after it was read: why, once, beside what is kept. */
import type {Page} from '@playwright/test'

import {expect, test} from './house.ts'
import {button, computers, grid, link, listIsRead, main, press, tableRow, title} from './screens.ts'

test.use({houseName: 'states'})

interface Screen {
	title: string
	open: (page: Page) => Promise<void>
	/** What was read before. */
	kept: (page: Page) => ReturnType<Page['getByRole']>
}

const byKey = (key: string) => async (page: Page) => {
	await press(page, 'g')
	await press(page, key)
}

const screens: Screen[] = [
	{title: 'Overview', open: byKey('o'), kept: page => link(page, /^\d+\s*Computers/)},
	{title: 'Computers', open: byKey('c'), kept: page => tableRow(computers(page), /isolation:/)},
	{title: 'Groups', open: byKey('g'), kept: page => tableRow(page, /^Corporate,/)},
	{title: 'Policies', open: byKey('p'), kept: page => tableRow(page, /^Server, for Windows/)},
	{title: 'File lists', open: byKey('f'), kept: page => tableRow(page, /^Known bad files,/)},
	{title: 'Events', open: byKey('e'), kept: page => tableRow(grid(page, 'Events'), /, 20\d\d-/)},
]

interface Storm {
	name: string
	weather: string
	told: RegExp
	/** The way on, where it is another than to try again. */
	remedy?: string
}

/** Failures that no retry helps, so that each screen has its answer at once. */
const storms: Storm[] = [
	{
		name: 'a key that is not known any more (401)',
		weather: 'status:401',
		told: /Client ID or API key rejected/,
		remedy: 'Replace key',
	},
	{name: 'a key that may not read (403)', weather: 'status:403', told: /This API key lacks permission/},
	{name: 'an address that is not the service’s (404)', weather: 'status:404', told: /does not know the address \/v1\//},
	{name: 'an internal error', weather: '500', told: /answered with an error \(status 500, request [0-9a-f-]{36}\)/},
	{name: 'malformed JSON', weather: 'malformed', told: /answer is not JSON/},
	{name: 'a captive portal', weather: 'html:200', told: /answer is a web page, not JSON/},
]

async function openRead(page: Page, {title: heading, open, kept}: Screen) {
	await open(page)
	await expect(title(page, heading)).toBeVisible()
	await expect(kept(page).first()).toBeVisible()
}

for (const {name, weather, told, remedy} of storms) {
	test(`${name}: each screen keeps what it has, and says why once`, async ({page, service}) => {
		await listIsRead(page)
		for (const screen of screens) await openRead(page, screen)
		await service.weather(`GET /v1/*=${weather}`)
		for (const screen of screens) {
			await openRead(page, screen)
			await button(main(page), /^Refresh/).click()
			const places = main(page).locator('[role=alert], [role=status]').filter({hasText: told})
			await expect(places, screen.title).toHaveCount(1)
			await expect(button(places, remedy ?? /^Try again/), screen.title).toBeVisible()
			await expect(screen.kept(page).first(), screen.title).toBeVisible()
		}
	})
}
