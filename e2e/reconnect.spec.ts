import type {Page} from '@playwright/test'

import {expect, test, usualSetup} from './fixtures.ts'
import {
	alert,
	areListed,
	computers,
	expectIsolation,
	filterBox,
	guidOf,
	isolate,
	listIsRead,
	openComputer,
	rowOf,
	tableRow,
	title,
} from './screens.ts'

/** What Chromium itself says while the host is away. */
test.use({setup: {...usualSetup, expected: [/WebSocket connection to .* failed/, /net::ERR_CONNECTION_REFUSED/]}})

test('while the host is away the last view stays readable, and the page reconnects automatically', async ({page, app}) => {
	await listIsRead(page)
	await filterBox(page).fill('name:FIN-LT-0231')
	await expect(rowOf(page, 'FIN-LT-0231')).toBeVisible()

	await app.stop()
	await expect(lost(page)).toContainText('You are viewing old data. Changes are disabled.')
	await expect(rowOf(page, 'FIN-LT-0231')).toBeVisible()

	await app.start()
	await expect(lost(page)).toBeHidden({timeout: 20_000})
	await expect(page.getByText('has not entered')).toHaveCount(0)
	await filterBox(page).fill('name:FIN-SRV')
	await expect(tableRow(computers(page), /^FIN-SRV/).first()).toBeVisible()
})

test('a running isolation is followed after the restart', async ({page, app, service}) => {
	await openComputer(page, 'FIN-LT-0231')
	const guid = guidOf(page)
	await service.change(guid, {online: false})
	await isolate(page, 'FIN-LT-0231')
	await expectIsolation(page, 'pending_start')
	await app.stop()
	await expect(lost(page)).toBeVisible()
	await expect(title(page, 'FIN-LT-0231')).toBeVisible()
	await app.start()
	await service.change(guid, {online: true})
	await expect(lost(page)).toBeHidden({timeout: 20_000})
	await expect(page.getByRole('img', {name: 'Isolation: isolated'})).toBeVisible({timeout: 30_000})
})

test('a loaded page that is opened again after a restart needs no new entry link', async ({page, app}) => {
	await listIsRead(page)
	await app.restart()
	await page.reload()
	await listIsRead(page)
	await areListed(page, 300)
})

function lost(page: Page) {
	return alert(page).filter({hasText: 'Cordon is not responding'})
}
