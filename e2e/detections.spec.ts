import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {button, dialog, field, incidentLog, link, listIsRead, press, region} from './screens.ts'
import {goTo} from './jobs.ts'
import type {Page} from '@playwright/test'

// What other tests did would stand in the log of a group.
test.use({houseName: 'detections'})

const table = (page: Page) => page.getByRole('grid', {name: 'Detections'})
const panel = (page: Page) => page.getByRole('complementary', {name: 'Detection group at the cursor'})

async function open(page: Page) {
	await listIsRead(page)
	await goTo(page, '/events')
	await expect(page.getByRole('grid', {name: 'Events'}).getByRole('link').first()).toBeVisible()
	await goToDetections(page)
}

/** Keys act on rows: they wait for them. */
async function goToDetections(page: Page) {
	await goTo(page, '/detections')
	await expect(table(page).getByRole('link').first()).toBeVisible()
}

test('a group gets a status and an owner, which the log keeps; closed, it leaves the overview and comes last', async ({page}) => {
	await open(page)
	const first = table(page).getByRole('row').nth(1)
	await expect(first).toContainText('new')
	const title = await first.getByRole('link').textContent()
	await table(page).focus()
	await press(page, 'Home', 'Space')
	await expect(panel(page)).toContainText('No change, note or job concerns')
	await expect(panel(page).getByRole('heading', {name: 'Events'})).toBeVisible()
	await hasNoViolations(page)
	await table(page).focus()
	await press(page, 'o')
	await field(dialog(page), 'Owner').fill('Ana')
	await field(dialog(page), 'Note').fill('Phishing drill')
	await button(dialog(page), 'Save status').click()
	await expect(dialog(page)).toBeHidden()
	await expect(first).toContainText('investigating')
	await expect(first).toContainText('Ana')
	await link(panel(page), /investigating, owner Ana. Phishing drill/).click()
	await expect(incidentLog(page).getByRole('row').filter({hasText: 'Phishing drill'}).first()).toBeVisible()
	await goTo(page, '/overview')
	await expect(region(page, 'Attention')).toContainText('investigating, Ana')

	await goToDetections(page)
	await table(page).focus()
	await press(page, 'o')
	await dialog(page)
		.getByRole('button', {name: /investigating/})
		.click()
	await page.getByRole('option', {name: 'closed'}).click()
	await button(dialog(page), 'Save status').click()
	const last = table(page)
		.getByRole('row')
		.filter({hasText: title ?? ''})
		.last()
	await expect(last).toContainText('closed')
	await goTo(page, '/overview')
	await expect(region(page, 'Attention')).not.toContainText('investigating, Ana')
})

test('what is done about a group is one key away: its isolation, its log entries, its story', async ({page}) => {
	await open(page)
	await table(page).focus()
	await press(page, 'Home', 'Space')
	await button(panel(page), 'Isolate…').click()
	await expect(dialog(page)).toContainText(/Isolate/)
	await press(page, 'Escape')
	await expect(dialog(page)).toBeHidden()
	await table(page).focus()
	await press(page, 't')
	await expect(page).toHaveURL(/tab=trajectory/)
})
