import type {Page} from '@playwright/test'

import {expect, test, usualSetup, weather} from './fixtures.ts'
import {goTo} from './jobs.ts'
import {
	alert,
	button,
	closeDialog,
	comboBox,
	dialog,
	grid,
	isOff,
	openComputer,
	option,
	press,
	shows,
	status,
	tableRow,
	screenIs,
	isShown,
	isHidden,
	isFocused,
	says,
	decide,
	thereAre,
	push
} from './screens.ts'

async function openLists(page: Page) {
	await press(page, 'g', 'f')
	await screenIs(page, 'File lists')
}

test.describe('a service that gives no lists', () => {
	test.use({setup: weather('GET /v1/file_lists/*=500')})

	test('shows the failure in place of the lists, and "Try again" loads them', async ({listed: page, service}) => {
		await openLists(page)
		const failure = alert(page).filter({hasText: 'Could not load all lists of this kind'}).first()
		await says(failure, /status 500/)
		await goTo(page, '/file-lists/a0b1c2d3-0000-4000-8000-000000000000')
		await isShown(alert(page).filter({hasText: 'Could not load the file lists'}))
		await openLists(page)
		await service.weather()
		await push(failure, 'Try again')
		await isShown(tableRow(page, /^Known bad files,/))
		await thereAre(page.getByText('Could not load all lists of this kind'), 0)
	})
})

test.describe('a service that lists neither groups nor file lists', () => {
	test.use({setup: weather('GET /v1/file_lists/*=500', 'GET /v1/groups*=500')})

	test('calls no hash blocked nowhere, and dialogs say why there is nothing to choose, and load it', async ({page, service}) => {
		await openComputer(page, 'FIN-LT-0231')
		await press(page, 'm')
		await isFocused(comboBox(page, 'To the group'))
		await page.keyboard.type('Triage')
		const failure = alert(dialog(page)).filter({hasText: 'Could not load the groups'})
		await says(failure, /status 500/)
		await closeDialog(page)
		await goTo(page, `/file-lists/hash/${'ab'.repeat(32)}`)
		await shows(page, /on no loaded blocking list; not all file lists have been loaded/)
		await push(page, 'Block…')
		await says(alert(dialog(page)), /Could not load the file lists: .*status 500/)
		await service.weather()
		await decide(page, 'Try again')
		await thereAre(alert(dialog(page)), 0)
		await decide(page, /List/)
		await isShown(option(page, /Known bad files/))
	})
})

const lateHashes = 'GET /v1/file_lists/*/files?*limit=500*=latency:60000'

test.describe('a slow service', () => {
	test.use({setup: weather('GET /v1/file_lists/application_blocking*=latency:60000', lateHashes)})

	test('shows skeleton rows, then each page, and never an empty list', async ({listed: page, service}) => {
		await openLists(page)
		await isShown(tableRow(page, 'Loading').first())
		await thereAre(page.getByText(/^No (?:file lists|list of this kind)$/), 0)
		await service.weather(lateHashes)
		const row = tableRow(page, /^Ransomware indicators, hashes: 512,/)
		await isShown(row)
		await row.dblclick()
		const hashes = grid(page, 'Hashes')
		await isShown(tableRow(hashes, 'Loading').first())
		await shows(page, 'loading, page by page')
		await thereAre(page.getByText('This list is empty'), 0)
		await service.weather()
		await expect(hashes).toHaveAttribute('aria-rowcount', '513')
	})
})

test.describe('hashes that cannot be read', () => {
	test.use({setup: weather('GET /v1/file_lists/*/files?*limit=500*=500')})

	test('say so in their place; the coverage is shown anyway', async ({listed: page, service}) => {
		await openLists(page)
		await tableRow(page, /^Mac adware, hashes: 37,/).dblclick()
		const failure = alert(page).filter({hasText: 'Could not load the hashes'})
		await isShown(failure)
		await press(page, 'Shift+V')
		await shows(page, /^Enforced on \d+ of 300 computers/)
		await press(page, 'Shift+V')
		await service.weather()
		await push(failure, 'Try again')
		await expect(grid(page, 'Hashes')).toHaveAttribute('aria-rowcount', '38')
	})
})

test('without the service the local data stays, with its age; without API calls left it says when the limit resets', async ({
	listed: page,
	service
}) => {
	await openLists(page)
	const row = tableRow(page, /^Known bad files, hashes: 720,/)
	await isShown(row)
	// The row comes before the rest of the reading, and nothing else is read until that ends.
	await expect(button(page, /^Refresh/)).not.toHaveAttribute('aria-disabled', 'true')
	await service.weather('GET /v1/file_lists/application_blocking*=reset')
	await press(page, 'r', 'Enter')
	const banner = status(page).filter({hasText: 'You see local data'})
	await isShown(banner)
	await isShown(row)
	await service.weather()
	await push(banner, /^Try again/)
	await isHidden(banner)

	await row.dblclick()
	const hashes = grid(page, 'Hashes')
	await expect(hashes).toHaveAttribute('aria-rowcount', '721')
	await service.weather('GET /v1/file_lists/*/files*=429:300')
	await push(page, /^Refresh/)
	await shows(page, /Not all hashes could be loaded: .*Calls are available again at \d\d:\d\d/)
	await expect(hashes).toHaveAttribute('aria-rowcount', '721')
})

test.describe('a tenant without lists', () => {
	const {service} = weather('GET /v1/policies*=500')
	test.use({setup: {...usualSetup, service: [...service, '--file-lists', '0']}})

	test('says that there are none, whatever else failed, and where to create them', async ({listed: page}) => {
		await openLists(page)
		await shows(page, 'No file lists', true)
		await shows(page, '0 lists')
		await shows(page, /^Create lists in the web console/)
		// In the bar, and in place of the list.
		await thereAre(button(page, /^Refresh · about \d+ calls/), 2)
		await press(page, 'a')
		await isOff(button(dialog(page), /^Add /))
	})
})
