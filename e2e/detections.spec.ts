import type {Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {
	aside,
	closeDialog,
	decide,
	dialogIsGone,
	dialogSays,
	grid,
	heading,
	incidentLog,
	link,
	listIsRead,
	option,
	region,
	tableRow,
	pressIn,
	isShown,
	isHidden,
	says,
	push,
	enter
} from './screens.ts'
import {goTo} from './jobs.ts'

// What other tests did would stand in the log of a group.
test.use({houseName: 'detections'})

const table = (page: Page) => grid(page, 'Detections')
const panel = (page: Page) => aside(page, 'Detection group at the cursor')

async function open(page: Page) {
	await listIsRead(page)
	await goTo(page, '/events')
	await isShown(link(grid(page, 'Events')).first())
	await goToDetections(page)
}

/** Keys act on rows: they wait for them. */
async function goToDetections(page: Page) {
	await goTo(page, '/detections')
	await isShown(link(table(page)).first())
}

test('a group gets a status and an owner, which the log keeps; closed, it leaves the overview and comes last', async ({page}) => {
	await open(page)
	const first = tableRow(table(page)).nth(1)
	await says(first, 'new')
	await page.setViewportSize({width: 1280, height: 800})
	const cells = table(page).getByRole('gridcell', {name: /^PUA/})
	await expect(cells).not.toHaveCount(0)
	await expect.poll(() => cells.evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth).length)).toBe(0)
	await page.setViewportSize({width: 1440, height: 900})
	const title = await link(first).textContent()
	await pressIn(table(page), 'Home', 'Space')
	await says(panel(page), 'No change, note or job concerns')
	await isShown(heading(panel(page), 'Events'))
	await hasNoViolations(page)
	await pressIn(table(page), 'o')
	await enter(page, 'Owner', 'Ana')
	await enter(page, 'Note', 'Phishing drill')
	await decide(page, 'Save status')
	await dialogIsGone(page)
	await says(first, 'investigating')
	await says(first, 'Ana')
	await link(panel(page), /investigating, owner Ana. Phishing drill/).click()
	await isShown(tableRow(incidentLog(page)).filter({hasText: 'Phishing drill'}).first())
	await goTo(page, '/overview')
	await says(region(page, 'Attention'), 'investigating, Ana')

	await goToDetections(page)
	await pressIn(table(page), 'o')
	await decide(page, /investigating/)
	await option(page, 'closed').click()
	await decide(page, 'Save status')
	const last = tableRow(table(page))
		.filter({hasText: title ?? ''})
		.last()
	await says(last, 'closed')
	await goTo(page, '/overview')
	await expect(region(page, 'Attention')).not.toContainText('investigating, Ana')
})

test('what is done about a group is one key away: its isolation, its log entries, its story', async ({page}) => {
	await open(page)
	await pressIn(table(page), 'Home', 'Space')
	await push(panel(page), 'Isolate…')
	await dialogSays(page, /Isolate/)
	await closeDialog(page)
	await pressIn(table(page), 't')
	await expect(page).toHaveURL(/tab=trajectory/)
})

test('says how old its events are, and why there are no newer ones', async ({page, service}) => {
	await open(page)
	const main = page.getByRole('main')
	await says(main, /open · events loaded .* ago/)
	await service.weather('GET /v1/events?*=status:403')
	await goTo(page, '/events')
	await push(page, /^Refresh/)
	const failure = main.getByText('Could not refresh the events')
	await isShown(failure)
	await goToDetections(page)
	await isShown(failure)
	await service.weather()
	await goTo(page, '/events')
	await push(page, 'Try again')
	await isHidden(failure)
})
